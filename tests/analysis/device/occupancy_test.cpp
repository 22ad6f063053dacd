// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/occupancy.h"

#include "tests/support/catch.h"

#include <array>

using namespace dormer::device;

using namespace dormer::session;

namespace {

/// Limits of an architecture by NVIDIA's programming guide and cuda_occupancy.h.
Device deviceOf(int major, int minor) {
    struct Limits {
        int major, minor;
        std::uint32_t threads, blocks;
        std::uint64_t sharedKb, optinKb, reserved;
    };
    static constexpr Limits kLimits[] = {
        {7, 0, 2048, 32, 96, 96, 0},       {7, 5, 1024, 16, 64, 64, 0},      {8, 0, 2048, 32, 164, 163, 1024},
        {8, 6, 1536, 16, 100, 99, 1024},   {8, 9, 1536, 24, 100, 99, 1024},  {9, 0, 2048, 32, 228, 227, 1024},
        {10, 0, 2048, 32, 228, 227, 1024}, {12, 0, 1536, 24, 100, 99, 1024},
    };
    for (const Limits& limits : kLimits) {
        if (limits.major != major || limits.minor != minor) continue;
        Device device;
        device.computeCapabilityMajor = major;
        device.computeCapabilityMinor = minor;
        device.maxThreadsPerSm = limits.threads;
        device.maxBlocksPerSm = limits.blocks;
        device.sharedBytesPerSm = limits.sharedKb * 1024;
        device.sharedBytesPerBlockOptin = limits.optinKb * 1024;
        device.reservedSharedBytesPerBlock = limits.reserved;
        device.registersPerSm = 65536;
        return device;
    }
    FAIL("no such architecture");
    return {};
}

Occupancy occupancy(const Device& device, std::uint32_t threads, std::uint32_t registers,
                    std::uint64_t staticShared = 0, std::uint64_t dynamicShared = 0) {
    Kernel kernel;
    kernel.registersPerThread = registers;
    kernel.staticSharedBytes = staticShared;
    const auto result = theoreticalOccupancy(device, kernel, {threads, 1, 1}, dynamicShared);
    REQUIRE(result);
    return *result;
}

} // namespace

TEST_CASE("Blocks per SM are those of cuda_occupancy.h, CUDA 13.0") {
    // Output of the header, compiled: threads, registers, static, dynamic bytes; default carve-out.
    struct Vector {
        std::uint32_t threads, registers;
        std::uint64_t staticShared, dynamicShared;
        std::array<std::uint32_t, 8> blocks; // 7.0, 7.5, 8.0, 8.6, 8.9, 9.0, 10.0, 12.0
    };
    static constexpr Vector kVectors[] = {
        {256, 32, 0, 0, {8, 4, 8, 6, 6, 8, 8, 6}},        {256, 64, 16384, 0, {4, 4, 4, 4, 4, 4, 4, 4}},
        {128, 255, 0, 0, {2, 2, 2, 2, 2, 2, 2, 2}},       {96, 40, 0, 0, {16, 10, 16, 16, 16, 16, 16, 16}},
        {1024, 64, 0, 0, {1, 1, 1, 1, 1, 1, 1, 1}},       {1024, 65, 0, 0, {0, 0, 0, 0, 0, 0, 0, 0}},
        {32, 16, 0, 0, {32, 16, 32, 16, 24, 32, 32, 24}}, {256, 128, 0, 49152, {2, 1, 2, 2, 2, 2, 2, 2}},
        {288, 56, 5000, 0, {4, 3, 4, 4, 4, 4, 4, 4}},     {256, 40, 0, 65536, {1, 1, 2, 1, 1, 3, 3, 1}},
    };
    static constexpr std::pair<int, int> kCapabilities[] = {{7, 0}, {7, 5}, {8, 0},  {8, 6},
                                                            {8, 9}, {9, 0}, {10, 0}, {12, 0}};
    for (const Vector& vector : kVectors) {
        for (std::size_t i = 0; i < vector.blocks.size(); ++i) {
            const auto [major, minor] = kCapabilities[i];
            INFO(vector.threads << " threads, " << vector.registers << " registers, " << major << '.'
                                << minor);
            CHECK(occupancy(deviceOf(major, minor), vector.threads, vector.registers, vector.staticShared,
                            vector.dynamicShared)
                      .blocksPerSm == vector.blocks[i]);
        }
    }
}

TEST_CASE("Registers are allocated in units that simple calculators forget") {
    const Device a100 = deviceOf(8, 0);
    const Occupancy first = occupancy(a100, 224, 92);
    CHECK(first.blocksPerSm == 2); // 65536 / (96 x 224) would be 3
    CHECK(first.warpsPerSm == 14);
    CHECK(first.theoretical == Approx(0.219).margin(0.0005));
    CHECK(first.limiter == OccupancyLimiter::Registers);
    CHECK(occupancy(deviceOf(8, 6), 224, 92).theoretical == Approx(0.292).margin(0.0005));

    CHECK(occupancy(a100, 224, 48).blocksPerSm == 5); // naively 6
    CHECK(occupancy(a100, 224, 48).theoretical == Approx(0.547).margin(0.0005));
    const Occupancy turing = occupancy(deviceOf(7, 5), 224, 48);
    CHECK(turing.blocksPerSm == 4);
    CHECK(turing.limiter == OccupancyLimiter::Warps);

    CHECK(occupancy(a100, 256, 41).blocksPerSm == occupancy(a100, 256, 43).blocksPerSm);
    CHECK(occupancy(a100, 256, 162).blocksPerSm == 1);
    CHECK(occupancy(a100, 128, 85).blocksPerSm == 5);
    CHECK(occupancy(a100, 128, 85).theoretical == Approx(0.312).margin(0.0005));
    CHECK(occupancy(a100, 256, 38).blocksPerSm == 6);
    CHECK(occupancy(a100, 256, 38).theoretical == 0.75);

    const Occupancy blackwell = occupancy(deviceOf(12, 0), 32, 79, 1160);
    CHECK(blackwell.blocksPerSm == 24);
    CHECK(blackwell.theoretical == 0.5);
    // Registers and block slots both allow 24; the one that can be changed is named.
    CHECK(blackwell.limiter == OccupancyLimiter::Registers);
}

TEST_CASE("The limiter has a name, and what can't run says so") {
    const Device h100 = deviceOf(9, 0);
    CHECK(occupancy(h100, 256, 32, 40000).limiter == OccupancyLimiter::SharedMemory);
    CHECK(occupancy(h100, 32, 16).limiter == OccupancyLimiter::Blocks);
    CHECK(occupancy(h100, 1024, 65).limiter == OccupancyLimiter::TooLarge);
    CHECK(occupancy(h100, 32, 256).limiter == OccupancyLimiter::TooLarge);
    CHECK(occupancy(h100, 2048, 16).blocksPerSm == 0);
    CHECK(occupancy(h100, 256, 32, 0, 232449).limiter == OccupancyLimiter::TooLarge);
    CHECK(toString(OccupancyLimiter::Registers) == "registers");
}

TEST_CASE("Without the device's limits there is no answer") {
    CHECK_FALSE(theoreticalOccupancy(Device{}, Kernel{}, {256, 1, 1}, 0));
    CHECK_FALSE(theoreticalOccupancy(deviceOf(9, 0), Kernel{}, {0, 1, 1}, 0));
}
