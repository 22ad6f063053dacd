// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace dormer::emulator::memory {

/// What the opaque 128 bytes of a CUtensorMap hold here: an array of up to five dimensions in global memory,
/// and the box of it that one copy moves. Dimension 0 is the one whose elements are neighbours.
struct TensorMap {
    static constexpr std::uint64_t kMagic = 0x6D72'6F44'7061'4D54; ///< else these bytes are no tensor map
    static constexpr unsigned kMostDimensions = 5;
    enum class Element : std::uint8_t { U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16, TF32 };
    std::uint64_t magic = 0;
    std::uint64_t address = 0;
    std::array<std::uint64_t, kMostDimensions> size = {};   ///< in elements
    std::array<std::uint64_t, kMostDimensions> stride = {}; ///< bytes; of dimension 0: the element's
    std::array<std::uint16_t, kMostDimensions> box = {};    ///< elements in shared memory
    std::array<std::uint8_t, kMostDimensions> step = {};    ///< from one of them to the next in the array
    std::uint8_t dimensions = 0;
    Element element = Element::U8;
    /// Bytes of a row of shared memory within which pieces of 16 bytes change places: 32, 64, 128; 0: none.
    std::uint8_t swizzle = 0;

    [[nodiscard]] unsigned elementBytes() const { return static_cast<unsigned>(stride[0]); }
    /// Bytes of the box in shared memory.
    [[nodiscard]] std::uint32_t boxBytes() const {
        std::uint32_t bytes = elementBytes();
        for (unsigned d = 0; d < dimensions; ++d)
            bytes *= box[d];
        return bytes;
    }
};
static_assert(sizeof(TensorMap) <= 128);

/// Where a byte of shared memory lies when its pieces of 16 bytes change places: their number in the row is
/// combined with the row's, by exclusive or (CUDA C++ programming guide, "Tensor memory access, swizzle"; PTX
/// ISA, "Swizzling modes"). `span`: 32, 64, 128 bytes; 0: where it was.
[[nodiscard]] constexpr std::uint64_t swizzled(std::uint64_t address, unsigned span) {
    return span == 0 ? address : address ^ ((address >> 7 & (span / 16 - 1)) << 4);
}

} // namespace dormer::emulator::memory
