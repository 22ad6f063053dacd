// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/spmv/matrix.h"

#include <algorithm>
#include <cmath>

namespace dormer::kernels {

namespace {

/// Sums of this many products of small integers are exact in a float.
constexpr std::size_t kLongestRow = std::size_t{1} << 20;

/// Lengths fall with the row's rank as rank^-0.75, like the degrees of many networks. What rounding leaves
/// over goes to the longest rows, one each, so that the sum is what was requested.
std::vector<std::size_t> lengthsByRank(std::size_t rows, std::size_t nonzeros) {
    // Square roots round the same everywhere; pow() need not.
    const auto weight = [](std::size_t rank) {
        const double root = std::sqrt(static_cast<double>(rank + 1));
        return 1 / (root * std::sqrt(root));
    };
    double total = 0;
    for (std::size_t rank = 0; rank < rows; ++rank)
        total += weight(rank);
    std::vector<std::size_t> lengths(rows);
    std::size_t given = 0;
    for (std::size_t rank = 0; rank < rows; ++rank) {
        const auto length = static_cast<std::size_t>(static_cast<double>(nonzeros) * weight(rank) / total);
        lengths[rank] = std::min({length, kLongestRow, nonzeros - given});
        given += lengths[rank];
    }
    for (std::size_t left = nonzeros - given, rank = 0; left > 0; rank = (rank + 1) % rows) {
        if (lengths[rank] == kLongestRow) continue;
        ++lengths[rank];
        --left;
    }
    return lengths;
}

} // namespace

std::vector<int> rowOffsets(MatrixKind kind, std::size_t nonzeros) {
    const std::size_t rows = rowsOf(nonzeros);
    std::vector<std::size_t> lengths(rows, kNonzerosPerRow);
    if (kind == MatrixKind::PowerLaw) {
        const std::vector<std::size_t> byRank = lengthsByRank(rows, nonzeros);
        // A prime, so that every row gets one rank: neighbours in rank end up far apart.
        constexpr std::size_t kStride = 2'654'435'761;
        for (std::size_t rank = 0; rank < rows; ++rank)
            lengths[rank * kStride % rows] = byRank[rank];
    }
    std::vector<int> offsets{0};
    offsets.reserve(rows + 1);
    for (const std::size_t length : lengths)
        offsets.push_back(offsets.back() + static_cast<int>(length));
    return offsets;
}

} // namespace dormer::kernels
