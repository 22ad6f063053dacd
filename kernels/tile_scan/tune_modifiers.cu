// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/tile_scan/tile_kernel.cuh"

namespace dormer::kernels {

// What the loads ask of the caches. It matters most where a sector is requested again: in direct loads.
std::vector<Row<Tiles>> tileModifierRows() {
    using enum TileAccess;
    using enum TileModifier;
    return {tilePoint<128, 8, Transpose, Ldg>(),    tilePoint<128, 8, Transpose, Cg>(),
            tilePoint<128, 8, Transpose, Cs>(),     tilePoint<128, 8, Direct, Ldg>(),
            tilePoint<128, 8, Direct, Cg>(),        tilePoint<128, 8, Direct, Cs>(),
            tilePoint<128, 8, Vectorize, Ldg>(),    tilePoint<128, 8, Vectorize, Cg>(),
            tilePoint<128, 8, Vectorize, Cs>(),     tilePoint<128, 8, WarpTranspose, Ldg>(),
            tilePoint<128, 8, WarpTranspose, Cg>(), tilePoint<128, 8, WarpTranspose, Cs>()};
}

} // namespace dormer::kernels
