// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/accesses/memory.h"
#include "instrument/emulator/accesses/texture_lanes.h"

/// The functions that exist once per vector width.
namespace dormer::emulator::accesses {

#define DORMER_MEMORY_TABLE                                                                                  \
    instructions::Handler globalAccess(const AccessShape& shape);                                            \
    instructions::Handler sharedAccess(const AccessShape& shape);                                            \
    instructions::Handler genericAccess(const AccessShape& shape);                                           \
    instructions::Handler otherAccess(const AccessShape& shape);                                             \
    instructions::Handler atomicOperation(AtomicOp op, AtomicType type);                                     \
    instructions::Handler asyncCopy();                                                                       \
    instructions::Handler matrixAccess(MatrixAccessKind kind);                                               \
    bool textureLanes(const LaneFetch& fetch);

#ifdef DORMER_ISA
inline namespace DORMER_ISA {
DORMER_MEMORY_TABLE
}
#else
namespace v3 {
DORMER_MEMORY_TABLE
}
namespace v4 {
DORMER_MEMORY_TABLE
}
#endif
#undef DORMER_MEMORY_TABLE

} // namespace dormer::emulator::accesses
