// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/chip.h"

#include "analysis/device/architecture.h"
#include "analysis/device/occupancy.h"
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"

#include <map>

using namespace dormer::device;

using namespace dormer::session;

using namespace dormer::store;

TEST_CASE("Chips are found by name, whatever its case and blanks") {
    for (const char* name :
         {"V100", "t4", "a100", "A100-80", "rtx3090", "RTX 4090", "rtx_4090", "h100", "H200"}) {
        CAPTURE(name);
        CHECK(findChip(name) != nullptr);
    }
    CHECK(findChip("RTX 4090")->key == "RTX4090");
    CHECK(findChip(kDefaultChip)->device.name == "NVIDIA H100 80GB HBM3 (emulated)");
    CHECK(findChip("H10") == nullptr);
    CHECK(findChip("") == nullptr);
}

TEST_CASE("The emulated H100 has the attributes a real one reported") {
    const auto session = loadSession(DORMER_SOURCE_DIR "/samples/h100-basics.dormer");
    REQUIRE(session);
    REQUIRE(session->devices().size() == 1);
    const Device& real = session->devices().front();
    const Device& emulated = findChip("H100")->device;
    CHECK(emulated.chip == real.chip);
    CHECK(emulated.computeCapabilityMajor == real.computeCapabilityMajor);
    CHECK(emulated.computeCapabilityMinor == real.computeCapabilityMinor);
    CHECK(emulated.smCount == real.smCount);
    CHECK(emulated.smClockMaxHz == real.smClockMaxHz);
    CHECK(emulated.memoryClockMaxHz == real.memoryClockMaxHz);
    CHECK(emulated.memoryBusBits == real.memoryBusBits);
    CHECK(emulated.memoryBytes == real.memoryBytes);
    CHECK(emulated.l2Bytes == real.l2Bytes);
    CHECK(emulated.sharedBytesPerSm == real.sharedBytesPerSm);
    CHECK(emulated.sharedBytesPerBlockOptin == real.sharedBytesPerBlockOptin);
    CHECK(emulated.reservedSharedBytesPerBlock == real.reservedSharedBytesPerBlock);
    CHECK(emulated.registersPerSm == real.registersPerSm);
    CHECK(emulated.maxThreadsPerSm == real.maxThreadsPerSm);
    CHECK(emulated.maxBlocksPerSm == real.maxBlocksPerSm);
    CHECK(emulated.name == real.name + " (emulated)");
}

TEST_CASE("Peaks of the chips are the published ones") {
    struct Peak {
        const char* key;
        double fp32Tera, fp64Tera, dramGiga; // NVIDIA's datasheets
    };
    constexpr Peak kPeaks[] = {{"V100", 15.7, 7.8, 898},      {"T4", 8.1, 0.254, 320},
                               {"A100", 19.5, 9.7, 1555},     {"A100-80", 19.5, 9.7, 2039},
                               {"RTX3090", 35.6, 0.556, 936}, {"RTX4090", 82.6, 1.29, 1008},
                               {"H100", 66.9, 33.5, 3352},    {"H200", 66.9, 33.5, 4815}};
    for (const Peak& peak : kPeaks) {
        CAPTURE(peak.key);
        const Device& device = findChip(peak.key)->device;
        const Architecture* architecture = architectureOf(device);
        REQUIRE(architecture != nullptr);
        const Clocks clocks = maximumClocks(device);
        CHECK(peakPerSecond(device, architecture, Resource::Fp32, clocks) / 1e12 ==
              Approx(peak.fp32Tera).epsilon(0.01));
        CHECK(peakPerSecond(device, architecture, Resource::Fp64, clocks) / 1e12 ==
              Approx(peak.fp64Tera).epsilon(0.01));
        CHECK(peakPerSecond(device, architecture, Resource::Dram, clocks) / 1e9 ==
              Approx(peak.dramGiga).epsilon(0.01));
    }
}

TEST_CASE("Resident blocks on each chip are those of cuda_occupancy.h") {
    // Output of the header, CUDA 13.0, compiled: threads, registers, static, dynamic bytes.
    struct Vector {
        std::uint32_t threads, registers;
        std::uint64_t staticShared, dynamicShared;
        std::map<std::string, std::uint32_t> blocks;
    };
    const Vector vectors[] = {
        {256, 32, 0, 0, {{"V100", 8}, {"T4", 4}, {"A100", 8}, {"RTX3090", 6}, {"RTX4090", 6}, {"H100", 8}}},
        {256,
         64,
         16384,
         0,
         {{"V100", 4}, {"T4", 4}, {"A100", 4}, {"RTX3090", 4}, {"RTX4090", 4}, {"H200", 4}}},
        {96,
         40,
         0,
         0,
         {{"V100", 16}, {"T4", 10}, {"A100", 16}, {"RTX3090", 16}, {"RTX4090", 16}, {"H100", 16}}},
        {1024, 65, 0, 0, {{"V100", 0}, {"T4", 0}, {"A100", 0}, {"RTX3090", 0}, {"RTX4090", 0}, {"H100", 0}}},
        {32,
         16,
         0,
         0,
         {{"V100", 32}, {"T4", 16}, {"A100", 32}, {"RTX3090", 16}, {"RTX4090", 24}, {"H100", 32}}},
        {288,
         56,
         5000,
         0,
         {{"V100", 4}, {"T4", 3}, {"A100-80", 4}, {"RTX3090", 4}, {"RTX4090", 4}, {"H100", 4}}},
        {256,
         40,
         0,
         65536,
         {{"V100", 1}, {"T4", 1}, {"A100", 2}, {"RTX3090", 1}, {"RTX4090", 1}, {"H200", 3}}},
    };
    for (const Vector& vector : vectors) {
        for (const auto& [key, blocks] : vector.blocks) {
            CAPTURE(key, vector.threads, vector.registers, vector.dynamicShared);
            Kernel kernel;
            kernel.registersPerThread = vector.registers;
            kernel.staticSharedBytes = vector.staticShared;
            const auto result = theoreticalOccupancy(findChip(key)->device, kernel, {vector.threads, 1, 1},
                                                     vector.dynamicShared);
            REQUIRE(result);
            CHECK(result->blocksPerSm == blocks);
        }
    }
}

TEST_CASE("L1 is what the carve-out leaves") {
    const Chip& h100 = *findChip("H100");
    CHECK(carveoutBytes(h100, 0) == 0);
    CHECK(l1Bytes(h100, 0) == 256 * 1024);
    CHECK(carveoutBytes(h100, 1) == 8 * 1024);
    CHECK(carveoutBytes(h100, 8 * (4096 + 1024)) == 64 * 1024);
    CHECK(l1Bytes(h100, 227 * 1024) == 28 * 1024);
    CHECK(carveoutBytes(*findChip("T4"), 0) == 32 * 1024);
    for (const Chip& chip : chips()) {
        CAPTURE(chip.key);
        CHECK(carveoutBytes(chip, chip.device.sharedBytesPerSm) == chip.device.sharedBytesPerSm);
        CHECK(chip.device.maxThreadsPerSm == 32 * chip.maxWarpsPerSm);
        CHECK_FALSE(chip.sources.empty());
        for (const double figure : {chip.l1HitCycles, chip.sharedCycles, chip.l2HitCycles, chip.dramCycles,
                                    chip.l2BytesPerClock, chip.l2TagsPerClock, chip.dramEfficiency})
            CHECK(figure > 0);
    }
}
