// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

namespace dormer::tests {

/// A tiled transpose of 4096 x 4096 floats as an H100 might report it, counted by line, with its source and
/// machine code in the session. Two launches; 2^24 elements, 2^19 warps:
///
///     line  7, tile.h inlined from transpose.cu:18   loads from in, 4 sectors per warp as they should be
///     line 18   stores to the tile, 1 wavefront
///     line 20   loads of the tile's columns, 32 wavefronts (ideal 1); lanes seen
///     line 20   stores to out, 4 sectors
///     line 22   stores that begin one element off, 5 sectors (ideal 4)
inline constexpr std::uint64_t kTransposeWarps = 1 << 19;
[[nodiscard]] session::Session transposeSession();

/// One launch of a kernel with so many lines of source and instructions: every third line has an access.
[[nodiscard]] session::Session hugeSource(std::uint32_t lines, std::uint32_t instructions);

} // namespace dormer::tests
