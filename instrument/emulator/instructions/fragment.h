// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/operation_spec.h"
#include "instrument/emulator/ptx/module.h"

#include <compare>
#include <optional>

/// How the matrices of mma and wmma lie in the registers of a warp. For mma the PTX ISA says; for wmma it
/// leaves that open, and the tiles are those of the mma instructions that it becomes on sm_80 and later.
namespace dormer::emulator::instructions {

enum class FragmentMatrix : std::uint8_t { A, B, C }; ///< C stands for the accumulators, D too

struct FragmentShape {
    FragmentMatrix matrix = FragmentMatrix::A;
    std::uint8_t m = 0, n = 0, k = 0;
    Kind element = Kind::None;
    bool wmma = false;
    bool rowMajor = true; ///< of wmma.load and wmma.store: in memory

    auto operator<=>(const FragmentShape&) const = default;
    [[nodiscard]] unsigned rows() const { return matrix == FragmentMatrix::B ? k : m; }
    [[nodiscard]] unsigned columns() const { return matrix == FragmentMatrix::A ? k : n; }
};

/// Elements in one register of a lane: 4 for 8-bit types, 2 for 16-bit ones, else 1; part 0 is the lowest.
[[nodiscard]] unsigned fragmentParts(const FragmentShape& shape);
/// Registers of a lane. wmma's f16 operands have 8 whatever the shape: some elements are there twice or more.
[[nodiscard]] unsigned fragmentRegisters(const FragmentShape& shape);

struct FragmentElement {
    unsigned row = 0, column = 0;
};
[[nodiscard]] FragmentElement fragmentElement(const FragmentShape& shape, unsigned lane, unsigned reg,
                                              unsigned part);

/// What a wmma.load.{a,b,c} or wmma.store.d moves; nothing for shapes and types that are not supported.
[[nodiscard]] std::optional<FragmentShape> wmmaFragment(const ptx::Instruction& instruction);

/// Shapes of an mma or wmma.mma.
struct MatrixOperation {
    FragmentShape a, b, c, d;
    bool saturate = false; ///< .satfinite of integers
};
[[nodiscard]] std::optional<MatrixOperation> matrixOperation(const ptx::Instruction& instruction);

} // namespace dormer::emulator::instructions
