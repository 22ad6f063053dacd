// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/sass/elf_image.h"

#include <string>
#include <vector>

namespace dormer::instrument::cupti::sass {

/// Functions of a cubin that call `callee`, by themselves or through others, by mangled name: from the pairs
/// of symbols in its section .nv.callgraph. Calls through pointers are not in there. Empty for what is no
/// cubin.
[[nodiscard]] std::vector<std::string> callersOf(Bytes image, std::string_view callee);

} // namespace dormer::instrument::cupti::sass
