// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What a program issues behind a launch that waits for it.

#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

using namespace dormer::tests;

namespace {

/// A kernel that looks in vain so many times: each call that looks at it while it waits takes one.
constexpr int kLooks = 40;

struct Waiting : FakeProgram {
    cudaStream_t stream = nullptr, other = nullptr;
    unsigned char *pinned = nullptr, *device = nullptr;
    Waiting() {
        REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
        REQUIRE(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) == cudaSuccess);
        REQUIRE(cudaMallocHost(reinterpret_cast<void**>(&pinned), 4) == cudaSuccess);
        REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), 4) == cudaSuccess);
        pinned[0] = 1;
        waits = kLooks;
        REQUIRE(launch(nullptr, 0, 1, stream) == cudaSuccess);
        REQUIRE(cudaStreamQuery(stream) == cudaErrorNotReady);
    }
};

} // namespace

TEST_CASE("Asynchronous work behind a launch that waits is done later, in order") {
    Waiting program;
    unsigned char seen = 0;
    struct Look {
        const unsigned char* from;
        unsigned char* to;
    } look{program.pinned, &seen};
    cudaEvent_t done = nullptr;
    REQUIRE(cudaEventCreate(&done) == cudaSuccess);
    REQUIRE(cudaMemsetAsync(program.device, 9, 4, program.stream) == cudaSuccess);
    REQUIRE(cudaMemcpyAsync(program.pinned, program.device, 4, cudaMemcpyDeviceToHost, program.stream) ==
            cudaSuccess);
    REQUIRE(cudaLaunchHostFunc(
                program.stream,
                [](void* data) { *static_cast<Look*>(data)->to = *static_cast<Look*>(data)->from; },
                &look) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 2, 3, program.stream) == cudaSuccess);
    REQUIRE(cudaEventRecord(done, program.stream) == cudaSuccess);
    CHECK(cudaEventQuery(done) == cudaErrorNotReady);
    CHECK(program.launches.size() == 1);
    CHECK((program.pinned[0] == 1 && seen == 0));
    REQUIRE(program.launch(nullptr, 5, 1, program.other) == cudaSuccess); // nothing keeps it
    CHECK(program.launches.size() == 2);
    REQUIRE(cudaEventSynchronize(done) == cudaSuccess);
    REQUIRE(program.launches.size() == 3);
    CHECK(program.launches[2].grid.x == 3);
    CHECK((program.pinned[0] == 9 && seen == 9));
    CHECK(cudaStreamQuery(program.stream) == cudaSuccess);
}

TEST_CASE("Other streams wait for deferred work by its events") {
    Waiting program;
    cudaEvent_t done = nullptr;
    REQUIRE(cudaEventCreate(&done) == cudaSuccess);
    REQUIRE(cudaMemsetAsync(program.device, 7, 4, program.stream) == cudaSuccess);
    REQUIRE(cudaEventRecord(done, program.stream) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(program.other, done, 0) == cudaSuccess);
    REQUIRE(cudaMemcpyAsync(program.pinned, program.device, 4, cudaMemcpyDeviceToHost, program.other) ==
            cudaSuccess);
    CHECK(program.pinned[0] == 1);
    REQUIRE(cudaStreamSynchronize(program.other) == cudaSuccess);
    CHECK(program.pinned[0] == 7);
}

TEST_CASE("An event behind a launch that waits has the time of its end") {
    FakeProgram program; // a microsecond each
    cudaEvent_t start = nullptr, end = nullptr;
    REQUIRE(cudaEventCreate(&start) == cudaSuccess);
    REQUIRE(cudaEventCreate(&end) == cudaSuccess);
    REQUIRE(cudaEventRecord(start, nullptr) == cudaSuccess);
    program.waits = kLooks;
    REQUIRE(program.launch(nullptr, 0) == cudaSuccess);
    REQUIRE(cudaEventRecord(end, nullptr) == cudaSuccess);
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorNotReady);
    REQUIRE(cudaEventSynchronize(end) == cudaSuccess);
    REQUIRE(cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess);
    CHECK(milliseconds == Approx(0.001));
}

TEST_CASE("Graphs and memory that is freed take their turn") {
    Waiting program;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    cudaGraphNode_t node = nullptr;
    REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
    REQUIRE(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, program.pinned, program.device, 4,
                                     cudaMemcpyDeviceToHost) == cudaSuccess);
    REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    REQUIRE(cudaMemsetAsync(program.device, 5, 4, program.stream) == cudaSuccess);
    REQUIRE(cudaGraphLaunch(exec, program.stream) == cudaSuccess);
    REQUIRE(cudaFreeAsync(program.device, program.stream) == cudaSuccess);
    REQUIRE(cudaGraphExecDestroy(exec) == cudaSuccess); // it has been launched
    CHECK(program.runtime().memory().find(reinterpret_cast<std::uint64_t>(program.device)));
    REQUIRE(cudaStreamSynchronize(program.stream) == cudaSuccess);
    CHECK(program.pinned[0] == 5);
    CHECK_FALSE(program.runtime().memory().find(reinterpret_cast<std::uint64_t>(program.device)));
}

TEST_CASE("Copies of pageable memory wait, for the program may change it when they return") {
    Waiting program;
    unsigned char pageable[4] = {3, 3, 3, 3};
    REQUIRE(cudaMemcpyAsync(program.device, pageable, 4, cudaMemcpyHostToDevice, program.stream) ==
            cudaSuccess);
    pageable[0] = 4;
    CHECK(program.device[0] == 3);
    CHECK(cudaStreamQuery(program.stream) == cudaSuccess); // it ended the launch before
}
