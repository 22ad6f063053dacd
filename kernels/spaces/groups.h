// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"

#include <string>
#include <vector>

/// The memory spaces besides plain global and shared memory, a file each.
namespace dormer::kernels::spaces {

Group constantGroup();     ///< constant_broadcast, constant_divergent, table_global
Group textureGroup();      ///< texture_2d, global_2d
Group localGroup();        ///< local_array, register_array
Group spillingGroup();     ///< local_spill, registers
Group staticGlobalGroup(); ///< static_global

inline constexpr unsigned kBlock = 256;

inline Expectation noLocalMemory() {
    return exactly("local_sectors", 0, "nothing is indexed dynamically, and the registers suffice");
}

inline std::vector<std::string> parameters(std::size_t size) {
    return {"size=" + std::to_string(size), "block=" + std::to_string(kBlock)};
}

} // namespace dormer::kernels::spaces
