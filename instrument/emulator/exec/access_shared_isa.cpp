// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/exec/access_isa.h"
#include "instrument/emulator/exec/memory_tables.h"

namespace dormer::emulator {
inline namespace DORMER_ISA {

Handler sharedAccess(const AccessShape& shape) {
    return accessOf<Window::Shared>(shape);
}

} // namespace DORMER_ISA
} // namespace dormer::emulator
