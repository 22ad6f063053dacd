// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dormer::kernels {

/// The suite as a JSON array of {family, variant, shows, parameters: ["size=16777216", ...]}, at each group's
/// default size. Touches no GPU.
[[nodiscard]] std::string describe();

} // namespace dormer::kernels
