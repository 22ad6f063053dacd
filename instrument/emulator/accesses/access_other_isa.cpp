// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/access_isa.h"
#include "instrument/emulator/accesses/memory_tables.h"

namespace dormer::emulator::accesses {
inline namespace DORMER_ISA {

instructions::Handler otherAccess(const AccessShape& shape) {
    switch (shape.window) {
    case program::Window::Local:
        return accessOf<program::Window::Local>(shape);
    case program::Window::Constant:
        return accessOf<program::Window::Constant>(shape);
    case program::Window::KernelParameter:
        return accessOf<program::Window::KernelParameter>(shape);
    default:
        return accessOf<program::Window::CallParameter>(shape);
    }
}

} // namespace DORMER_ISA
} // namespace dormer::emulator::accesses
