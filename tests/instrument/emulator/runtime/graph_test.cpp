// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

#include <cstring>

using namespace dormer::tests;

namespace {

cudaStream_t makeStream() {
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    return stream;
}

int countOf(const SeenLaunch& launch) {
    int count = 0;
    std::memcpy(&count, launch.parameters.data() + 8, 4);
    return count;
}

cudaKernelNodeParams paramsOf(FakeProgram& program, void** arguments) {
    cudaKernelNodeParams params = {};
    params.func = const_cast<void*>(program.add());
    params.gridDim = dim3(2);
    params.blockDim = dim3(32);
    params.kernelParams = arguments;
    return params;
}

} // namespace

TEST_CASE("A captured stream runs nothing until its graph is launched") {
    FakeProgram program;
    const cudaStream_t stream = makeStream();
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 16) == cudaSuccess);
    unsigned char back = 0;
    int calls = 0;
    const auto count = [](void* where) { ++*static_cast<int*>(where); };
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    REQUIRE(cudaMemsetAsync(memory, 9, 16, stream) == cudaSuccess);
    REQUIRE(program.launch(memory, 4, 1, stream) == cudaSuccess);
    REQUIRE(cudaMemcpyAsync(&back, memory, 1, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
    REQUIRE(cudaLaunchHostFunc(stream, count, &calls) == cudaSuccess);
    cudaStreamCaptureStatus status{};
    REQUIRE(cudaStreamIsCapturing(stream, &status) == cudaSuccess);
    CHECK(status == cudaStreamCaptureStatusActive);
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    CHECK((program.launches.empty() && calls == 0));
    std::size_t nodes = 0, edges = 0;
    REQUIRE(cudaGraphGetNodes(graph, nullptr, &nodes) == cudaSuccess);
    REQUIRE(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges) == cudaSuccess);
    CHECK((nodes == 4 && edges == 3));

    cudaGraphExec_t exec = nullptr;
    REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    REQUIRE(cudaGraphDestroy(graph) == cudaSuccess); // the exec has its own copy
    for (int turn = 1; turn <= 2; ++turn) {
        REQUIRE(cudaGraphLaunch(exec, stream) == cudaSuccess);
        CHECK(calls == turn);
    }
    CHECK(program.launches.size() == 2);
    CHECK(back == 9);
    CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
    CHECK(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);
}

TEST_CASE("Other streams join a capture through events and must come back") {
    FakeProgram program;
    const cudaStream_t a = makeStream(), b = makeStream();
    cudaEvent_t fork = nullptr, join = nullptr;
    REQUIRE(cudaEventCreate(&fork) == cudaSuccess);
    REQUIRE(cudaEventCreate(&join) == cudaSuccess);
    const bool comesBack = GENERATE(true, false);
    REQUIRE(cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 1, 1, a) == cudaSuccess);
    REQUIRE(cudaEventRecord(fork, a) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(b, fork, 0) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 2, 1, b) == cudaSuccess);
    REQUIRE(cudaEventRecord(join, b) == cudaSuccess);
    if (comesBack) REQUIRE(cudaStreamWaitEvent(a, join, 0) == cudaSuccess);
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamEndCapture(a, &graph) == (comesBack ? cudaSuccess : cudaErrorStreamCaptureUnjoined));
    CHECK((graph != nullptr) == comesBack);
    CHECK(program.launch(nullptr, 3, 1, b) == cudaSuccess); // b captures no more
    CHECK(program.launches.size() == 1);
}

TEST_CASE("Waiting for a stream that only records breaks the capture") {
    FakeProgram program;
    const cudaStream_t stream = makeStream();
    CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) == cudaErrorStreamCaptureUnsupported);
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaErrorStreamCaptureUnsupported);
    CHECK(program.launch(nullptr, 1, 1, stream) == cudaErrorStreamCaptureInvalidated);
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);
}

