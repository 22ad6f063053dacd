// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

#include "instrument/collect/process_facts.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

instrument::stream::CollectOptions everyLaunch() {
    instrument::stream::CollectOptions options;
    options.everyLaunch = true;
    return options;
}

/// A workload, an NVTX range, or both, open for a scope; an empty name opens nothing.
class Inside {
public:
    Inside(FakeProgram& program, const char* workload, const char* range)
        : m_program(program), m_workload(*workload != '\0'), m_range(*range != '\0') {
        if (m_workload) instrument::collect::workloadStack().emplace_back(workload);
        if (m_range) m_program.recorder().nvtx().push(range, 0);
    }
    ~Inside() {
        if (m_range) m_program.recorder().nvtx().pop(1);
        if (m_workload) instrument::collect::workloadStack().pop_back();
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

private:
    FakeProgram& m_program;
    bool m_workload, m_range;
};

/// A graph of one launch for each count, captured where the caller is.
cudaGraph_t captured(FakeProgram& program, std::initializer_list<int> counts) {
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    for (const int count : counts)
        REQUIRE(program.launch(nullptr, count, 1, stream) == cudaSuccess);
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    return graph;
}

void replay(cudaGraph_t graph) {
    cudaGraphExec_t exec = nullptr;
    REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
}

} // namespace

TEST_CASE("A graph's launches carry the range of their capture and the workload that replays them") {
    struct Case {
        const char *capturedIn, *captureRange, *replayedIn, *replayRange, *workload, *nvtx;
    };
    const Case of =
        GENERATE(Case{"f/made", "capture", "f/run", "replay", "f/run", "capture"},
                 Case{"f/made", "capture", "", "", "f/made", "capture"},
                 Case{"", "", "f/run", "replay", "f/run", "replay"},
                 Case{"f/made", "", "", "replay", "f/made", "replay"}, Case{"", "", "", "", "", ""});
    FakeProgram program("H100", everyLaunch(), true);
    cudaGraph_t graph = nullptr;
    {
        const Inside inside(program, of.capturedIn, of.captureRange);
        graph = captured(program, {1, 2});
    }
    CHECK(program.all<session::Launch>().empty());
    {
        const Inside inside(program, of.replayedIn, of.replayRange);
        replay(graph);
    }
    const auto launches = program.all<session::Launch>();
    REQUIRE(launches.size() == 2);
    for (const session::Launch& launch : launches) {
        CHECK(launch.workload == of.workload);
        CHECK(launch.nvtx == of.nvtx);
        CHECK(launch.graphNode);
    }
    CHECK(launches[0].graphNode != launches[1].graphNode);
}

TEST_CASE("Each node of a graph keeps its own range, also in a child graph and over replays") {
    FakeProgram program("H100", everyLaunch(), true);
    cudaGraph_t child = nullptr;
    {
        const Inside inside(program, "", "inner");
        child = captured(program, {1});
    }
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    void* to = nullptr;
    int count = 2;
    void* arguments[] = {&to, &count};
    cudaKernelNodeParams params = {};
    params.func = const_cast<void*>(program.add());
    params.gridDim = dim3(1);
    params.blockDim = dim3(32);
    params.kernelParams = arguments;
    cudaGraphNode_t first = nullptr, second = nullptr, last = nullptr;
    {
        const Inside inside(program, "", "added");
        REQUIRE(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &params) == cudaSuccess);
        REQUIRE(cudaGraphAddChildGraphNode(&second, graph, &first, 1, child) == cudaSuccess);
    }
    REQUIRE(cudaGraphAddKernelNode(&last, graph, &second, 1, &params) == cudaSuccess);
    {
        const Inside inside(program, "", "replay");
        replay(graph);
        replay(graph);
    }
    const auto launches = program.all<session::Launch>();
    REQUIRE(launches.size() == 6);
    for (std::size_t i = 0; i < launches.size(); ++i) {
        const char* const ranges[] = {"added", "inner", "replay"};
        CHECK(launches[i].nvtx == ranges[i % 3]);
        CHECK(launches[i].graphNode == launches[i % 3].graphNode);
    }
    CHECK(launches[0].graphNode != launches[2].graphNode);
}

TEST_CASE("A launch outside of graphs has no node, and is where the program is") {
    FakeProgram program("H100", everyLaunch(), true);
    const Inside inside(program, "f/run", "step");
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    const auto launches = program.all<session::Launch>();
    REQUIRE(launches.size() == 1);
    CHECK((launches[0].workload == "f/run" && launches[0].nvtx == "step" && !launches[0].graphNode));
}

TEST_CASE("Option --nvtx matches the range a graph was captured in") {
    instrument::stream::CollectOptions options = everyLaunch();
    options.nvtx = "capture*";
    FakeProgram program("H100", options, true);
    cudaGraph_t graph = nullptr;
    {
        const Inside inside(program, "", "capture of it");
        graph = captured(program, {1});
    }
    replay(graph);
    CHECK(program.all<session::LaunchCounters>().size() == 1);
}
