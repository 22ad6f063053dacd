// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/cupti/passes/pass_controller_fakes.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

/// An executable graph of a copy and two kernels, nodes 11, 12 and 13 made of 1, 2 and 3, in that order.
class FakeGraphs : public GraphBackend {
public:
    std::string problem;
    std::vector<std::string> done; ///< what was requested, in order
    NodeFacts facts;               ///< of all nodes

    NodeFacts node(std::uint64_t) override { return facts; }
    Result<std::vector<std::uint64_t>> steps(const void*) override {
        if (!problem.empty()) return failure(ErrorKind::Device, problem);
        return std::vector<std::uint64_t>{1, 2, 3};
    }
    std::uint64_t originalOf(std::uint64_t node) override { return node > 10 ? node - 10 : 0; }
    Result<void> isolate(const void*) override { return did("isolate"); }
    Result<void> runStep(const void*, const void*, std::size_t step) override {
        return did("run " + std::to_string(step));
    }
    Result<void> restore(const void*) override { return did("restore"); }

private:
    Result<void> did(std::string what) {
        done.push_back(std::move(what));
        return {};
    }
};

struct GraphRun : Run {
    FakeGraphs graphs;
    void openWithGraphs() {
        controller = std::make_unique<PassController>(
            options, std::make_unique<FakeTiming>(gpu), std::make_unique<FakeCounters>(gpu),
            std::make_unique<FakeContext>(gpu), [this](const Record& record) { records.push_back(record); },
            nullptr, &graphs);
    }
    void replay(const std::string& workload) {
        LaunchCall call;
        call.function = this; // stands for the executable graph
        call.mangledName = "(a graph)";
        call.correlationId = ++correlation;
        call.workload = workload;
        call.nvtx = "replay";
        controller->graphBegins(call);
        for (const std::uint64_t node : {13, 12}) {
            KernelTiming timing;
            timing.correlationId = correlation;
            timing.graphNode = node;
            timing.mangledName = node == 12 ? "_Z3addPf" : "_Z4scanPf";
            timing.grid = {static_cast<std::uint32_t>(node), 1, 1};
            timing.block = {64, 1, 1};
            timing.startNs = 1'000'000 + 100 * static_cast<std::int64_t>(node);
            timing.endNs = timing.startNs + 50;
            gpu.ran.push_back(timing);
        }
        TransferTiming copied;
        copied.correlationId = correlation;
        copied.graphNode = 11;
        copied.kind = session::TransferKind::Copy;
        copied.bytes = 32;
        gpu.moved.push_back(copied);
        controller->graphEnds(this);
    }
};

} // namespace

TEST_CASE("A graph's kernels are launches with their capture's range, counted one node at a time") {
    GraphRun run;
    run.graphs.facts = {&kAdd, "_Z3addPf", "suite/captured", "capture"};
    run.openWithGraphs();
    int bodies = 0;
    while (run.controller->nextPass()) {
        ++bodies;
        run.launch(kScan, "_Z4scanPf", "suite/plain");
        run.replay("suite/graph");
        if (bodies > 1) CHECK(run.gpu.rangesOfPass == std::vector<std::string>{"0", "1", "2"});
        REQUIRE(bodies < 10);
    }
    CHECK(bodies == 1 + run.gpu.passes);
    const auto launches = run.all<Launch>();
    REQUIRE(launches.size() == 3);
    CHECK((launches[0].workload == "suite/plain" && !launches[0].graphNode));
    CHECK((launches[1].graphNode == 12u && launches[2].graphNode == 13u)); // in the order they ran
    CHECK(launches[1].grid == Dim3{12, 1, 1});
    CHECK(launches[1].durationNs == 50.0);
    CHECK((launches[1].workload == "suite/graph" && launches[1].nvtx == "capture"));
    CHECK(launches[1].blocksPerSm == 8);  // of the function that was captured
    CHECK_FALSE(launches[2].blocksPerSm); // another kernel runs there now than was captured
    CHECK(launches[2].kernel == launches[0].kernel);
    CHECK(run.all<LaunchCounters>().size() == 3);
    CHECK(run.gpu.configured == std::vector<std::size_t>{3});
    const std::vector<std::string> once{"isolate", "run 0", "run 1", "run 2", "restore"};
    REQUIRE(run.graphs.done.size() == 3 * once.size());
    CHECK(std::equal(once.begin(), once.end(), run.graphs.done.begin()));
    const auto transfers = run.all<Transfer>();
    REQUIRE(transfers.size() == 1);
    CHECK((transfers[0].bytes == 32 && transfers[0].nvtx == "capture" &&
           transfers[0].workload == "suite/graph"));
    CHECK(run.all<Note>().empty());
}

TEST_CASE("Where nothing was open at the capture or at the replay, the other one tells") {
    GraphRun captured;
    captured.graphs.facts = {nullptr, "", "suite/captured", ""};
    captured.openWithGraphs();
    while (captured.controller->nextPass())
        captured.replay("");
    CHECK(captured.all<Launch>().at(0).workload == "suite/captured");
    CHECK(captured.all<Launch>().at(0).nvtx == "replay");
}

TEST_CASE("A graph that can't be run node by node is timed, says why, and is left alone") {
    GraphRun run;
    run.graphs.problem = "its graph holds a host function";
    run.openWithGraphs();
    int bodies = 0;
    while (run.controller->nextPass()) {
        ++bodies;
        run.launch(kAdd, "_Z3addPf", "suite/plain");
        run.replay("suite/graph");
    }
    CHECK(bodies == 1 + run.gpu.passes);
    const auto launches = run.all<Launch>();
    REQUIRE(launches.size() == 3);
    CHECK(launches[1].notCounted == "its graph holds a host function");
    CHECK(launches[1].durationNs.has_value());
    CHECK(run.all<LaunchCounters>().size() == 1);
    CHECK(run.graphs.done.empty());
}

TEST_CASE("A range that fails still leaves every node of the graph run once and switched on again") {
    GraphRun run;
    run.gpu.failPush = "out of ranges";
    run.openWithGraphs();
    while (run.controller->nextPass())
        run.replay("suite/graph");
    CHECK(run.graphs.done == std::vector<std::string>{"isolate", "run 0", "run 1", "run 2", "restore"});
    CHECK(run.all<LaunchCounters>().empty());
    REQUIRE(run.all<Note>().size() == 1);
    CHECK(run.all<Note>()[0].code == "counters-failed");
}
