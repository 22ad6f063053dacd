// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/memory.h"

#include "instrument/emulator/exec/memory_tables.h"
#include "instrument/emulator/exec/operations.h"

namespace dormer::emulator {

namespace {
bool hasAvx512() {
    return machineInstructionSet() == InstructionSet::Avx512;
}
} // namespace

Handler findAccess(const AccessShape& shape) {
    const bool wide = hasAvx512();
    switch (shape.window) {
    case Window::Global:
        return wide ? v4::globalAccess(shape) : v3::globalAccess(shape);
    case Window::Shared:
        return wide ? v4::sharedAccess(shape) : v3::sharedAccess(shape);
    case Window::Generic:
        return wide ? v4::genericAccess(shape) : v3::genericAccess(shape);
    default:
        return wide ? v4::otherAccess(shape) : v3::otherAccess(shape);
    }
}

Handler findAtomic(AtomicOp op, AtomicType type) {
    return hasAvx512() ? v4::atomicOperation(op, type) : v3::atomicOperation(op, type);
}

Handler findAsyncCopy() {
    return hasAvx512() ? v4::asyncCopy() : v3::asyncCopy();
}

} // namespace dormer::emulator
