// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/ceiling.h"

#include "analysis/device/measured.h"

#include "tests/support/catch.h"
#include "tests/support/recorded_h200.h"

#include <algorithm>

using namespace dormer::device;

using namespace dormer::session;

using namespace dormer::store;
using namespace dormer::tests;

namespace {

std::optional<double> peak(const std::vector<Ceiling>& all, Resource resource) {
    const auto found = std::ranges::find(all, resource, &Ceiling::resource);
    return found == all.end() ? std::nullopt : std::optional(found->perSecond);
}

struct Chip {
    int major, minor, sms;
    double smGhz;
    double fp32, fp64; // published TFLOP/s
};

Device deviceOf(const Chip& chip) {
    Device device;
    device.computeCapabilityMajor = chip.major;
    device.computeCapabilityMinor = chip.minor;
    device.smCount = chip.sms;
    device.smClockMaxHz = chip.smGhz * 1e9;
    return device;
}

} // namespace

TEST_CASE("Arithmetic peaks are the published ones") {
    // At the clock of the published figure: data sheets and whitepapers of V100 SXM2, T4, A100, RTX 3090,
    // RTX 3090 Ti, RTX 4090, H100 SXM, H100 PCIe, B200, RTX 5090.
    static constexpr Chip kChips[] = {
        {7, 0, 80, 1.530, 15.7, 7.8},     {7, 5, 40, 1.590, 8.1, 0.254},  {8, 0, 108, 1.410, 19.5, 9.7},
        {8, 6, 82, 1.695, 35.6, 0.556},   {8, 6, 84, 1.860, 40.0, 0.625}, {8, 9, 128, 2.520, 82.6, 1.29},
        {9, 0, 132, 1.980, 66.9, 33.5},   {9, 0, 114, 1.755, 51.2, 25.6}, {10, 0, 148, 1.965, 74.4, 37.2},
        {12, 0, 170, 2.407, 104.8, 1.64},
    };
    for (const Chip& chip : kChips) {
        INFO(chip.major << '.' << chip.minor << " with " << chip.sms << " SMs");
        const auto all = theoreticalCeilings(deviceOf(chip));
        REQUIRE(peak(all, Resource::Fp32));
        CHECK(*peak(all, Resource::Fp32) / 1e12 == Approx(chip.fp32).epsilon(0.006));
        CHECK(*peak(all, Resource::Fp64) / 1e12 == Approx(chip.fp64).epsilon(0.006));
    }
}

TEST_CASE("Tensor peaks are the published dense ones") {
    struct Tensor {
        Chip chip;
        TensorFormat format;
        double peak; // published TFLOP/s or TOP/s, without sparsity
    };
    // Data sheets and whitepapers, FP32 sums; the maximum clock where it is not the one of the figure.
    static constexpr Tensor kPeaks[] = {
        {{7, 0, 80, 1.530, 0, 0}, TensorFormat::Fp16, 125.3},
        {{7, 5, 40, 1.590, 0, 0}, TensorFormat::Fp16, 65.1},
        {{7, 5, 40, 1.590, 0, 0}, TensorFormat::Int8, 130.3},
        {{8, 0, 108, 1.410, 0, 0}, TensorFormat::Bf16, 312},
        {{8, 0, 108, 1.410, 0, 0}, TensorFormat::Tf32, 156},
        {{8, 0, 108, 1.410, 0, 0}, TensorFormat::Fp64, 19.5},
        {{8, 0, 108, 1.410, 0, 0}, TensorFormat::Int8, 624},
        {{8, 6, 82, 1.695, 0, 0}, TensorFormat::Fp16, 71.2},
        {{8, 6, 82, 1.695, 0, 0}, TensorFormat::Int8, 284.7},
        {{8, 9, 128, 2.520, 0, 0}, TensorFormat::Fp16, 165.2},
        {{8, 9, 128, 2.520, 0, 0}, TensorFormat::Fp8, 660.6},
        {{9, 0, 132, 1.980, 0, 0}, TensorFormat::Fp16, 989.4},
        {{9, 0, 132, 1.980, 0, 0}, TensorFormat::Tf32, 494.7},
        {{9, 0, 132, 1.980, 0, 0}, TensorFormat::Fp64, 66.9},
        {{9, 0, 132, 1.980, 0, 0}, TensorFormat::Fp8, 1978.9},
        {{10, 0, 148, 1.965, 0, 0}, TensorFormat::Fp16, 2225},
        {{12, 0, 170, 2.407, 0, 0}, TensorFormat::Fp16, 209.5},
    };
    for (const Tensor& each : kPeaks) {
        INFO(each.chip.major << '.' << each.chip.minor << ' ' << title(each.format));
        const auto all = theoreticalCeilings(deviceOf(each.chip));
        const auto found = std::ranges::find_if(all, [&](const Ceiling& ceiling) {
            return ceiling.resource == Resource::Tensor && ceiling.format == each.format;
        });
        REQUIRE(found != all.end());
        CHECK(found->perSecond / 1e12 == Approx(each.peak).epsilon(0.006));
    }
    // Formats that a chip doesn't know have none: BF16 on Turing.
    const auto turing = theoreticalCeilings(deviceOf({7, 5, 40, 1.590, 0, 0}));
    CHECK(std::ranges::none_of(turing, [](const Ceiling& ceiling) {
        return ceiling.resource == Resource::Tensor && ceiling.format == TensorFormat::Bf16;
    }));
}

