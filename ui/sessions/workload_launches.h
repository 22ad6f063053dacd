// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

/// Between workloads and the launches that stand for them. Plain C++.
namespace dormer::ui::sessions {

/// The launch a workload is shown by: of its kernel that takes longest in all, the counted launch of median
/// duration. Workloads without launches are not in it.
[[nodiscard]] std::unordered_map<std::string, session::LaunchIndex>
launchesOfWorkloads(const diagnosis::Diagnosis& diagnosis);

/// What the suite says of a workload; null when the session holds nothing about it.
[[nodiscard]] const session::Workload* findWorkload(const session::Session& session,
                                                    std::string_view workload);

} // namespace dormer::ui::sessions
