// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/explain/explanation.h"

#include "tests/support/catch.h"
#include "tests/support/launches.h"
#include "tests/support/sample_session.h"

using namespace dormer;
using namespace dormer::view::explain;

namespace {

bool holds(const std::string& page, std::string_view words) {
    return page.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("a metric is explained by meaning, formula and inputs", "[explain]") {
    const std::string page = metricPage(*metrics::findMetric("dram_bytes_per_second"), {});
    INFO(page);
    CHECK(page.starts_with("# DRAM\n"));
    CHECK(holds(page, "Rate of device memory traffic"));
    CHECK(holds(page, "`dram_bytes / duration_ns * 1e9`"));
    CHECK(holds(page, "- unit: B/s"));
    CHECK(holds(page, "Nsight Compute: Memory Throughput"));
    CHECK(holds(page, "[dram_bytes](metric:dram_bytes)"));
    CHECK(holds(page, "[duration_ns](metric:duration_ns)"));
    CHECK_FALSE(holds(page, "how it was got")); // of no launch
    CHECK(holds(metricPage(*metrics::findMetric("duration_ns"), {}), "`launch.duration_ns`"));
}

TEST_CASE("a metric of a launch is explained with its numbers and where they were measured", "[explain]") {
    const session::Session session = tests::sampleSession();
    const diagnosis::Diagnosis diagnosis(session);
    const ExplainedLaunch of{&diagnosis, tests::launchOf(session, "roofline/vector_add")};
    // Twelve bytes for each of 2^24 elements are 201 MB, in 68 us.
    const std::string bytes = metricPage(*metrics::findMetric("dram_bytes"), of);
    INFO(bytes);
    CHECK(holds(bytes, "## roofline/vector\\_add"));
    CHECK(holds(bytes, "**201 MB**"));
    CHECK(holds(bytes, "| [dram_bytes_read](metric:dram_bytes_read) |"));
    const std::string rate = metricPage(*metrics::findMetric("dram_bytes_per_second"), of);
    CHECK(holds(rate, "**2.96 TB/s**")); // 201.3e6 / 68e-6
    INFO(rate);
    CHECK(holds(rate, "| [duration_ns](metric:duration_ns) | 68.0 µs | timed: measured on NVIDIA H100"));
    // What is computed of counters was got as they were.
    CHECK(holds(rate, "| [dram_bytes](metric:dram_bytes) | 201 MB | measured on NVIDIA H100"));
    // An input that is a counter names the device it was counted on.
    const std::string read = metricPage(*metrics::findMetric("dram_bytes_read"), of);
    INFO(read);
    CHECK(holds(read, "measured on NVIDIA H100"));
}

TEST_CASE("what was not collected is said, not told as zero", "[explain]") {
    const session::Session session = tests::sampleSession();
    const diagnosis::Diagnosis diagnosis(session);
    // The last launch has no counters.
    const session::LaunchIndex bare{static_cast<std::uint32_t>(session.launches().size() - 1)};
    const std::string page = metricPage(*metrics::findMetric("dram_bytes_read"), {&diagnosis, bare});
    INFO(page);
    CHECK(holds(page, "No value: "));
    CHECK(holds(page, "not collected"));
    CHECK_FALSE(holds(page, "**0"));
}

TEST_CASE("sampled and spread counters tell how many launches they rest on", "[explain]") {
    session::Session session;
    session::Process process;
    process.bySignature = true;
    session.apply(session::ProcessStart{process});
    session::Device device;
    device.name = "NVIDIA H200";
    session.apply(device);
    session::Kernel kernel;
    kernel.name = "copy";
    session.apply(kernel);
    session::Launch launch;
    launch.durationNs = 10000;
    const auto index = session.apply(launch);
    REQUIRE(index);
    session::SignatureCounter counter;
    counter.counter = "dram__bytes_read.sum";
    counter.grid = launch.grid;
    counter.block = launch.block;
    counter.method = session::CounterMethod::Sampled;
    counter.value = 1e12;
    counter.coveredNs = 120000;
    counter.launches = 12;
    counter.uncertainty = 0.003;
    session.apply(counter);
    CHECK(howCounted(session, *index, "dram__bytes_read.sum") ==
          "sampled over 12 launches of this configuration on NVIDIA H200, ±0.3 %");
    CHECK(howCounted(session, *index, "other").starts_with("measured"));
}

TEST_CASE("findings are explained with their advice and the kernels that have them", "[explain]") {
    const session::Session session = tests::sampleSession();
    const diagnosis::Diagnosis diagnosis(session);
    const std::string page = findingPage("uncoalesced-global-access", {&diagnosis, {}});
    INFO(page);
    CHECK(page.starts_with("# Uncoalesced global access"));
    CHECK(holds(page, "consecutive elements"));
    CHECK(holds(page, "`UncoalescedGlobalAccess`"));
    CHECK(holds(page, "- **vector\\_sum/uncoalesced**: "));
    CHECK_FALSE(holds(page, "vector\\_sum/coalesced"));
    CHECK_FALSE(holds(findingPage("uncoalesced-global-access", {}), "In this session"));
}

TEST_CASE("roofs are explained with their values and sources on each device", "[explain]") {
    const session::Session session = tests::sampleSession();
    const diagnosis::Diagnosis diagnosis(session);
    const std::string page = roofPage(device::Resource::Fp32, {&diagnosis, {}});
    INFO(page);
    CHECK(page.starts_with("# FP32 roof"));
    CHECK(holds(page, "## NVIDIA H100"));
    CHECK(holds(page, "| theoretical | 66.9 TFLOP/s |")); // 132 SMs x 128 x 2 x 1.98 GHz
    CHECK(holds(page, "(doc:verdicts.md#ceilings)"));
    CHECK(launchVerdict({&diagnosis, {}}).empty());
    const std::string verdict = launchVerdict({&diagnosis, tests::launchOf(session, "roofline/vector_add")});
    CHECK(verdict.starts_with("**roofline/vector\\_add** is Memory-bound (DRAM)."));
    CHECK(holds(verdict, "\n- "));
}
