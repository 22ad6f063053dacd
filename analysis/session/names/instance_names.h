// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::session {

/// Short names (shortKernelName) of different kernels that tell them apart. Those that share one get the
/// fewest template arguments that do, "scale<float, …>", else their parameters, "scale(float*)", else a
/// number, "scale #2"; identifiers are left whole. `names` are whole, demangled; kernels of equal names count
/// as different. Time is linear in the names' lengths and at most quadratic in the number of template
/// arguments.
[[nodiscard]] std::vector<std::string> instanceNames(std::span<const std::string_view> names);

} // namespace dormer::session
