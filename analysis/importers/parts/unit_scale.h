// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace dormer::importers {

/// Factor from a unit of Nsight Compute to the base unit of its counters: bytes, nanoseconds, hertz, and per
/// second where it is a rate. "Kbyte" -> 1000 (its prefixes are decimal), "usecond" or "us" -> 1000,
/// "cycle/nsecond" or "Ghz" -> 1e9, "byte/usecond" -> 1e6. 1 for what is no scaled unit.
[[nodiscard]] double unitScale(std::string_view unit);

} // namespace dormer::importers
