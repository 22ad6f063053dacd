// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "instrument/emulator/program/program.h"

#include <span>

/// Fills the tables of values that instructions read and none writes.
namespace dormer::emulator::exec {

struct LaunchValues {
    session::Dim3 grid, block;
    std::uint32_t smCount = 1;
    std::uint64_t gridId = 0;
    std::uint64_t dynamicSharedBytes = 0, totalSharedBytes = 0;
    std::span<const std::byte> parameters;
    std::uint64_t gridWorkspace = 0; ///< address
    session::Dim3 cluster;           ///< in blocks
    bool explicitCluster = false;    ///< the launch or the kernel names a cluster size
};
/// Where a block is.
struct BlockPlace {
    session::Dim3 block;     ///< in the grid
    session::Dim3 cluster;   ///< its cluster's, in the grid of clusters
    session::Dim3 inCluster; ///< in it
    std::uint32_t rank = 0;
    std::uint32_t sm = 0;
};
/// Immediates, kernel parameters and what all blocks of a launch share. `out` has table.bytes.
void fillConstants(const program::ValueTable& table, const LaunchValues& launch, std::byte* out);
void fillBlockValues(const program::ValueTable& table, const BlockPlace& place, std::byte* out);
/// `warp` counts within the block.
void fillWarpValues(const program::ValueTable& table, session::Dim3 blockShape, std::uint32_t warp,
                    std::byte* out);

} // namespace dormer::emulator::exec
