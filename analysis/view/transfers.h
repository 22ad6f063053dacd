// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"
#include "analysis/view/table.h"

namespace dormer::view {

inline constexpr std::string_view kTransfersTitle = "Copies, fills, migrations and page faults";
inline constexpr std::string_view kMemoryCallsTitle = "Memory API calls";

/// What moved between memories and what the memory API calls cost: like records of one workload or NVTX
/// range are one row, in order of appearance. A row's key is its workload.
struct TransferTables {
    Table transfers;
    Table calls;
    std::string moved{};   ///< "1.29 GB": bytes of all rows of `transfers`
    std::string outside{}; ///< of a suite: one sentence on what its set-up and checks did; else empty
    std::string noTimes{}; ///< why times are dashes; empty where none is for that reason
    [[nodiscard]] bool empty() const {
        return transfers.rows.empty() && calls.rows.empty() && outside.empty();
    }
};

[[nodiscard]] TransferTables transferTables(const session::Session& session);

/// "6 copies of 24.0 kB, 2 fills, 34 memory API calls": what a session without launches saw; empty when it
/// saw nothing. Of a suite only what its workloads did.
[[nodiscard]] std::string transfersSeen(const session::Session& session);

} // namespace dormer::view
