// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What programs change about the nodes of a graph, and what graphs keep alive.

#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

#include <cstring>

using namespace dormer::tests;

namespace {

void countUp(void* where) {
    ++*static_cast<int*>(where);
}

cudaGraph_t makeGraph() {
    cudaGraph_t graph = nullptr;
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    return graph;
}

cudaGraphExec_t instantiate(cudaGraph_t graph) {
    cudaGraphExec_t exec = nullptr;
    REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    return exec;
}

} // namespace

TEST_CASE("A node is found in a copy of its graph, and in no other graph") {
    FakeProgram program;
    const cudaGraph_t graph = makeGraph(), other = makeGraph();
    cudaGraphNode_t first = nullptr, second = nullptr, found = nullptr;
    REQUIRE(cudaGraphAddEmptyNode(&first, graph, nullptr, 0) == cudaSuccess);
    REQUIRE(cudaGraphAddEmptyNode(&second, graph, &first, 1) == cudaSuccess);
    cudaGraph_t copy = nullptr;
    REQUIRE(cudaGraphClone(&copy, graph) == cudaSuccess);
    REQUIRE(cudaGraphNodeFindInClone(&found, second, copy) == cudaSuccess);
    CHECK(found != second);
    cudaGraphNode_t before = nullptr;
    std::size_t count = 1;
    REQUIRE(cudaGraphNodeGetDependencies(found, &before, nullptr, &count) == cudaSuccess);
    cudaGraphNode_t firstCopy = nullptr;
    REQUIRE(cudaGraphNodeFindInClone(&firstCopy, first, copy) == cudaSuccess);
    CHECK((count == 1 && before == firstCopy));
    CHECK(cudaGraphNodeFindInClone(&found, second, other) == cudaErrorInvalidValue);
    CHECK(cudaGraphNodeFindInClone(&found, second, graph) == cudaErrorInvalidValue);
}

TEST_CASE("Nodes that copy from and to variables take other parameters, before and after instantiation") {
    FakeProgram program;
    const cudaGraph_t graph = makeGraph();
    cudaGraphNode_t in = nullptr, out = nullptr;
    int values[2] = {5, 6}, back[2] = {};
    REQUIRE(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, program.table(), &values[0], 4, 0,
                                           cudaMemcpyHostToDevice) == cudaSuccess);
    REQUIRE(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &in, 1, &back[0], program.table(), 4, 0,
                                             cudaMemcpyDeviceToHost) == cudaSuccess);
    REQUIRE(cudaGraphMemcpyNodeSetParamsToSymbol(in, program.table(), &values[1], 4, 8,
                                                 cudaMemcpyHostToDevice) == cudaSuccess);
    const cudaGraphExec_t exec = instantiate(graph);
    REQUIRE(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, out, &back[1], program.table(), 4, 8,
                                                       cudaMemcpyDeviceToHost) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    CHECK((back[0] == 0 && back[1] == 6));
    CHECK(cudaGraphMemcpyNodeSetParamsFromSymbol(out, &back[0], program.table(), 8, 60,
                                                 cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
}

TEST_CASE("Event nodes name their event, and take another") {
    FakeProgram program; // a microsecond each launch
    const cudaGraph_t graph = makeGraph();
    cudaEvent_t first = nullptr, second = nullptr, start = nullptr, seen = nullptr;
    for (cudaEvent_t* event : {&first, &second, &start})
        REQUIRE(cudaEventCreate(event) == cudaSuccess);
    cudaGraphNode_t record = nullptr, wait = nullptr;
    REQUIRE(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, first) == cudaSuccess);
    REQUIRE(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, first) == cudaSuccess);
    REQUIRE(cudaGraphEventRecordNodeGetEvent(record, &seen) == cudaSuccess);
    CHECK(seen == first);
    CHECK(cudaGraphEventRecordNodeGetEvent(wait, &seen) == cudaErrorInvalidValue);
    const cudaGraphExec_t exec = instantiate(graph);
    REQUIRE(cudaGraphExecEventRecordNodeSetEvent(exec, record, second) == cudaSuccess);
    REQUIRE(cudaEventRecord(start, nullptr) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    float milliseconds = 0;
    REQUIRE(cudaEventElapsedTime(&milliseconds, start, second) == cudaSuccess);
    CHECK(milliseconds == Approx(0.001));
    CHECK(cudaEventElapsedTime(&milliseconds, start, first) ==
          cudaErrorInvalidResourceHandle); // never recorded
}

TEST_CASE("A user object ends when the program, its graphs and what was made of them have let go") {
    FakeProgram program;
    int ended = 0;
    cudaUserObject_t object = nullptr;
    REQUIRE(cudaUserObjectCreate(&object, &ended, countUp, 2, cudaUserObjectNoDestructorSync) == cudaSuccess);
    const cudaGraph_t graph = makeGraph();
    REQUIRE(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove) == cudaSuccess);
    const cudaGraphExec_t exec = instantiate(graph);
    CHECK(cudaUserObjectRelease(object, 2) == cudaErrorInvalidValue); // one was moved
    REQUIRE(cudaUserObjectRelease(object, 1) == cudaSuccess);
    REQUIRE(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(ended == 0);
    REQUIRE(cudaGraphExecDestroy(exec) == cudaSuccess);
    CHECK(ended == 1);
    CHECK(cudaUserObjectRetain(object, 1) == cudaErrorInvalidValue);
    CHECK(cudaUserObjectCreate(&object, &ended, countUp, 1, 0) ==
          cudaErrorInvalidValue); // the flag is required
}

TEST_CASE("A graph gives back what it retained of a user object") {
    FakeProgram program;
    int ended = 0;
    cudaUserObject_t object = nullptr;
    REQUIRE(cudaUserObjectCreate(&object, &ended, countUp, 1, cudaUserObjectNoDestructorSync) == cudaSuccess);
    const cudaGraph_t graph = makeGraph();
    REQUIRE(cudaGraphRetainUserObject(graph, object, 2, 0) == cudaSuccess);
    REQUIRE(cudaUserObjectRelease(object, 1) == cudaSuccess);
    CHECK(cudaGraphReleaseUserObject(graph, object, 3) == cudaErrorInvalidValue);
    REQUIRE(cudaGraphReleaseUserObject(graph, object, 1) == cudaSuccess);
    CHECK(ended == 0);
    REQUIRE(cudaGraphReleaseUserObject(graph, object, 1) == cudaSuccess);
    CHECK(ended == 1);
}
