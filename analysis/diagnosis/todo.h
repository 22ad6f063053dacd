// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/findings/finding.h"

namespace dormer::diagnosis {

class Diagnosis;

/// One thing to do, with what it would win over the whole session.
struct ToDo {
    std::optional<session::LaunchIndex>
        launch;                   ///< representative of its group; absent for one about transfers
    std::string subject;          ///< label of the group; of transfers their workload or NVTX range
    std::size_t launches = 0;     ///< of the group; 0 for one about transfers
    findings::Finding finding;    ///< of the launch in which it costs most
    std::optional<double> gainNs; ///< over all launches of the group
    double share = 0;             ///< gainNs of the session's time, kernels and transfers, 0..1
    std::string scope{};          ///< GroupFinding::scope
};

/// What Diagnosis::toDoList keeps, at most.
inline constexpr std::size_t kMostToDos = 200;

/// Findings of all groups of launches and of the transfers, the largest gain over the whole session first;
/// those without an estimate last, by the time of their group. At most `most`; groups too short to get into
/// the list are not judged for it.
[[nodiscard]] std::vector<ToDo> toDoList(const Diagnosis& diagnosis, std::size_t most);

} // namespace dormer::diagnosis
