// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/tile_scan/tile_kernel.cuh"

namespace dormer::kernels {

// The centre first, then threads, then items, then both.
std::vector<Row<Tiles>> tileSizeRows() {
    return {tilePoint<128, 8>(), tilePoint<32, 8>(),   tilePoint<64, 8>(),   tilePoint<256, 8>(),
            tilePoint<512, 8>(), tilePoint<128, 1>(),  tilePoint<128, 2>(),  tilePoint<128, 4>(),
            tilePoint<128, 7>(), tilePoint<128, 12>(), tilePoint<128, 16>(), tilePoint<64, 4>(),
            tilePoint<256, 4>(), tilePoint<512, 4>(),  tilePoint<64, 16>(),  tilePoint<256, 16>(),
            tilePoint<512, 16>()};
}

} // namespace dormer::kernels
