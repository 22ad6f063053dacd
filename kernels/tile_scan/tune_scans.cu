// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/tile_scan/tile_kernel.cuh"

namespace dormer::kernels {

namespace {
template <int kBlock, TileScan kScan>
Row<Tiles> scanPoint() {
    return tilePoint<kBlock, 8, TileAccess::Transpose, TileModifier::Default, kScan>();
}
} // namespace

// How the threads' sums are scanned, for several numbers of threads; the third way, warp scans, is the
// centre's.
std::vector<Row<Tiles>> tileScanRows() {
    using enum TileScan;
    return {scanPoint<64, Raking>(),   scanPoint<128, Raking>(), scanPoint<256, Raking>(),
            scanPoint<512, Raking>(),  scanPoint<64, Memoize>(), scanPoint<128, Memoize>(),
            scanPoint<256, Memoize>(), scanPoint<512, Memoize>()};
}

} // namespace dormer::kernels
