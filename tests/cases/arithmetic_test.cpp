// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Questions that need no kernel: lanes of a recorded access, occupancy that the device does not keep, and
// conflict counters with noise in them.

#include "analysis/access/access_pattern.h"
#include "analysis/device/occupancy.h"
#include "analysis/diagnosis/diagnosis.h"
#include "analysis/findings/finding.h"
#include "tests/support/catch.h"
#include "tests/support/recorded_h200.h"

#include <algorithm>
#include <array>

using namespace dormer::access;

using namespace dormer::device;

using namespace dormer::findings;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::verdict;
using namespace dormer::tests;

namespace {

const Finding* find(const std::vector<Finding>& all, std::string_view code) {
    const auto found = std::ranges::find(all, code, &Finding::code);
    return found == all.end() ? nullptr : &*found;
}

std::vector<Finding> findingsOf(const Session& session) {
    return dormer::diagnosis::Diagnosis(session).findings(LaunchIndex{0});
}

} // namespace

TEST_CASE("Lanes that are off touch nothing, whatever address was recorded for them") {
    std::array<std::uint64_t, kWarpLanes> addresses{};
    for (unsigned lane = 0; lane < 16; ++lane)
        addresses[lane] = 0x7f0000000860 + std::uint64_t{4} * lane; // 64 bytes, across a line's end
    std::array<LineAccess, kMaxLines> lines;
    const Coalesced half = coalesce(addresses.data(), 0xFFFF, 4, lines.data());
    CHECK(half.sectors == 2);
    CHECK(half.lines == 2);
    const Coalesced withZeros = coalesce(addresses.data(), 0xFFFF'FFFF, 4, lines.data());
    CHECK(withZeros.sectors == 3); // what counting the zeros would give
    CHECK(withZeros.lines == 3);
    const Coalesced none = coalesce(addresses.data(), 0, 4, lines.data());
    CHECK((none.sectors == 0 && none.lines == 0)); // no request
}

TEST_CASE("Lines of a warp are counted once, however many lanes share them") {
    std::array<std::uint64_t, kWarpLanes> addresses{};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        addresses[lane] = (lane < 20 ? 0x1000 : 0x2000) + std::uint64_t{4} * lane;
    std::array<LineAccess, kMaxLines> lines;
    CHECK(coalesce(addresses.data(), 0xFFFF'FFFF, 4, lines.data()).lines == 2); // 20 lanes and 12
}

TEST_CASE("Blocks an SM could hold and warps it held are two numbers, and the gap is said") {
    Device device = h200();
    device.computeCapabilityMajor = 12;
    device.computeCapabilityMinor = 0;
    device.maxThreadsPerSm = 1536;
    device.maxBlocksPerSm = 24;
    device.sharedBytesPerSm = 100 << 10;
    device.sharedBytesPerBlockOptin = 99 << 10;
    device.reservedSharedBytesPerBlock = 1024;
    Kernel kernel;
    kernel.registersPerThread = 79;
    kernel.staticSharedBytes = 1160;
    Launch launch;
    launch.grid = {100'000, 1, 1};
    launch.block = {32, 1, 1};
    launch.durationNs = 1e6;
    // 24 blocks by the rules; one block of one warp was resident of 48 possible.
    const Session session =
        oneLaunch(device, launch, {{"sm__warps_active.avg.pct_of_peak_sustained_active", 100. / 48}}, kernel);
    const MetricEvaluator metrics(session);
    CHECK(metrics.value(LaunchIndex{0}, "blocks_per_sm") == 24);
    CHECK(metrics.value(LaunchIndex{0}, "theoretical_occupancy") == 0.5);
    CHECK(metrics.value(LaunchIndex{0}, "achieved_occupancy").value() == Approx(1. / 48));
    const auto all = findingsOf(session);
    REQUIRE(find(all, "occupancy-gap") != nullptr);
    CHECK(find(all, "occupancy-gap")->evidence.find("2.1 %") != std::string::npos);
    CHECK(find(all, "occupancy-gap")->evidence.find("50 %") != std::string::npos);
}

TEST_CASE("Register counts that round to one unit give one answer") {
    Device a100 = h200();
    a100.computeCapabilityMajor = 8;
    const auto blocks = [&](std::uint32_t threads, std::uint32_t registers) {
        Kernel kernel;
        kernel.registersPerThread = registers;
        return theoreticalOccupancy(a100, kernel, {threads, 1, 1}, 0).value().blocksPerSm;
    };
    CHECK(blocks(224, 92) == 2); // 65536 / (96 * 224) is 3: warps go by quarters of an SM
    CHECK(blocks(224, 48) == 5);
    CHECK(blocks(224, 41) == 5);
    CHECK(blocks(224, 43) == 5);
    CHECK(blocks(256, 162) == 1);
    CHECK(blocks(128, 85) == 5);
    CHECK(blocks(256, 38) == 6);
}

TEST_CASE("A third of a wavefront per request too many is noise of the hardware and no conflict") {
    Launch launch;
    launch.grid = {256, 1, 1};
    launch.block = {1024, 1, 1};
    launch.durationNs = 1e5;
    launch.blocksPerSm = 2;
    // What hardware counted for the padded tile of 512 x 512 floats: 8192 requests and 2,484 "conflicts".
    const auto all =
        findingsOf(oneLaunch(h200(), launch,
                             {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 8192 + 2484},
                              {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 8192},
                              {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 2484},
                              {"smsp__sass_inst_executed_op_shared_ld.sum", 8192},
                              {"smsp__sass_inst_executed_op_shared_st.sum", 8192}}));
    CHECK(find(all, "shared-bank-conflicts") == nullptr);
}
