// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/access_isa.h"
#include "instrument/emulator/exec/memory_tables.h"

namespace dormer::emulator {
inline namespace DORMER_ISA {

Handler otherAccess(const AccessShape& shape) {
    switch (shape.window) {
    case Window::Local:
        return accessOf<Window::Local>(shape);
    case Window::Constant:
        return accessOf<Window::Constant>(shape);
    case Window::KernelParameter:
        return accessOf<Window::KernelParameter>(shape);
    default:
        return accessOf<Window::CallParameter>(shape);
    }
}

} // namespace DORMER_ISA
} // namespace dormer::emulator
