// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/tile_scan/tile_kernel.cuh"

namespace dormer::kernels {

// How items reach their threads, for several numbers of items. Vectors need a number they divide: no 7 there.
std::vector<Row<Tiles>> tileAccessRows() {
    using enum TileAccess;
    return {tilePoint<128, 4, Direct>(),        tilePoint<128, 7, Direct>(),
            tilePoint<128, 8, Direct>(),        tilePoint<128, 16, Direct>(),
            tilePoint<128, 4, Vectorize>(),     tilePoint<128, 8, Vectorize>(),
            tilePoint<128, 16, Vectorize>(),    tilePoint<128, 4, WarpTranspose>(),
            tilePoint<128, 7, WarpTranspose>(), tilePoint<128, 8, WarpTranspose>(),
            tilePoint<128, 16, WarpTranspose>()};
}

} // namespace dormer::kernels
