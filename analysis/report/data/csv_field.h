// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dormer::report {

/// RFC 4180: a field with a comma, a quote or a line break stands in quotes, quotes in it are doubled.
[[nodiscard]] std::string csvField(std::string_view text);
/// Shortest digits that read back as the same number; whole numbers without an exponent.
[[nodiscard]] std::string csvNumber(double value);
void appendNumber(std::string& out, double value);

} // namespace dormer::report
