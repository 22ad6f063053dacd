// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

#include "instrument/collect/process_facts.h"

#include <array>

using namespace dormer;
using namespace dormer::tests;

namespace {

instrument::stream::CollectOptions everyLaunch() {
    instrument::stream::CollectOptions options;
    options.everyLaunch = true;
    return options;
}

constexpr std::size_t kBytes = 1024;

struct Memories {
    Memories() {
        REQUIRE(cudaMalloc(&device, kBytes) == cudaSuccess);
        REQUIRE(cudaMallocHost(&pinned, kBytes) == cudaSuccess);
        REQUIRE(cudaMallocManaged(&managed, kBytes, cudaMemAttachGlobal) == cudaSuccess);
    }
    void *device = nullptr, *pinned = nullptr, *managed = nullptr;
    std::array<std::byte, kBytes> pageable{};
};

} // namespace

TEST_CASE("Copies and fills tell what they moved, from where to where, and no time") {
    FakeProgram program("H100", everyLaunch(), true);
    Memories m;
    REQUIRE(cudaMemcpy(m.device, m.pageable.data(), kBytes, cudaMemcpyHostToDevice) == cudaSuccess);
    REQUIRE(cudaMemcpyAsync(m.pinned, m.device, 100, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
    REQUIRE(cudaMemcpy(m.managed, m.pinned, 7, cudaMemcpyDefault) == cudaSuccess);
    REQUIRE(cudaMemcpy2D(m.device, 64, m.pageable.data(), 32, 16, 4, cudaMemcpyDefault) == cudaSuccess);
    REQUIRE(cudaMemset(m.device, 0, 12) == cudaSuccess);
    REQUIRE(cudaMemcpy(m.device, m.pinned, 0, cudaMemcpyDefault) == cudaSuccess); // moves nothing
    program.recorder().programEnds();
    const auto transfers = program.all<session::Transfer>();
    REQUIRE(transfers.size() == 4);
    // The copy of 4 rows of 16 bytes is like the first but for its size.
    CHECK((transfers[0].kind == session::TransferKind::Copy &&
           transfers[0].direction == session::TransferDirection::HostToDevice));
    CHECK((transfers[0].source == session::MemoryKind::Pageable &&
           transfers[0].destination == session::MemoryKind::Device));
    CHECK((transfers[0].count == 2 && transfers[0].bytes == kBytes + 64 && !transfers[0].asynchronous));
    CHECK((!transfers[0].durationNs && !transfers[0].callNs));
    CHECK((transfers[1].direction == session::TransferDirection::DeviceToHost &&
           transfers[1].destination == session::MemoryKind::Pinned));
    CHECK((transfers[1].bytes == 100 && transfers[1].asynchronous));
    CHECK((transfers[2].source == session::MemoryKind::Pinned &&
           transfers[2].destination == session::MemoryKind::Managed));
    CHECK((transfers[3].kind == session::TransferKind::Fill &&
           transfers[3].destination == session::MemoryKind::Device && transfers[3].bytes == 12));
}

TEST_CASE("A thousand equal copies of a run are one record, the next run's are another") {
    FakeProgram program("H100", {}, true);
    Memories m;
    REQUIRE(program.recorder().nextPass());
    for (int run = 0; run < 2; ++run) {
        instrument::collect::enterWorkload("transfer/many");
        for (int i = 0; i < 1000; ++i)
            REQUIRE(cudaMemcpy(m.device, m.pageable.data(), 4, cudaMemcpyHostToDevice) == cudaSuccess);
        instrument::collect::leaveWorkload();
    }
    CHECK_FALSE(program.recorder().nextPass());
    REQUIRE(cudaMemcpy(m.device, m.pageable.data(), 4, cudaMemcpyHostToDevice) == cudaSuccess); // outside
    program.recorder().programEnds();
    const auto transfers = program.all<session::Transfer>();
    REQUIRE(transfers.size() == 2);
    for (const session::Transfer& transfer : transfers)
        CHECK((transfer.count == 1000 && transfer.bytes == 4000 && transfer.workload == "transfer/many"));
    CHECK(program.all<session::MemoryCall>().empty()); // all outside the pass
}

TEST_CASE("Calls for memory go by the names a driver has for them, with their bytes and no time") {
    FakeProgram program("H100", everyLaunch(), true);
    Memories m;
    REQUIRE(cudaMemPrefetchAsync(m.managed, kBytes, {cudaMemLocationTypeDevice, 0}, 0, nullptr) ==
            cudaSuccess);
    REQUIRE(cudaMemAdvise(m.managed, 10, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}) ==
            cudaSuccess);
    REQUIRE(cudaHostRegister(m.pageable.data(), kBytes, 0) == cudaSuccess);
    REQUIRE(cudaHostUnregister(m.pageable.data()) == cudaSuccess);
    void* pooled = nullptr;
    REQUIRE(cudaMallocAsync(&pooled, 64, nullptr) == cudaSuccess);
    REQUIRE(cudaFreeAsync(pooled, nullptr) == cudaSuccess);
    REQUIRE(cudaFree(m.device) == cudaSuccess);
    REQUIRE(cudaFreeHost(m.pinned) == cudaSuccess);
    REQUIRE(cudaFree(nullptr) == cudaSuccess); // gives nothing back
    program.recorder().programEnds();
    std::vector<std::string> seen;
    for (const session::MemoryCall& call : program.all<session::MemoryCall>()) {
        seen.push_back(call.call + " " + std::string(toString(call.memory)) + " " +
                       std::to_string(call.bytes));
        CHECK(call.count == 1);
        CHECK_FALSE(call.durationNs);
    }
    CHECK(seen == std::vector<std::string>{"cuMemAlloc device 1024", "cuMemHostAlloc pinned 1024",
                                           "cuMemAllocManaged managed 1024",
                                           "cuMemPrefetchAsync managed 1024", "cuMemAdvise managed 10",
                                           "cuMemHostRegister pinned 1024", "cuMemHostUnregister pinned 0",
                                           "cuMemAllocAsync device 64", "cuMemFreeAsync device 0",
                                           "cuMemFree  0", "cuMemFreeHost pinned 0"});
}