TEST_CASE("Ceilings of an H100 SXM") {
    const auto all = theoreticalCeilings(h100Sxm());
    CHECK(*peak(all, Resource::Dram) == Approx(3.352e12).epsilon(0.0005));
    CHECK(*peak(all, Resource::Fp64) / *peak(all, Resource::Dram) == Approx(9.98).epsilon(0.001));
    CHECK(*peak(all, Resource::L1) == Approx(33.454e12).epsilon(0.0005));
    CHECK(*peak(all, Resource::Shared) == Approx(33.454e12).epsilon(0.0005));
    CHECK(*peak(all, Resource::Fp16) == Approx(133.8e12).epsilon(0.0005));
    CHECK(*peak(all, Resource::Integer) == Approx(16.73e12).epsilon(0.0005));
    CHECK(*peak(all, Resource::IssueSlots) == Approx(4 * 132 * 1.98e9));
    CHECK_FALSE(peak(all, Resource::L2)); // nothing is published for this chip
    for (const Ceiling& ceiling : all) {
        CHECK_FALSE(ceiling.measured);
        CHECK(ceiling.source.find(ceiling.resource == Resource::Dram ? "5120" : "132 SM") !=
              std::string::npos);
    }
}

TEST_CASE("L2 of the two chips with a published figure") {
    Device v100 = deviceOf({7, 0, 80, 1.530, 0, 0});
    v100.l2Bytes = 6 << 20;
    CHECK(*peak(theoreticalCeilings(v100), Resource::L2) == Approx(3.13e12).epsilon(0.002));
    Device a100 = deviceOf({8, 0, 108, 1.410, 0, 0});
    a100.l2Bytes = 40 << 20;
    CHECK(*peak(theoreticalCeilings(a100), Resource::L2) == Approx(7.2e12).epsilon(0.005));
}

TEST_CASE("What is unknown is left out") {
    Device future = h100Sxm();
    future.computeCapabilityMajor = 99;
    const auto all = theoreticalCeilings(future);
    REQUIRE(all.size() == 1);
    CHECK(all.front().resource == Resource::Dram);
    CHECK(theoreticalCeilings(Device{}).empty());
    CHECK_FALSE(peak(theoreticalCeilings(deviceOf({10, 0, 148, 1.965, 0, 0})), Resource::L1));
}

TEST_CASE("Ceilings follow the clocks of the launch") {
    const Session session = recordedSession();
    const auto during = [&](std::uint32_t launch, Resource resource) {
        const auto ceiling = ceilingDuring(session, static_cast<LaunchIndex>(launch), resource);
        REQUIRE(ceiling);
        return *ceiling;
    };
    CHECK(during(recorded::VectorAdd, Resource::Fp32).perSecond == Approx(2 * 128 * 132 * 1.966165e9));
    CHECK(during(recorded::VectorAdd, Resource::Dram).perSecond == Approx(2 * 3.197066e9 * 6016 / 8));
    // 3 sectors per clock of each of 94 slices
    CHECK(during(recorded::VectorAdd, Resource::L2).perSecond == Approx(282 * 32 * 1.706178e9));
    CHECK(during(recorded::VectorAdd, Resource::L2).clockHz == 1.706178e9);
    CHECK(during(recorded::VectorAdd, Resource::L2).source.find("282") != std::string::npos);
}

