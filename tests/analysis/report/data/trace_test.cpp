// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

using namespace dormer;
using namespace dormer::session;
using nlohmann::json;

namespace {

constexpr std::int64_t kBegin = 1'700'000'000'000'000'000;

Launch launchAt(std::uint64_t id, std::int64_t startNs, double durationNs, std::uint64_t stream) {
    Launch launch;
    launch.id = id;
    launch.startNs = kBegin + startNs;
    launch.durationNs = durationNs;
    launch.stream = stream;
    launch.grid = {4, 1, 1};
    launch.block = {32, 1, 1};
    return launch;
}

json traceOf(const Session& session) {
    std::string text;
    report::writeTrace(diagnosis::Diagnosis(session), [&](std::string_view part) {
        text += part;
        return true;
    });
    return json::parse(text);
}

/// Slices of the trace by name, with the name of their row.
std::map<std::string, json> slicesOf(const json& trace) {
    std::map<json, std::string> rows;
    std::map<std::string, json> slices;
    for (const json& event : trace["traceEvents"]) {
        if (event["name"] == "thread_name") rows[event["tid"]] = event["args"]["name"];
        if (event["ph"] != "X") continue;
        slices[event["name"]] = event;
        slices[event["name"]]["row"] = rows.at(event["tid"]); // announced before its first slice
    }
    return slices;
}

} // namespace

TEST_CASE("the trace has kernels by stream, ranges and transfers at their times", "[report]") {
    Session session;
    Process process;
    process.pid = 42;
    process.program = "app";
    session.apply(ProcessStart{process});
    Kernel kernel;
    kernel.name = "void scale<float>(float*, int)";
    session.apply(kernel);
    session.apply(launchAt(0, 2'000, 1'500, 7));
    session.apply(
        NvtxRange{.process = 0, .path = "step > \"inner\"", .startNs = kBegin, .endNs = kBegin + 5'250});
    Transfer transfer;
    transfer.kind = TransferKind::Copy;
    transfer.direction = TransferDirection::HostToDevice;
    transfer.bytes = 4096;
    transfer.startNs = kBegin + 100;
    transfer.endNs = kBegin + 900;
    transfer.durationNs = 800;
    transfer.stream = 7;
    session.apply(transfer);
    Launch unplaced = launchAt(1, 0, 10, 7);
    unplaced.startNs = 0;
    session.apply(unplaced);

    const json trace = traceOf(session);
    CHECK(trace["otherData"]["begin_unix_ns"] == "1700000000000000000");
    const auto slices = slicesOf(trace);
    CHECK(slices.size() == 3); // a launch without a start has no place
    const json& launch = slices.at("scale");
    CHECK(launch["row"] == "GPU 0 stream 7");
    CHECK(launch["ts"] == 2.0); // microseconds
    CHECK(launch["dur"] == 1.5);
    CHECK(launch["args"]["grid"] == json::array({4, 1, 1}));
    CHECK(slices.at("\"inner\"")["dur"] == 5.25);
    CHECK(slices.at("\"inner\"")["row"] == "NVTX ranges");
    const json& copy = slices.at("copy host_to_device");
    CHECK(copy["ts"] == 0.1);
    CHECK(copy["args"]["bytes"] == 4096);
    CHECK(copy["row"] == "GPU 0 stream 7 transfers");
}

TEST_CASE("equal transfers have a slice each where their times are known", "[report]") {
    Session session;
    session.apply(ProcessStart{});
    Transfer transfer;
    transfer.kind = TransferKind::Copy;
    transfer.count = 2;
    transfer.startNs = kBegin;
    transfer.endNs = kBegin + 5'000;
    transfer.spans.spans = {{0, 1'000}, {4'000, 1'000}};
    session.apply(transfer);
    std::vector<json> slices;
    const json trace = traceOf(session);
    for (const json& event : trace["traceEvents"])
        if (event["ph"] == "X") slices.push_back(event);
    REQUIRE(slices.size() == 2);
    CHECK((slices[1]["ts"] == 4.0 && slices[1]["dur"] == 1.0));
}

TEST_CASE("a device's activity is a counter of the trace, zero where sampling stops", "[report]") {
    Session session;
    session.apply(ProcessStart{});
    session.apply(Kernel{});
    session.apply(launchAt(0, 0, 100, 0));
    DeviceActivity activity;
    activity.counter = "dram__bytes_read.sum";
    activity.startNs = kBegin + 1'000;
    activity.stepNs = 500;
    activity.values.values = {1e12, std::nan(""), 2e12};
    session.apply(activity);
    activity.startNs = std::numeric_limits<std::int64_t>::max();
    session.apply(activity);
    std::map<double, double> values;
    const json trace = traceOf(session);
    for (const json& event : trace["traceEvents"])
        if (event["ph"] == "C") {
            CHECK(event["name"] == "GPU 0 dram__bytes_read.sum per second");
            values[event["ts"]] = event["args"]["value"];
        }
    CHECK(values == std::map<double, double>{{1.0, 1e12}, {2.0, 2e12}, {2.5, 0.0}});
}

TEST_CASE("slices that overlap without nesting get a row each", "[report]") {
    Session session;
    session.apply(ProcessStart{});
    session.apply(Kernel{});
    const auto range = [&](const char* name, std::int64_t from, std::int64_t to) {
        session.apply(NvtxRange{.process = 0, .path = name, .startNs = kBegin + from, .endNs = kBegin + to});
    };
    range("outer", 0, 100);
    range("inner", 10, 50);
    range("across", 40, 120);
    range("later", 100, 200);
    const auto slices = slicesOf(traceOf(session));
    CHECK(slices.at("inner")["tid"] == slices.at("outer")["tid"]);
    CHECK(slices.at("across")["tid"] != slices.at("outer")["tid"]);
    CHECK(slices.at("across")["row"] == "NVTX ranges (2)");
    CHECK(slices.at("later")["tid"] == slices.at("outer")["tid"]);
}

TEST_CASE("a trace of hostile times and names stays one", "[report]") {
    Session session;
    session.apply(ProcessStart{});
    Kernel kernel;
    kernel.name = "a\"\\\n\xff</script>";
    session.apply(kernel);
    session.apply(launchAt(0, std::numeric_limits<std::int64_t>::max() - kBegin, 1e300, 0));
    session.apply(launchAt(1, 0, -5, 0));
    session.apply(NvtxRange{
        .process = 0, .path = "r", .startNs = kBegin, .endNs = std::numeric_limits<std::int64_t>::min()});
    const auto slices = slicesOf(traceOf(session));
    CHECK(slices.size() == 2);
    for (const auto& [name, slice] : slices)
        CHECK(slice["dur"] == 0.0);
}
