// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dormer::base {

/// A C++ name as it was written; the text itself when it is no mangled name.
[[nodiscard]] std::string demangled(const std::string& mangled);

} // namespace dormer::base
