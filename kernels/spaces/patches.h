// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/table.h"

#include <cmath>
#include <cstddef>

/// How the warps of the 2-D reads lie on a square image of 4-byte texels.
namespace dormer::kernels::spaces {

/// A warp's patch: 8 texels are a sector of 32 bytes.
inline constexpr unsigned kPatchWidth = 8;
inline constexpr unsigned kPatchHeight = 4;
/// Blocks of 8 x 32 threads tile the image.
inline constexpr std::size_t kImageStep = 32;

inline std::size_t sideOf(std::size_t size) {
    return static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(size))));
}

/// The nearest square of whole blocks that holds the wanted number of texels.
inline std::size_t roundToImage(std::size_t wanted) {
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(wanted))));
    const std::size_t rounded = roundUp(side, kImageStep);
    return rounded * rounded;
}

/// Sectors that all warps' loads of 3 x 3 neighbours take. A row of a patch moved by one texel sideways lies
/// in two sectors, at the image's border in one; rows above and below the image are the border's own again.
constexpr std::size_t blurSectors(std::size_t side) {
    const std::size_t patchesAcross = side / kPatchWidth;
    const std::size_t patchesDown = side / kPatchHeight;
    const std::size_t across = patchesAcross + 2 * (2 * patchesAcross - 1);
    const std::size_t down = 3 * kPatchHeight * patchesDown - 2;
    return across * down;
}

} // namespace dormer::kernels::spaces
