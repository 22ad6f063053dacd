// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/fragment.h"

/// An mma or wmma.mma made ready: where each element of a fragment goes in a plain row-major matrix.
namespace dormer::emulator::instructions {

struct TensorFragment {
    static constexpr unsigned kMaxElements = 512;
    Kind element = Kind::None;
    std::uint8_t registers = 0, parts = 1;
    /// [register][lane][part]: index into the matrix, row by row.
    std::uint16_t index[kMaxElements] = {};
};

struct TensorPlan {
    unsigned m = 0, n = 0, k = 0;
    bool saturate = false;
    TensorFragment a, b, c, d;
};

/// Row and column of the elements of a fragment in memory: [register][lane][part].
struct FragmentPlaces {
    std::uint8_t row[TensorFragment::kMaxElements] = {}, column[TensorFragment::kMaxElements] = {};
};
/// Made once for each shape and kept. Thread-safe.
[[nodiscard]] const FragmentPlaces* fragmentPlaces(const FragmentShape& shape);

/// The plan of an instruction, made once and kept; null when it is not supported. Thread-safe.
[[nodiscard]] const TensorPlan* tensorPlan(const ptx::Instruction& instruction);

} // namespace dormer::emulator::instructions
