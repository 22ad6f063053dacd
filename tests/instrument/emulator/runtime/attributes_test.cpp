// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

using namespace dormer::tests;

namespace {

cudaLaunchAttributeValue window(void* base, std::size_t bytes, float hits,
                                cudaAccessProperty missed = cudaAccessPropertyStreaming) {
    cudaLaunchAttributeValue value = {};
    value.accessPolicyWindow = {base, bytes, hits, cudaAccessPropertyPersisting, missed};
    return value;
}

cudaLaunchAttributeValue cluster(unsigned x) {
    cudaLaunchAttributeValue value = {};
    value.clusterDim = {x, 1, 1};
    return value;
}

/// A graph of one node that launches 16 blocks of 128 threads.
struct KernelNode {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    explicit KernelNode(FakeProgram& program) {
        void* to = nullptr;
        int count = 1;
        void* arguments[] = {&to, &count};
        cudaKernelNodeParams parameters = {};
        parameters.func = const_cast<void*>(program.add());
        parameters.gridDim = dim3(16);
        parameters.blockDim = dim3(128);
        parameters.kernelParams = arguments;
        REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
        REQUIRE(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters) == cudaSuccess);
    }
};

} // namespace

TEST_CASE("A stream keeps its attributes, and gives those of another to a third") {
    FakeProgram program;
    cudaStream_t stream = nullptr, other = nullptr;
    REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, -3) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&other) == cudaSuccess);
    cudaLaunchAttributeValue value = {};
    // What CUDA documents for one that nobody set.
    REQUIRE(cudaStreamGetAttribute(stream, cudaLaunchAttributeSynchronizationPolicy, &value) == cudaSuccess);
    CHECK(value.syncPolicy == cudaSyncPolicyAuto);
    REQUIRE(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &value) == cudaSuccess);
    CHECK(value.priority == -3);
    REQUIRE(cudaStreamGetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &value) == cudaSuccess);
    CHECK(value.accessPolicyWindow.num_bytes == 0);

    int base = 0;
    const auto set = window(&base, 1 << 20, 0.5F);
    REQUIRE(cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &set) == cudaSuccess);
    REQUIRE(cudaStreamCopyAttributes(other, stream) == cudaSuccess);
    REQUIRE(cudaStreamGetAttribute(other, cudaLaunchAttributeAccessPolicyWindow, &value) == cudaSuccess);
    CHECK(value.accessPolicyWindow.base_ptr == &base);
    CHECK(value.accessPolicyWindow.num_bytes == 1 << 20);
    CHECK(value.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);

    // Misses can't persist, a ratio is at most 1, a window no larger than the device's limit (128 MiB).
    for (const auto& wrong : {window(&base, 64, 0.5F, cudaAccessPropertyPersisting), window(&base, 64, 1.5F),
                              window(&base, (128u << 20) + 1, 1)})
        CHECK(cudaStreamSetAttribute(stream, cudaLaunchAttributeAccessPolicyWindow, &wrong) ==
              cudaErrorInvalidValue);
    // A kernel's own, not a stream's.
    CHECK(cudaStreamSetAttribute(stream, cudaLaunchAttributeClusterDimension, &set) == cudaErrorInvalidValue);
    REQUIRE(cudaStreamDestroy(other) == cudaSuccess);
    CHECK(cudaStreamGetAttribute(other, cudaLaunchAttributePriority, &value) ==
          cudaErrorInvalidResourceHandle);
}

TEST_CASE("Attributes of a kernel node change its launch, and are checked as a launch's are") {
    FakeProgram program;
    const KernelNode kernel(program), second(program);
    cudaLaunchAttributeValue value = cluster(4);
    REQUIRE(cudaGraphKernelNodeSetAttribute(kernel.node, cudaLaunchAttributeClusterDimension, &value) ==
            cudaSuccess);
    value = cluster(5); // 16 blocks are no multiple of it
    CHECK(cudaGraphKernelNodeSetAttribute(kernel.node, cudaLaunchAttributeClusterDimension, &value) ==
          cudaErrorInvalidClusterSize);
    REQUIRE(cudaGraphKernelNodeGetAttribute(kernel.node, cudaLaunchAttributeClusterDimension, &value) ==
            cudaSuccess);
    CHECK((value.clusterDim.x == 4 && value.clusterDim.y == 1 && value.clusterDim.z == 1));
    value = {};
    value.cooperative = 1;
    REQUIRE(cudaGraphKernelNodeSetAttribute(kernel.node, cudaLaunchAttributeCooperative, &value) ==
            cudaSuccess);
    value.priority = -2;
    REQUIRE(cudaGraphKernelNodeSetAttribute(kernel.node, cudaLaunchAttributePriority, &value) == cudaSuccess);

    REQUIRE(cudaGraphKernelNodeCopyAttributes(second.node, kernel.node) == cudaSuccess);
    REQUIRE(cudaGraphKernelNodeGetAttribute(second.node, cudaLaunchAttributeClusterDimension, &value) ==
            cudaSuccess);
    CHECK(value.clusterDim.x == 4);
    REQUIRE(cudaGraphKernelNodeGetAttribute(second.node, cudaLaunchAttributeCooperative, &value) ==
            cudaSuccess);
    CHECK(value.cooperative == 1);
    REQUIRE(cudaGraphKernelNodeGetAttribute(second.node, cudaLaunchAttributePriority, &value) == cudaSuccess);
    CHECK(value.priority == -2);
    cudaGraphNode_t empty = nullptr;
    REQUIRE(cudaGraphAddEmptyNode(&empty, kernel.graph, nullptr, 0) == cudaSuccess);
    CHECK(cudaGraphKernelNodeGetAttribute(empty, cudaLaunchAttributePriority, &value) ==
          cudaErrorInvalidValue);
}