TEST_CASE("Nodes run after all they depend on, with the parameters set last") {
    FakeProgram program;
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    void* to = nullptr;
    int first = 1, second = 2;
    void* firstArguments[] = {&to, &first};
    void* secondArguments[] = {&to, &second};
    const cudaKernelNodeParams firstParams = paramsOf(program, firstArguments);
    const cudaKernelNodeParams secondParams = paramsOf(program, secondArguments);
    cudaGraphNode_t late = nullptr, early = nullptr, cycle = nullptr;
    REQUIRE(cudaGraphAddKernelNode(&late, graph, nullptr, 0, &firstParams) == cudaSuccess);
    REQUIRE(cudaGraphAddKernelNode(&early, graph, nullptr, 0, &secondParams) == cudaSuccess);
    REQUIRE(cudaGraphAddDependencies(graph, &early, &late, nullptr, 1) == cudaSuccess);
    first = 50; // copied when the node was made
    cudaGraphExec_t exec = nullptr;
    REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    REQUIRE(program.launches.size() == 2);
    CHECK((countOf(program.launches[0]) == 2 && countOf(program.launches[1]) == 1));

    cudaKernelNodeParams read = {};
    REQUIRE(cudaGraphKernelNodeGetParams(late, &read) == cudaSuccess);
    CHECK(read.func == program.add());
    CHECK(*static_cast<int*>(read.kernelParams[1]) == 1);
    second = 7;
    REQUIRE(cudaGraphExecKernelNodeSetParams(exec, late, &secondParams) == cudaSuccess);
    REQUIRE(cudaGraphNodeSetEnabled(exec, early, 0) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    REQUIRE(program.launches.size() == 3);
    CHECK(countOf(program.launches[2]) == 7);

    REQUIRE(cudaGraphKernelNodeSetParams(early, &secondParams) == cudaSuccess);
    cudaGraphExecUpdateResultInfo info = {};
    REQUIRE(cudaGraphExecUpdate(exec, graph, &info) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    CHECK(countOf(program.launches[3]) == 7);
    REQUIRE(cudaGraphAddEmptyNode(&cycle, graph, &late, 1) == cudaSuccess);
    CHECK(cudaGraphExecUpdate(exec, graph, &info) == cudaErrorGraphExecUpdateFailure);
    CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
    REQUIRE(cudaGraphAddDependencies(graph, &cycle, &early, nullptr, 1) == cudaSuccess);
    CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaErrorInvalidValue);
}

TEST_CASE("A capture into a graph of the program's ends without giving it back") {
    FakeProgram program;
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    REQUIRE(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal) ==
            cudaSuccess);
    CHECK(cudaStreamEndCapture(stream, nullptr) == cudaSuccess);
    // One that the capture makes would be lost.
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(cudaStreamEndCapture(stream, nullptr) == cudaErrorInvalidValue);
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
}

TEST_CASE("A program adds to the graph that a capture makes, while it makes it") {
    FakeProgram program;
    cudaStream_t stream = nullptr;
    cudaGraph_t made = nullptr, given = nullptr;
    REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
    REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    REQUIRE(cudaStreamGetCaptureInfo(stream, &status, nullptr, &made, nullptr, nullptr, nullptr) ==
            cudaSuccess);
    cudaGraphConditionalHandle condition = 0;
    CHECK(cudaGraphConditionalHandleCreate(&condition, made) == cudaSuccess);
    cudaGraphNode_t node = nullptr;
    CHECK(cudaGraphAddEmptyNode(&node, made, nullptr, 0) == cudaSuccess);
    REQUIRE(cudaStreamEndCapture(stream, &given) == cudaSuccess);
    CHECK(given == made);
    std::size_t nodes = 0;
    REQUIRE(cudaGraphGetNodes(given, nullptr, &nodes) == cudaSuccess);
    CHECK(nodes == 1);
    CHECK(cudaGraphDestroy(given) == cudaSuccess);
    CHECK(cudaGraphGetNodes(given, nullptr, &nodes) == cudaErrorInvalidValue);
}
