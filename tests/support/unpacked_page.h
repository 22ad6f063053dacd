// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dormer::tests {

/// The page with what it carries packed (script elements of base64 of zlib's stream) in place as markup; the
/// values of metrics are left out. Throws std::runtime_error where it can't be unpacked.
[[nodiscard]] std::string unpackedPage(const std::string& html);

} // namespace dormer::tests
