// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/memory.h"

/// The functions that exist once per vector width.
namespace dormer::emulator {

#define DORMER_MEMORY_TABLE                                                                                  \
    Handler globalAccess(const AccessShape& shape);                                                          \
    Handler sharedAccess(const AccessShape& shape);                                                          \
    Handler genericAccess(const AccessShape& shape);                                                         \
    Handler otherAccess(const AccessShape& shape);                                                           \
    Handler atomicOperation(AtomicOp op, AtomicType type);                                                   \
    Handler asyncCopy();

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

} // namespace dormer::emulator
