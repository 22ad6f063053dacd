// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/program/memory_operands.h"

#include <cstdint>

namespace dormer::emulator::accesses {

/// Bits of Inst::flags of memory instructions.
inline constexpr std::uint16_t kWideAddress = 1; ///< Inst::a holds 8 bytes per lane, else 4
inline constexpr std::uint16_t kBypassL1 = 2;
inline constexpr std::uint16_t kResultUnused = 4;  ///< an atomic that hardware runs as a reduction
inline constexpr std::uint16_t kSharedAddress = 8; ///< of atomics; neither: global
inline constexpr std::uint16_t kGenericAddress = 16;
/// An addition of 1 to shared memory that hardware does by counting lanes (ATOMS.POPC.INC): one wavefront,
/// whatever the addresses.
inline constexpr std::uint16_t kCountsLanes = 32;
/// Orders threads, as volatile, relaxed and stronger accesses do.
inline constexpr std::uint16_t kStrong = 64;

/// Shape of a load or store.
struct AccessShape {
    program::Window window = program::Window::Global;
    bool store = false;
    std::uint8_t elementBytes = 4;  ///< 1, 2, 4, 8
    std::uint8_t registerBytes = 4; ///< 2, 4, 8: at least elementBytes
    bool signExtend = false;
};

/// Handler of a load or store. Inst::a is the address (absent for CallParameter), Inst::imm is added to it;
/// Inst::more holds the Inst::moreCount registers of the vector. Null for a shape that does not exist.
[[nodiscard]] instructions::Handler findAccess(const AccessShape& shape);

enum class AtomicOp : std::uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor, Exchange, CompareSwap };
enum class AtomicType : std::uint8_t { U32, S32, U64, S64, F32, F64, F16, F16x2, BF16, BF16x2, B16, B128 };

/// Handler of an atomic operation on global, shared or generic addresses. Inst::a is the address, b the
/// operand, c the value to store of a compare-and-swap; dst, where present, gets the old value. Null when PTX
/// has no such atomic.
[[nodiscard]] instructions::Handler findAtomic(AtomicOp op, AtomicType type);

/// cp.async. Inst::a is the shared address (kWideAddress says how wide), b the global one (8 bytes), c the
/// number of source bytes (4 bytes per lane; absent = all). Offsets: low half of imm to a, high half (signed)
/// to b. Inst::moreCount is the number of bytes a lane writes, `more` is not used.
[[nodiscard]] instructions::Handler findAsyncCopy();

/// Loads and stores of matrix fragments, and matrices that only move between registers.
enum class MatrixAccessKind : std::uint8_t {
    /// wmma.load and wmma.store: `more` holds the registers, a the address, b the stride in elements (4 bytes
    /// a
    /// lane; absent = as wide as the matrix).
    LoadFragment,
    StoreFragment,
    /// ldmatrix and stmatrix: `more` holds the registers, a the addresses of rows.
    LoadMatrices,
    StoreMatrices,
    Transpose, ///< movmatrix: the 8 x 8 matrix in a, transposed
};
[[nodiscard]] instructions::Handler findMatrixAccess(MatrixAccessKind kind);

} // namespace dormer::emulator::accesses
