// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "tests/support/catch.h"
#include "tests/support/hostile_session.h"
#include "tests/support/mixed_session.h"
#include "tests/support/report_text.h"
#include "tests/support/sample_session.h"

#include <nlohmann/json.hpp>

using namespace dormer::diagnosis;
using namespace dormer::metrics;

using namespace dormer::report;

using namespace dormer::session;
using dormer::tests::jsonText;
using dormer::tests::sessionJson;
using nlohmann::json;

namespace {

json firstOf(const json& document, const std::string& workload) {
    for (const json& launch : document["launches"])
        if (launch["workload"] == workload) return launch;
    return nullptr;
}

} // namespace

TEST_CASE("the JSON holds what its contract names", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const Diagnosis diagnosis(session);
    const json document = sessionJson(diagnosis);
    CHECK(document["schema"] == 1);
    CHECK(document["session"]["provenance"] == "measured on NVIDIA H100 80GB HBM3");
    CHECK(document["devices"][0]["sm_count"] == 132);
    CHECK(document["launches"].size() == session.launches().size());
    CHECK(document["session"]["processes"][0]["passes"] == 5);

    const json launch = firstOf(document, "roofline/vector_add");
    for (const char* field : {"kernel", "workload", "nvtx", "grid", "block", "origin", "duration_ns",
                              "counters", "metrics", "verdict", "findings"})
        CHECK(launch.contains(field));
    CHECK(launch["origin"] == "measured");
    CHECK(launch["duration_ns"] == 68'000);
    CHECK(launch["grid"].size() == 3);
    CHECK(launch["metrics"]["flops_fp32"] == 16'777'216);
    CHECK(launch["metrics"]["dram_bytes"] == 201'326'592);
    CHECK(launch["metrics"]["arithmetic_intensity_dram_fp32"].get<double>() == Approx(1.0 / 12));
    // 201326592 B in 68 us of the 3.352 TB/s an H100 SXM has.
    CHECK(launch["verdict"]["bound"] == "memory");
    CHECK(launch["verdict"]["level"] == "dram");
    CHECK(launch["verdict"]["utilization"].get<double>() ==
          Approx(201326592 / 68e-6 / 3.352e12).epsilon(0.01));
    CHECK(launch["verdict"]["evidence"].size() >= 2);
}

TEST_CASE("the JSON's DRAM roof is the H100's", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const json document = sessionJson(Diagnosis(session));
    double dram = 0;
    for (const json& ceiling : document["ceilings"])
        if (ceiling["resource"] == "dram" && !ceiling["measured"]) dram = ceiling["per_second"];
    CHECK(dram == Approx(3.352e12).epsilon(0.001));
}

TEST_CASE("what was not collected is null or left out, never zero", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const json document = sessionJson(Diagnosis(session));
    const json fill = document["launches"].back();
    CHECK(fill["workload"].is_null());
    CHECK(fill["counters"].empty());
    CHECK_FALSE(fill["metrics"].contains("dram_bytes"));
    CHECK(fill["verdict"]["bound"] == "unknown");
    CHECK(fill["verdict"]["level"].is_null());
    CHECK(fill["verdict"]["utilization"].is_null());
    CHECK(fill["not_counted"] == "excluded by --kernels");
}

TEST_CASE("the text is the same document, one line per launch", "[report]") {
    const Session session = dormer::tests::sampleSession();
    const Diagnosis diagnosis(session);
    const std::string text = jsonText(diagnosis);
    // Indented it is what a tree of the whole would be.
    CHECK(jsonText(diagnosis, false, true) == json::parse(text).dump(2) + "\n");
    CHECK(std::count(text.begin(), text.end(), '\n') ==
          static_cast<std::ptrdiff_t>(session.launches().size()) + 3);
    const Session empty;
    CHECK(json::parse(jsonText(Diagnosis(empty)))["launches"].empty());
    CHECK(jsonText(Diagnosis(empty), false, true) == sessionJson(Diagnosis(empty)).dump(2) + "\n");
}

TEST_CASE("transfers and memory API calls are written one by one and stay what they are", "[report]") {
    Session session = dormer::tests::sampleSession();
    for (const std::uint64_t bytes : {4096, 1 << 20}) {
        Transfer transfer;
        transfer.bytes = bytes;
        MemoryCall call;
        call.bytes = bytes;
        transfer.spans.spans = {{0, 10}, {50, 20}};
        session.apply(transfer);
        session.apply(call);
        DeviceActivity activity;
        activity.counter = "dram__bytes_read.sum";
        activity.startNs = 7;
        activity.stepNs = 5;
        activity.values.values = {1e12, std::nan("")};
        session.apply(activity);
    }
    const Diagnosis diagnosis(session);
    const std::string compact = jsonText(diagnosis), indented = jsonText(diagnosis, false, true);
    CHECK(json::parse(compact) == json::parse(indented));
    CHECK(indented == json::parse(indented).dump(2) + "\n");
    const json document = json::parse(compact);
    REQUIRE(document["transfers"].size() == 2);
    REQUIRE(document["memory_calls"].size() == 2);
    CHECK(document["transfers"][1]["bytes"] == 1 << 20);
    CHECK(document["memory_calls"][0]["bytes"] == 4096);
    CHECK(document["transfers"][0]["spans"] == json::array({{0, 10}, {50, 20}}));
    REQUIRE(document["device_activity"].size() == 2);
    CHECK(document["device_activity"][0]["values"] == json::array({1e12, nullptr}));
}

TEST_CASE("hostile names make valid JSON", "[report]") {
    const Session session = dormer::tests::hostileSession();
    const json document = json::parse(jsonText(Diagnosis(session)));
    const std::string kernel = document["launches"][0]["kernel"];
    CHECK(kernel.starts_with("<script>alert(1)</script>\"'&"));
}

TEST_CASE("a launch with tensor and scalar work has both, each against its own roof", "[report]") {
    const Session session = dormer::tests::mixedSession();
    const auto parts = launchJson(Diagnosis(session), LaunchIndex{0})["work_parts"];
    REQUIRE(parts.size() == 2);
    CHECK(parts[0]["work"] == "FP16 tensor");
    CHECK(parts[0]["operations"] == 4e10);
    CHECK(parts[0]["per_second"] == Approx(4e14));
    CHECK(parts[0]["intensity"]["dram"] == Approx(200));
    CHECK_FALSE(parts[0]["intensity"].contains("shared")); // moved nothing
    CHECK(parts[1]["work"] == "FP32");
    CHECK(parts[1]["utilization"] == Approx(2e13 / (256 * 132 * 1.98e9)));
    CHECK(parts[1]["roof_measured"] == false);
    const Session sample = dormer::tests::sampleSession();
    CHECK(launchJson(Diagnosis(sample), LaunchIndex{0})["work_parts"].empty());
}
