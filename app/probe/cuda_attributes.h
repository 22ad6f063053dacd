// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dormer::probe {

/// CUdevice_attribute values of cuda.h, which never change; written out so that the probe builds without the
/// toolkit. A test compares them with the header where there is one.
enum Attribute : int {
    kWarpSize = 10,
    kClockRateKhz = 13,
    kMultiprocessorCount = 16,
    kMemoryClockRateKhz = 36,
    kMemoryBusWidth = 37,
    kL2CacheSize = 38,
    kMaxThreadsPerSm = 39,
    kComputeCapabilityMajor = 75,
    kComputeCapabilityMinor = 76,
    kMaxSharedPerSm = 81,
    kMaxRegistersPerSm = 82,
    kMaxSharedPerBlockOptin = 97,
    kMaxBlocksPerSm = 106,
    kReservedSharedPerBlock = 111
};

} // namespace dormer::probe
