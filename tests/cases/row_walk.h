// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cases {

/// The first element of a row.
__device__ inline float firstOfRow(const float* matrix, unsigned row, unsigned pitch) {
    return matrix[row * pitch]; // helper: load
}

} // namespace cases
