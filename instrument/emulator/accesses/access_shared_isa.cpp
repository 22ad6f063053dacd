// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/access_isa.h"
#include "instrument/emulator/accesses/memory_tables.h"

namespace dormer::emulator::accesses {
inline namespace DORMER_ISA {

instructions::Handler sharedAccess(const AccessShape& shape) {
    return accessOf<program::Window::Shared>(shape);
}

} // namespace DORMER_ISA
} // namespace dormer::emulator::accesses
