// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace dormer::instrument::collect {

/// Asks the launcher whether --kernels means a kernel, and waits for what it says: its matcher is too much
/// for a foreign program. Nothing without a launcher that answers.
[[nodiscard]] std::optional<bool> keptByLauncher(std::string_view workload, std::string_view kernel);

} // namespace dormer::instrument::collect
