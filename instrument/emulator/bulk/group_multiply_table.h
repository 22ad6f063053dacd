// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/bulk/group_multiply.h"

/// The functions that exist once per vector width.
namespace dormer::emulator::bulk {

#ifdef DORMER_ISA
inline namespace DORMER_ISA {
instructions::Handler groupMultiplyHandler(const GroupShape& shape);
}
#else
namespace v3 {
instructions::Handler groupMultiplyHandler(const GroupShape& shape);
}
namespace v4 {
instructions::Handler groupMultiplyHandler(const GroupShape& shape);
}
#endif

} // namespace dormer::emulator::bulk
