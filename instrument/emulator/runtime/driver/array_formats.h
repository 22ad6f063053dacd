// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda.h>
#include <driver_types.h>

/// The driver's structures about arrays and pitched memory as the runtime's interface has them.
namespace dormer::emulator::runtime::driver {

/// Bits and kind of an element; all zero for a format that the emulator lacks.
[[nodiscard]] cudaChannelFormatDesc channelsOf(CUarray_format format, unsigned channels);
[[nodiscard]] CUarray_format formatOf(const cudaChannelFormatDesc& channels);
/// The caller holds the runtime's lock: positions in arrays count elements there and bytes here.
[[nodiscard]] cudaMemcpy3DParms parametersOf(const CUDA_MEMCPY3D& copy);

} // namespace dormer::emulator::runtime::driver
