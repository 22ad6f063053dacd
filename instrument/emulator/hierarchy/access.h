// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/access_pattern.h"

#include <cstdint>

namespace dormer::emulator::hierarchy {

using access::LineAccess;

/// Lines `begin` to `end`, exclusive.
struct LineRange {
    std::uint64_t begin = 0, end = 0;
};

enum class AccessKind : std::uint8_t {
    Load,       ///< through L1
    LoadGlobal, ///< L1 bypassed: .cg, .cv, .volatile, .relaxed and stronger with a scope beyond the block
    Store,
    Atomic,   ///< returns a value
    Reduce,   ///< does not
    BulkLoad, ///< a bulk copy's: neither through L1 nor counted there
    BulkStore,
};

} // namespace dormer::emulator::hierarchy
