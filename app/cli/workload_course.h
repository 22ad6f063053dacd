// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/installation.h"

namespace dormer::cli {

/// The suite to be read from top to bottom: each family with its title and what it shows, its variants below,
/// the points of a sweep on one line. Lines are broken at about a hundred columns.
[[nodiscard]] std::string courseText(const std::vector<instrument::launch::WorkloadInfo>& workloads);

} // namespace dormer::cli
