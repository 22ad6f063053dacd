// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/timing/synthesize.h"

#include "tests/instrument/emulator/timing/recorded_suite.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <set>

using namespace dormer;
using namespace dormer::emulator::timing;

namespace {

std::map<std::string, double> counters(const tests::RecordedKernel& kernel, std::string_view set,
                                       const char* chipKey = "H100") {
    const device::Chip& chip = *device::findChip(chipKey);
    return synthesizeCounters(*metrics::findCounterSet(set), chip, kernel.counts, kernel.traffic,
                              predict(chip, kernel.shape, kernel.counts, kernel.traffic));
}

/// Other chips' names for tensor operations (CUPTI's list for GH100).
bool lackedByH100(std::string_view name) {
    constexpr std::string_view kFamily = "sm__ops_path_tensor_src_";
    const std::set<std::string_view> h100 = {"fp16.sum", "bf16_dst_fp32.sum", "tf32_dst_fp32.sum", "fp64.sum",
                                             "fp8.sum",  "int8.sum",          "int1.sum"};
    return name.starts_with(kFamily) && !h100.contains(name.substr(kFamily.size()));
}

} // namespace

TEST_CASE("Counts come back under the names a GPU reports them by") {
    for (const tests::RecordedKernel& kernel : tests::recordedKernels()) {
        for (const auto& [name, value] : counters(kernel, "memory")) {
            if (!name.starts_with("smsp__sass_")) continue;
            // The fixture is told neither FP16 nor local memory, nor atomics on global memory that return.
            if (name.find("_op_h") != std::string::npos || name.find("_local_") != std::string::npos)
                continue;
            const double real = tests::recordedH100().counter(kernel.launch, name).value_or(0);
            CAPTURE(kernel.name, name);
            CHECK(value == Approx(real).epsilon(0.001).margin(0.001));
        }
    }
}

TEST_CASE("A set gives its own counters only, and every one the emulator can") {
    const tests::RecordedKernel& kernel = tests::recordedKernels().front();
    for (const metrics::CounterSet& set : metrics::counterSets()) {
        CAPTURE(set.name);
        std::set<std::string> wanted;
        for (const metrics::CounterName& counter : set.counters)
            if (!lackedByH100(counter.name)) wanted.emplace(counter.name);
        std::set<std::string> given;
        for (const auto& [name, value] : counters(kernel, set.name))
            given.insert(name);
        CHECK(given == wanted);
    }
}

TEST_CASE("Two operations for each multiply-add of the tensor cores, under the format's name") {
    tests::RecordedKernel kernel = tests::recordedKernels().front();
    // FP16, BF16, TF32, FP64, FP8, INT8: as many as one instruction of the usual shape does
    kernel.counts.tensorMacs = {16 * 16 * 16, 16 * 8 * 8, 16 * 8 * 4, 8 * 8 * 4, 16 * 8 * 32, 8 * 8 * 16};
    const auto values = counters(kernel, "tensor");
    CHECK(values.at("sm__ops_path_tensor_src_fp16.sum") == 8192);
    CHECK(values.at("sm__ops_path_tensor_src_bf16_dst_fp32.sum") == 2048);
    CHECK(values.at("sm__ops_path_tensor_src_tf32_dst_fp32.sum") == 1024);
    CHECK(values.at("sm__ops_path_tensor_src_fp64.sum") == 512);
    CHECK(values.at("sm__ops_path_tensor_src_fp8.sum") == 8192);
    CHECK(values.at("sm__ops_path_tensor_src_int8.sum") == 2048);
    CHECK(values.at("sm__ops_path_tensor_src_int1.sum") == 0);
    CHECK(counters(kernel, "memory").count("sm__ops_path_tensor_src_fp16.sum") == 0);
}

TEST_CASE("What nobody publishes of a chip is absent") {
    const tests::RecordedKernel& kernel = tests::recordedKernels().front();
    const auto t4 = counters(kernel, "memory", "T4");
    CHECK(t4.count("lts__t_tag_requests.sum.peak_sustained") == 0);
    CHECK(t4.count("lts__t_sectors.sum.peak_sustained") == 0);
    CHECK(t4.count("dram__bytes_read.sum") == 1);
    const auto a100 = counters(kernel, "memory", "A100");
    CHECK(a100.at("lts__t_tag_requests.sum.peak_sustained") == 80); // whitepaper: 80 slices
    CHECK(a100.count("lts__t_sectors.sum.peak_sustained") == 0);
}

TEST_CASE("Times and rates agree with each other") {
    const tests::RecordedKernel& kernel = tests::recordedKernels().front();
    const auto values = counters(kernel, "memory");
    CHECK(values.at("sm__cycles_elapsed.max") == Approx(values.at("gpu__time_duration.sum") * 1e-9 *
                                                        values.at("sm__cycles_elapsed.avg.per_second")));
    CHECK(values.at("dram__cycles_elapsed.avg.per_second") == 2.619e9);
    CHECK(values.at("smsp__issue_active.avg.pct_of_peak_sustained_active") ==
          Approx(100 * kernel.counts.instructions / (4 * 132 * values.at("sm__cycles_elapsed.max"))));
    CHECK(values.at("l1tex__t_bytes.sum") ==
          32 * static_cast<double>(kernel.traffic.l1LookupHits + kernel.traffic.l1LookupMisses));
}
