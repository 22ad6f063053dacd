// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/findings/finding.h"

namespace dormer::findings {

/// Something wrong with copies between host and device, or with the migration of managed memory.
struct TransferFinding {
    std::string subject; ///< workload or NVTX range; "copies" of a program without either
    double ns = 0;       ///< time of the transfers that it is about; 0 where emulated
    Finding finding;     ///< gainNs: of all of them together
};

/// What a transfer cost the program, in ns: the copy engine's time, or the host's where the call waits for
/// it. Absent where emulated, and for a time that can't be one. Of page faults it is how long they held the
/// GPU up.
[[nodiscard]] std::optional<double> transferCostNs(const session::Transfer& transfer);

/// Codes "host-transfers-dominate", "pageable-transfers", "small-transfers", "managed-migrations", in order
/// of appearance of their subjects. Gains are estimates by the table of transfer_rates.h and from times of
/// the session. Of a suite, what its workloads did; its set-up and checks are nobody's to improve.
[[nodiscard]] std::vector<TransferFinding> transferFindings(const session::Session& session);

} // namespace dormer::findings
