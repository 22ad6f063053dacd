// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dormer::base {

/// Length of the well-formed UTF-8 at the start of `text` (Unicode 15, table 3-7): all of it when it is
/// valid.
[[nodiscard]] std::size_t validUtf8Prefix(std::string_view text);

/// `text` with each byte that is not part of UTF-8 replaced by U+FFFD: files are untrusted, and JSON must be
/// UTF-8.
[[nodiscard]] std::string withValidUtf8(std::string_view text);

} // namespace dormer::base
