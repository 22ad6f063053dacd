// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"
#include "analysis/view/text_table.h"

namespace dormer::view {

/// What moved between memories and what was asked of them, as cells for people: like records of one workload
/// or NVTX range are one row.
struct TransferTables {
    std::vector<TextColumn> transferColumns, callColumns;
    std::vector<TextRow> transfers; ///< copies, fills, migrations, faults; in order of appearance
    std::vector<TextRow> calls;
    std::size_t transfersLeftOut = 0, callsLeftOut = 0; ///< rows beyond the limit
    std::string outside; ///< of a suite: one sentence on what its set-up and checks did; else empty
    std::string dashes;  ///< why times are a dash; empty where none is for that reason
    [[nodiscard]] bool empty() const { return transfers.empty() && calls.empty() && outside.empty(); }
};

[[nodiscard]] TransferTables transferTables(const session::Session& session, std::size_t mostRows = 80);

/// "6 copies of 24.0 kB, 2 fills, 34 calls for memory": what a session without launches saw; empty when it
/// saw nothing. Of a suite only what its workloads did.
[[nodiscard]] std::string transfersSeen(const session::Session& session);

} // namespace dormer::view
