// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Nodes of graphs that run others on a condition, and those that allocate. Host nodes stand in for the
// kernels that would set a condition: its handle is the address of its value.

#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

using namespace dormer::tests;

namespace {

struct Counter {
    cudaGraphConditionalHandle handle = 0;
    int calls = 0;
    unsigned until = 0; ///< calls after which the condition is false
};

void step(void* data) {
    auto& counter = *static_cast<Counter*>(data);
    ++counter.calls;
    *reinterpret_cast<unsigned*>(counter.handle) =
        static_cast<unsigned>(counter.calls) < counter.until ? 1 : 0;
}

void count(void* data) {
    ++*static_cast<int*>(data);
}

/// A graph with one conditional node, and the graphs of its bodies.
struct Conditional {
    Conditional(cudaGraphConditionalNodeType type, unsigned bodyCount, unsigned initial) {
        REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
        REQUIRE(cudaGraphConditionalHandleCreate(&handle, graph, initial, cudaGraphCondAssignDefault) ==
                cudaSuccess);
        cudaGraphNodeParams parameters = {};
        parameters.type = cudaGraphNodeTypeConditional;
        parameters.conditional.handle = handle;
        parameters.conditional.type = type;
        parameters.conditional.size = bodyCount;
        REQUIRE(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters) == cudaSuccess);
        bodies.assign(parameters.conditional.phGraph_out, parameters.conditional.phGraph_out + bodyCount);
    }
    void addCall(std::size_t body, cudaHostFn_t function, void* data) const {
        cudaGraphNode_t added = nullptr;
        const cudaHostNodeParams call = {function, data};
        REQUIRE(cudaGraphAddHostNode(&added, bodies.at(body), nullptr, 0, &call) == cudaSuccess);
    }
    void run(int times = 1) const {
        cudaGraphExec_t exec = nullptr;
        REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
        for (int i = 0; i < times; ++i)
            REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
        REQUIRE(cudaGraphExecDestroy(exec) == cudaSuccess);
    }
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphConditionalHandle handle = 0;
    std::vector<cudaGraph_t> bodies;
};

} // namespace

TEST_CASE("A graph's loop runs its body while the condition holds, anew at each launch") {
    const FakeProgram program;
    const Conditional loop(cudaGraphCondTypeWhile, 1, 1);
    Counter counter{loop.handle, 0, 5};
    loop.addCall(0, step, &counter);
    loop.run();
    CHECK(counter.calls == 5);
    loop.run(); // true at first, as the handle says
    CHECK(counter.calls == 6);
    cudaGraphNodeType type = {};
    CHECK(cudaGraphNodeGetType(loop.node, &type) == cudaSuccess);
    CHECK(type == cudaGraphNodeTypeConditional);
}

TEST_CASE("A graph's choices run one body or none") {
    const FakeProgram program;
    const auto callsOf = [](cudaGraphConditionalNodeType type, unsigned bodies, unsigned value) {
        const Conditional choice(type, bodies, value);
        std::vector<int> calls(bodies, 0);
        for (unsigned i = 0; i < bodies; ++i)
            choice.addCall(i, count, &calls[i]);
        choice.run(2);
        return calls;
    };
    using Calls = std::vector<int>;
    CHECK(callsOf(cudaGraphCondTypeIf, 1, 7) == Calls{2});
    CHECK(callsOf(cudaGraphCondTypeIf, 1, 0) == Calls{0});
    CHECK(callsOf(cudaGraphCondTypeIf, 2, 0) == Calls{0, 2}); // its "else"
    CHECK(callsOf(cudaGraphCondTypeSwitch, 3, 1) == Calls{0, 2, 0});
    CHECK(callsOf(cudaGraphCondTypeSwitch, 3, 3) == Calls{0, 0, 0});
    CHECK(callsOf(cudaGraphCondTypeWhile, 1, 0) == Calls{0});
}

TEST_CASE("A condition that is none, and bodies that there can't be, are refused") {
    const FakeProgram program;
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, 16) == cudaSuccess);
    cudaGraphNodeParams parameters = {};
    parameters.type = cudaGraphNodeTypeConditional;
    parameters.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
    for (const auto handle : {std::uint64_t{0}, reinterpret_cast<std::uint64_t>(memory)}) {
        parameters.conditional.handle = handle;
        CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters) == cudaErrorInvalidValue);
    }
    REQUIRE(cudaGraphConditionalHandleCreate(&parameters.conditional.handle, graph, 0, 0) == cudaSuccess);
    parameters.conditional.type = cudaGraphCondTypeWhile;
    parameters.conditional.size = 2;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters) == cudaErrorInvalidValue);
}

TEST_CASE("A graph's own memory stays at its address, however often it runs") {
    FakeProgram program;
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    cudaMemAllocNodeParams wanted = {};
    wanted.bytesize = 64;
    wanted.poolProps.allocType = cudaMemAllocationTypePinned;
    wanted.poolProps.location = {cudaMemLocationTypeDevice, 0};
    cudaGraphNode_t allocated = nullptr, filled = nullptr, freed = nullptr;
    REQUIRE(cudaGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &wanted) == cudaSuccess);
    REQUIRE(wanted.dptr != nullptr);
    const cudaMemsetParams fill = {wanted.dptr, 0, 3, 1, 64, 1};
    REQUIRE(cudaGraphAddMemsetNode(&filled, graph, &allocated, 1, &fill) == cudaSuccess);
    REQUIRE(cudaGraphAddMemFreeNode(&freed, graph, &filled, 1, wanted.dptr) == cudaSuccess);
    cudaGraphExec_t exec = nullptr;
    REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    CHECK(cudaFree(wanted.dptr) == cudaSuccess); // the program's, where the graph has no node for it
    CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    void* where = nullptr;
    CHECK(cudaGraphMemFreeNodeGetParams(freed, &where) == cudaSuccess);
    CHECK(where == wanted.dptr);
    std::uint64_t bytes = 0;
    CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes) == cudaSuccess);
    CHECK(bytes == 64);
    CHECK(cudaGraphAddMemFreeNode(&freed, graph, nullptr, 0, &bytes) == cudaErrorInvalidValue);
}
