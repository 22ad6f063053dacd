// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/tensor_plan.h"

#include <cstdint>
#include <optional>

/// What memory instructions need to know beyond their registers; owned by the program.
namespace dormer::emulator::program {

/// Which addresses an access takes and where they lead.
enum class Window : std::uint8_t {
    Global,
    Shared,
    Local,
    Generic,
    Constant,        ///< .const variables: allocations, but no sectors
    KernelParameter, ///< the kernel's own, by a computed address
    CallParameter,   ///< .param variables of calls: Inst::imm is the place in the lane's area
};

/// What Inst::imm points at for loads and stores of matrix fragments.
struct MatrixAccess {
    instructions::FragmentShape shape;                    ///< wmma
    const instructions::FragmentPlaces* places = nullptr; ///< wmma: of the shape
    unsigned elementBytes = 2;                            ///< wmma
    std::int64_t offset = 0;                              ///< bytes added to the address
    Window window = Window::Generic;
    unsigned matrices = 1;   ///< ldmatrix, stmatrix: .x1, .x2, .x4
    bool transposed = false; ///< .trans
};

/// What Inst::imm points at for reads through texture objects.
struct TextureFetch {
    unsigned dimensions = 1;
    bool layered = false;            ///< the first coordinate is a layer
    bool cube = false;               ///< the others are a direction, which meets one of six square faces
    std::optional<unsigned> gathers; ///< tld4: this component of the four texels that a filter would mix
    bool integerCoordinates = false; ///< .s32: texels by number
    std::int64_t offset = 0;
};

/// What Inst::imm points at for accesses to surface objects.
struct SurfaceAccess {
    enum class Boundary : std::uint8_t { Trap, Clamp, Zero } boundary = Boundary::Trap;
    unsigned dimensions = 1;
    bool layered = false;  ///< the first coordinate is a layer, or a face of one
    unsigned elements = 1; ///< of the vector
    unsigned elementBytes = 4, registerBytes = 4;
    [[nodiscard]] unsigned bytes() const { return elements * elementBytes; }
};

} // namespace dormer::emulator::program
