// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

/// Sparse matrices as the kernels get them, in compressed rows: only their shape, made on the host.
namespace dormer::kernels {

/// Nonzeros of a row on average, and of every row of the regular matrix.
inline constexpr std::size_t kNonzerosPerRow = 32;

enum class MatrixKind { Regular, PowerLaw };

constexpr std::size_t rowsOf(std::size_t nonzeros) {
    return nonzeros / kNonzerosPerRow;
}

/// Where each row's nonzeros begin, and after the last row, where they end. Both kinds have as many rows as
/// columns, and as many nonzeros as are requested, a multiple of kNonzerosPerRow. The longest row of the
/// power-law matrix has several percent of them, most rows have few, and long rows lie scattered.
[[nodiscard]] std::vector<int> rowOffsets(MatrixKind kind, std::size_t nonzeros);

} // namespace dormer::kernels
