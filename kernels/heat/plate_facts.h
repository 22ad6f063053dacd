// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"
#include "kernels/harness/table.h"

#include <cmath>
#include <string>
#include <vector>

/// The arithmetic of a step of heat, for its kernels and for their known answers. No CUDA in here.
namespace dormer::kernels {

/// Three additions of neighbours and two fused multiply-adds of two operations each.
inline constexpr std::size_t kFlopsPerInnerCell = 7;

/// Beyond the L2 caches of today, so that what decides is DRAM; and a plate that even the slow ones finish.
inline constexpr Sizes kHeatGridSize{std::size_t{4096} * 4096, std::size_t{1024} * 1024};
inline constexpr Sizes kHeatOneBlockSize{std::size_t{2048} * 2048, std::size_t{256} * 256};
inline constexpr Sizes kHeatSerialSize{std::size_t{512} * 512, std::size_t{96} * 96};

/// Cells along one side of a square plate of `size` cells.
inline std::size_t plateSide(std::size_t size) {
    return static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(size))));
}

/// A square of whole warps per row, so that the 32 cells of a warp always lie in one row.
inline std::size_t roundPlate(std::size_t wanted) {
    const std::size_t side =
        roundUp(static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(wanted)))), 32);
    return side * side;
}

inline std::vector<std::string> plateParameters(std::size_t size) {
    const std::string side = std::to_string(plateSide(size));
    return {"size=" + std::to_string(size), "plate=" + side + "x" + side, "type=float"};
}

/// One plate to read, one to write.
inline std::size_t plateBytes(std::size_t size) {
    return 2 * size * sizeof(float);
}

inline Expectation heatFlops(std::size_t size) {
    const std::size_t inner = plateSide(size) - 2;
    return exactly("flops_fp32", static_cast<double>(kFlopsPerInnerCell * inner * inner),
                   "7 operations for each cell that is not at the boundary");
}

/// Sectors of one launch in which each warp takes 32 neighbours of a row. A warp of an inner row reads 4
/// sectors for its cells and 4 each for those above and below; those to the left and to the right begin one
/// cell off and touch 5, except at the ends of the row, where the outermost lane keeps its cell.
inline std::vector<Expectation> heatSectors(std::size_t size) {
    const std::size_t side = plateSide(size);
    const std::size_t warps = side / 32;
    const std::size_t innerRow = (4 + 4 + 4 + 5 + 5) * warps - 2;
    return {exactly("global_load_sectors", static_cast<double>((side - 2) * innerRow + 2 * 4 * warps),
                    "a warp of an inner row reads 12 sectors of three rows and 10 one cell off"),
            exactly("global_store_sectors", static_cast<double>(size / 8), "each cell is written once")};
}

} // namespace dormer::kernels
