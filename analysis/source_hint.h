// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// Concrete changes, read from the source text around a line that wastes. They look at text only, so they say
/// nothing rather than guess: an empty string where the text does not show the cause.
namespace dormer::analysis {

/// "pad tile[32][32] to tile[32][33] (line 38)": the declaration in shared memory of an array that the line
/// subscripts. `line` counts from 1.
[[nodiscard]] std::string paddingHint(std::string_view source, std::uint32_t line);

/// "swap the roles of blockIdx.x and threadIdx.x at line 12: blockIdx.x * blockDim.x + threadIdx.x": where an
/// index that the line uses multiplies threadIdx.x.
[[nodiscard]] std::string strideHint(std::string_view source, std::uint32_t line);

/// "the index i + 1 begins 1 element off, at line 14": where a subscript on the line adds a constant.
[[nodiscard]] std::string offsetHint(std::string_view source, std::uint32_t line);

} // namespace dormer::analysis
