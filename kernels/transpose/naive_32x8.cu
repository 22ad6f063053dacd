// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/transpose/groups.h"
#include "kernels/transpose/naive.cuh"

namespace dormer::kernels {

Group transposeNaiveGroup() {
    using namespace transposition;
    std::vector<Row<Matrices>> rows;
    addNaiveRows<32, 8, Loads::Cached>(rows, "");
    addNaiveRows<32, 8, Loads::PastL1>(rows, "");
    const std::size_t matrices = 1 + rows.size();
    return groupOf<Matrices>(
        std::move(rows), kSizes, roundToTiles,
        [matrices](std::size_t size) { return matrices * size * sizeof(float); },
        [](std::size_t size) { return parameters(size, "32x32", "32x8"); });
}

} // namespace dormer::kernels
