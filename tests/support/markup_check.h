// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dormer::tests {

/// Strict check that text is well-formed as XML elements with quoted attributes and the five entities or
/// character references: empty when it is, else what is wrong and where. Text of <style> and <script> passes
/// unchecked.
[[nodiscard]] std::string malformed(std::string_view markup);

/// How often `what` occurs.
[[nodiscard]] std::size_t occurrences(std::string_view text, std::string_view what);

} // namespace dormer::tests
