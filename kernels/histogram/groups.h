// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

#include <vector>

/// The methods of counting, a file each; a method's groups differ in their input.
namespace dormer::kernels::histogram {

// Contended methods and what they are compared with: half the size, because they are so much slower.
std::vector<Group> globalGroups();    ///< racy, global_atomics, system_scope
std::vector<Group> cubDeviceGroups(); ///< cub_device

std::vector<Group> privateGlobalGroups();  ///< block_private_global
std::vector<Group> sharedGroups();         ///< shared, shared_replicated
std::vector<Group> runLengthGroups();      ///< run_length
std::vector<Group> cubBlockSortGroups();   ///< cub_block_sort
std::vector<Group> cubBlockAtomicGroups(); ///< cub_block_atomic

inline constexpr Sizes kContendedSizes{std::size_t{1} << 24, std::size_t{1} << 19};
inline constexpr Sizes kPrivateSizes{std::size_t{1} << 25, std::size_t{1} << 19};

} // namespace dormer::kernels::histogram
