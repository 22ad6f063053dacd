// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What was measured on an H200 (docs/ceilings.md) against formulas, and against what was recorded on one.

#include "analysis/device/architecture.h"
#include "analysis/diagnosis/diagnosis.h"
#include "analysis/store/session_file.h"
#include "analysis/verdict/measured.h"
#include "instrument/ceilings/measured_roofs.h"

#include "tests/support/catch.h"
#include "tests/support/recorded_h200.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace dormer;
using namespace dormer::tests;
using instrument::ceilings::MeasuredRoof;
using instrument::ceilings::MeasuredRoofs;

namespace {

MeasuredRoofs h200Roofs() {
    std::ifstream file(DORMER_TEST_DATA "/h200-roofs.json");
    const auto roofs =
        instrument::ceilings::parseRoofs(std::string{std::istreambuf_iterator<char>{file}, {}});
    REQUIRE(roofs);
    return *roofs;
}

} // namespace

TEST_CASE("No measured roof lies above physics, and each reaches what it must") {
    const session::Device device = h200();
    const MeasuredRoofs roofs = h200Roofs();
    const device::Architecture& architecture = *device::architectureOf(device);
    const double dram = 2 * device.memoryClockMaxHz * device.memoryBusBits / 8;
    const auto rate = [&](std::string_view resource) {
        const MeasuredRoof* roof = roofs.find(resource);
        REQUIRE(roof != nullptr);
        REQUIRE(roof->perSecond);
        return *roof->perSecond;
    };
    for (const char* part : {"dram", "dram_read", "dram_write", "dram_copy", "dram_triad", "dram_memcpy"})
        CHECK(rate(part) < dram);
    CHECK(rate("dram_copy") > 0.92 * rate("dram_memcpy"));
    CHECK(rate("dram") > 0.92 * dram);

    struct Bound {
        std::string_view resource;
        double perClockAndSm, atLeast; ///< work at the clock seen, and the share of it
    };
    const auto tensor = [&](device::TensorFormat format) {
        return 2 * architecture.tensor.perClock[static_cast<std::size_t>(format)];
    };
    using device::TensorFormat;
    for (const Bound& bound :
         {Bound{"l1", architecture.l1Bytes, 0.95}, Bound{"shared", architecture.sharedBytes, 0.95},
          Bound{"fp32", 2 * architecture.fp32, 0.97}, Bound{"fp64", 2 * architecture.fp64, 0.97},
          Bound{"integer", architecture.int32Add, 0.95}, Bound{"special", 16, 0.95},
          Bound{"tensor_fp16", tensor(TensorFormat::Fp16), 0.9},
          Bound{"tensor_bf16", tensor(TensorFormat::Bf16), 0.9},
          Bound{"tensor_tf32", tensor(TensorFormat::Tf32), 0.9},
          Bound{"tensor_fp64", tensor(TensorFormat::Fp64), 0.9},
          Bound{"tensor_fp8", tensor(TensorFormat::Fp8), 0.9},
          Bound{"tensor_int8", tensor(TensorFormat::Int8), 0.9}}) {
        CAPTURE(bound.resource);
        const MeasuredRoof* roof = roofs.find(bound.resource);
        REQUIRE(roof != nullptr);
        REQUIRE(roof->clockHz);
        CHECK(*roof->clockHz <= 1.001 * device.smClockMaxHz);
        const double most = bound.perClockAndSm * device.smCount * *roof->clockHz;
        CHECK(rate(bound.resource) <= 1.005 * most); // the two clocks are read a moment apart
        CHECK(rate(bound.resource) >= bound.atLeast * most);
    }
    CHECK(rate("tensor_fp16") >= 650e12);
    CHECK(rate("tensor_fp8") >= 1200e12);
    // An SM takes in 64 bytes per clock from L2.
    CHECK(rate("l2") <= 64 * device.smCount * device.smClockMaxHz);
    for (const MeasuredRoof& roof : roofs.roofs)
        if (!roof.ofHost) CHECK(roof.spread < 0.05);
}

TEST_CASE("No recorded launch lies above a measured roof by more than 3 % unflagged") {
    std::size_t held = 0;
    const auto check = [&](session::Session session) {
        const bool hasRoofs = !session.measuredCeilings().empty();
        // Recordings without roofs of an H200 are held against those measured on one.
        if (!hasRoofs)
            for (const session::Device& device : session.devices())
                if (device.name == "NVIDIA H200")
                    for (const auto& ceiling : instrument::ceilings::recordsOf(h200Roofs(), device.id))
                        session.apply(ceiling);
        const diagnosis::Diagnosis diagnosis(session);
        for (std::size_t i = 0; i < session.launches().size(); ++i) {
            const auto launch = static_cast<session::LaunchIndex>(i);
            const verdict::MeasuredShares shares = verdict::measuredShares(diagnosis.metrics(), launch);
            for (int each = 0; each < device::kResourceCount; ++each) {
                const auto resource = static_cast<device::Resource>(each);
                const auto& share = shares[static_cast<std::size_t>(each)];
                if (!share) continue;
                ++held;
                const double most = 1.03 * device::upperBoundFactor(
                                               device::architectureOf(*session.deviceOf(launch)), resource);
                if (*share <= most) continue;
                CAPTURE(i, device::toString(resource), *share);
                const auto found = diagnosis.findings(launch);
                CHECK(std::ranges::any_of(found, [](const findings::Finding& finding) {
                    return finding.code == "inconsistent-numbers";
                }));
            }
        }
    };
    check(recordedSession());
    for (const auto& entry : std::filesystem::directory_iterator(DORMER_SOURCE_DIR "/samples")) {
        if (entry.path().extension() != ".dormer") continue;
        CAPTURE(entry.path().filename().string());
        auto session = store::loadSession(entry.path());
        REQUIRE(session);
        check(std::move(*session));
    }
    CHECK(held > 100);
}
