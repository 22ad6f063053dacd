// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dormer::check {

/// A path as the compiler wrote it, relative to `root` where it lies below it; else unchanged. Only text is
/// looked at, no file.
[[nodiscard]] std::string relativePath(const std::string& file, const std::string& root);

/// The same as a URI reference (RFC 3986): percent-encoded, an absolute path with the scheme "file".
[[nodiscard]] std::string sourceUri(const std::string& file, const std::string& root);

} // namespace dormer::check
