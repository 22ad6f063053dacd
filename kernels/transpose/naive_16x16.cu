// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/transpose/groups.h"
#include "kernels/transpose/naive.cuh"

namespace dormer::kernels {

Group transposeNaive16Group() {
    using namespace transposition;
    std::vector<Row<Matrices>> rows;
    addNaiveRows<16, 16, Loads::Cached>(rows, "_16x16");
    addNaiveRows<16, 16, Loads::PastL1>(rows, "_16x16");
    const std::size_t matrices = 1 + rows.size();
    return groupOf<Matrices>(
        std::move(rows), kSizes, roundToTiles,
        [matrices](std::size_t size) { return matrices * size * sizeof(float); },
        [](std::size_t size) { return parameters(size, "16x16", "16x16"); });
}

} // namespace dormer::kernels
