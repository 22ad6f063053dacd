// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dormer::emulator::runtime::api {

/// Memory was freed; takes it off what its pool has in use, if it came from one. The caller holds the
/// runtime's lock.
void leavesPool(std::uint64_t address);

} // namespace dormer::emulator::runtime::api
