// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <expected>
#include <string>
#include <vector>

namespace dormer::probe {

/// Why no device can be used, and what to do about it.
struct Problem {
    std::string text;
    std::string remedy;
};

/// Loads the driver library and asks it for its devices. `requiredCuda` (13000 for 13.0; 0 = any) is the
/// CUDA whose runtime the workloads link: a driver of an older major version can't serve it.
[[nodiscard]] std::expected<std::vector<session::Device>, Problem> cudaDevices(const std::string& library,
                                                                               int requiredCuda);

} // namespace dormer::probe