TEST_CASE("A DRAM clock that is not the memory clock is not used, and that is said") {
    Launch launch;
    const Session odd = oneLaunch(h200(), launch, {{"dram__cycles_elapsed.avg.per_second", 1.6e9}});
    const auto ceiling = ceilingDuring(odd, LaunchIndex{0}, Resource::Dram);
    REQUIRE(ceiling);
    CHECK(ceiling->perSecond == Approx(2 * 3.201e9 * 6016 / 8));
    CHECK(ceiling->source.find("does not tell the memory clock") != std::string::npos);
    const auto compute = ceilingDuring(odd, LaunchIndex{0}, Resource::Fp64);
    CHECK(compute->source.find("not collected") != std::string::npos);
}

TEST_CASE("Measured ceilings stand after the theoretical ones") {
    Session session;
    session.apply(h100Sxm());
    session.apply(MeasuredCeiling{0, "dram", 2.97e12, "triad"});
    session.apply(MeasuredCeiling{1, "dram", 1e12, "another device"});
    session.apply(MeasuredCeiling{0, "no_such_resource", 1, ""});
    const auto all = ceilings(session, session.devices()[0]);
    REQUIRE(all.size() == theoreticalCeilings(h100Sxm()).size() + 1);
    CHECK(all.back().measured);
    CHECK(all.back().perSecond == 2.97e12);
    CHECK(all.back().source == "triad");
}

TEST_CASE("A measured roof of matrices is of its format, and knows its clock") {
    Session session;
    session.apply(h100Sxm());
    session.apply(MeasuredCeiling{0, "tensor_bf16", 7.5e14, "wgmma"});
    session.apply(MeasuredCeiling{0, "tensor_bf16_clock", 1.7e9, ""});
    session.apply(MeasuredCeiling{0, "dram_copy", 2.9e12, "a part of DRAM's roof"});
    const auto all = ceilings(session, session.devices()[0]);
    REQUIRE(all.size() == theoreticalCeilings(h100Sxm()).size() + 1);
    CHECK(all.back().resource == Resource::Tensor);
    CHECK(all.back().format == TensorFormat::Bf16);
    CHECK(all.back().measured);
    CHECK(all.back().clockHz == 1.7e9);
}

TEST_CASE("Measured roofs of an SM move with its clock, those of memory do not") {
    Session session;
    session.apply(h100Sxm());
    session.apply(MeasuredCeiling{0, "fp32", 60e12, "FFMA"});
    session.apply(MeasuredCeiling{0, "fp32_clock", 1.8e9, ""});
    session.apply(MeasuredCeiling{0, "fp64", 30e12, "DFMA, at a clock nobody read"});
    session.apply(MeasuredCeiling{0, "dram", 3e12, "triad"});
    const Device& device = session.devices()[0];
    const auto peak = [&](Resource resource, double clock) {
        return measuredPeakPerSecond(session, device, resource, Clocks{.smHz = clock});
    };
    CHECK(peak(Resource::Fp32, 1.8e9) == Approx(60e12));
    CHECK(peak(Resource::Fp32, 1.5e9) == Approx(50e12));
    CHECK(peak(Resource::Fp64, 1.5e9) == Approx(30e12));
    CHECK(peak(Resource::Dram, 1.5e9) == Approx(3e12));
    CHECK(peak(Resource::L2, 1.5e9) == 0);
}

TEST_CASE("Every figure of the architecture table has a source") {
    for (const Architecture& architecture : architectures()) {
        CHECK_FALSE(architecture.arithmeticSource.empty());
        CHECK_FALSE(architecture.cacheSource.empty());
        CHECK((architecture.l2SliceBytes == 0) == architecture.l2Source.empty());
    }
}
