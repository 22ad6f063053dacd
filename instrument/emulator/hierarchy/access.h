// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dormer::emulator {

/// One 128-byte line that a warp's request touches.
struct LineAccess {
    std::uint64_t line = 0;    ///< byte address / 128
    std::uint32_t sectors = 0; ///< bits 0…3: which of its 32-byte sectors
};

enum class AccessKind : std::uint8_t {
    Load,       ///< through L1
    LoadGlobal, ///< L1 bypassed: .cg, .cv, .volatile, .relaxed and stronger with a scope beyond the block
    Store,
    Atomic, ///< returns a value
    Reduce, ///< does not
};
enum class AccessSpace : std::uint8_t { Global, Local };

} // namespace dormer::emulator