TEST_CASE("A kernel's attributes name the size of its clusters, unless it was compiled with one") {
    FakeProgram program;
    REQUIRE(cudaFuncSetAttribute(program.add(), cudaFuncAttributeRequiredClusterWidth, 4) == cudaSuccess);
    REQUIRE(cudaFuncSetAttribute(program.add(), cudaFuncAttributeRequiredClusterHeight, 1) == cudaSuccess);
    REQUIRE(cudaFuncSetAttribute(program.add(), cudaFuncAttributeRequiredClusterDepth, 1) == cudaSuccess);
    cudaFuncAttributes attributes = {};
    REQUIRE(cudaFuncGetAttributes(&attributes, program.add()) == cudaSuccess);
    CHECK((attributes.requiredClusterWidth == 4 && attributes.requiredClusterHeight == 1));
    CHECK(program.launch(nullptr, 1, 8) == cudaSuccess);
    CHECK(program.launch(nullptr, 1, 6) == cudaErrorInvalidClusterSize);
    program.kernel.kernelFacts.cluster = {2, 1, 1};
    CHECK(cudaFuncSetAttribute(program.add(), cudaFuncAttributeRequiredClusterWidth, 4) ==
          cudaErrorNotPermitted);
    CHECK(cudaFuncSetAttribute(program.add(), cudaFuncAttributeClusterDimMustBeSet, 1) ==
          cudaErrorNotPermitted);
}

TEST_CASE("Occupancy of clusters follows from the blocks an SM holds") {
    FakeProgram program; // an H100: 132 SMs of 2048 threads, 32 registers per thread
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val = cluster(4);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(64);
    config.blockDim = dim3(1024);
    config.attrs = &attribute;
    config.numAttrs = 1;
    int clusters = 0, size = 0;
    REQUIRE(cudaOccupancyMaxActiveClusters(&clusters, program.add(), &config) == cudaSuccess);
    CHECK(clusters == 132 * 2 / 4);
    REQUIRE(cudaOccupancyMaxPotentialClusterSize(&size, program.add(), &config) == cudaSuccess);
    CHECK(size == 8);
    REQUIRE(cudaFuncSetAttribute(program.add(), cudaFuncAttributeNonPortableClusterSizeAllowed, 1) ==
            cudaSuccess);
    REQUIRE(cudaOccupancyMaxPotentialClusterSize(&size, program.add(), &config) == cudaSuccess);
    CHECK(size == 16);
    attribute.val = cluster(32);
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, program.add(), &config) == cudaErrorInvalidClusterSize);
    const FakeProgram older("A100");
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, older.add(), &config) == cudaErrorInvalidValue);
}

TEST_CASE("An event of a launch attribute fires when its kernel has run") {
    FakeProgram program; // a microsecond each
    cudaEvent_t start = nullptr, fired = nullptr;
    REQUIRE(cudaEventCreate(&start) == cudaSuccess);
    REQUIRE(cudaEventCreate(&fired) == cudaSuccess);
    REQUIRE(cudaEventRecord(start, nullptr) == cudaSuccess);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
    attribute.val.launchCompletionEvent = {fired, 0};
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = dim3(1);
    config.attrs = &attribute;
    config.numAttrs = 1;
    void* to = nullptr;
    int count = 1;
    void* arguments[] = {&to, &count};
    REQUIRE(cudaLaunchKernelExC(&config, program.add(), arguments) == cudaSuccess);
    float milliseconds = 0;
    REQUIRE(cudaEventElapsedTime(&milliseconds, start, fired) == cudaSuccess);
    CHECK(milliseconds == Approx(0.001));
    attribute.val.launchCompletionEvent = {nullptr, 0};
    CHECK(cudaLaunchKernelExC(&config, program.add(), arguments) == cudaErrorInvalidResourceHandle);
}
