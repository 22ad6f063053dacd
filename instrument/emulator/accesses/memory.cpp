// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/memory.h"

#include "instrument/emulator/accesses/memory_tables.h"
#include "instrument/emulator/operations/operations.h"

namespace dormer::emulator::accesses {

namespace {
bool hasAvx512() {
    return operations::machineInstructionSet() == operations::InstructionSet::Avx512;
}
} // namespace

instructions::Handler findAccess(const AccessShape& shape) {
    const bool wide = hasAvx512();
    switch (shape.window) {
    case program::Window::Global:
        return wide ? v4::globalAccess(shape) : v3::globalAccess(shape);
    case program::Window::Shared:
        return wide ? v4::sharedAccess(shape) : v3::sharedAccess(shape);
    case program::Window::Generic:
        return wide ? v4::genericAccess(shape) : v3::genericAccess(shape);
    default:
        return wide ? v4::otherAccess(shape) : v3::otherAccess(shape);
    }
}

instructions::Handler findAtomic(AtomicOp op, AtomicType type) {
    return hasAvx512() ? v4::atomicOperation(op, type) : v3::atomicOperation(op, type);
}

instructions::Handler findAsyncCopy() {
    return hasAvx512() ? v4::asyncCopy() : v3::asyncCopy();
}

bool fetchLanes(const LaneFetch& fetch) {
    static const bool wide = hasAvx512(); // asked at each fetch
    return wide ? v4::textureLanes(fetch) : v3::textureLanes(fetch);
}

instructions::Handler findMatrixAccess(MatrixAccessKind kind) {
    return hasAvx512() ? v4::matrixAccess(kind) : v3::matrixAccess(kind);
}

} // namespace dormer::emulator::accesses
