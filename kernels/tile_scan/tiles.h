// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/device_buffer.h"
#include "kernels/harness/table.h"

namespace dormer::kernels {

/// How a thread gets its consecutive items out of global memory, and puts them back the same way.
enum class TileAccess { Direct, Vectorize, Transpose, WarpTranspose };
enum class TileModifier { Default, Ldg, Cg, Cs };
enum class TileScan { Raking, Memoize, WarpScans };

/// One point of the sweep.
struct TileTuning {
    int block = 0; ///< threads
    int items = 0; ///< a thread
    TileAccess access = TileAccess::Transpose;
    TileModifier modifier = TileModifier::Default;
    TileScan scan = TileScan::WarpScans;
};

/// What all points share: each scans the same tiles into the same array.
struct Tiles {
    explicit Tiles(const Setup& setup);
    DeviceBuffer<int> in, out;
};

/// "128x8_transpose_default_warp_scans"
[[nodiscard]] std::string nameOf(const TileTuning& tuning);

/// Sectors that one request of a warp touches, loading or storing.
[[nodiscard]] double tileSectors(const TileTuning& tuning);

/// The sweep's row for a point. `launch` runs its kernel.
[[nodiscard]] Row<Tiles> tileRow(const TileTuning& tuning, std::function<void(Tiles&)> launch);

// The points, by what they vary around the centre; one file each, which keeps their compilation short.
std::vector<Row<Tiles>> tileSizeRows();
std::vector<Row<Tiles>> tileAccessRows();
std::vector<Row<Tiles>> tileModifierRows();
std::vector<Row<Tiles>> tileScanRows();

} // namespace dormer::kernels
