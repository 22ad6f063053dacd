// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Memory operations of streams: what waits for a word in memory, and who writes it.

#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

#include <cuda.h>

#include <algorithm>
#include <thread>

using namespace dormer;
using namespace dormer::tests;

namespace {

/// Two streams, words of device memory and one of page-locked host memory.
struct Words : FakeProgram {
    explicit Words(instrument::stream::CollectOptions options = {}, bool recorded = false)
        : FakeProgram("H100", options, recorded) {
        REQUIRE(cuInit(0) == CUDA_SUCCESS);
        REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
        REQUIRE(cuCtxSetCurrent(context) == CUDA_SUCCESS);
        REQUIRE(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
        REQUIRE(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
        REQUIRE(cuMemAlloc(&device, 64) == CUDA_SUCCESS);
        REQUIRE(cuMemsetD32(device, 0, 16) == CUDA_SUCCESS);
        REQUIRE(cuMemHostAlloc(reinterpret_cast<void**>(&host), 64, CU_MEMHOSTALLOC_DEVICEMAP) ==
                CUDA_SUCCESS);
        *host = 0;
    }
    ~Words() {
        (void)cuCtxSetCurrent(nullptr);
        (void)cuDevicePrimaryCtxRelease(0);
    }
    [[nodiscard]] CUdeviceptr hostWord() const { return reinterpret_cast<CUdeviceptr>(host); }
    [[nodiscard]] unsigned read(std::size_t word) const {
        unsigned value = 0;
        REQUIRE(cuMemcpyDtoH(&value, device + 4 * word, 4) == CUDA_SUCCESS);
        return value;
    }

    CUcontext context = nullptr;
    CUstream stream = nullptr, other = nullptr;
    CUdeviceptr device = 0;
    unsigned* host = nullptr;
};

} // namespace

TEST_CASE("A stream waits for a word that another stream writes") {
    Words program;
    REQUIRE(cuStreamWaitValue32(program.stream, program.device, 3, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
    REQUIRE(cuMemsetD32Async(program.device + 4, 7, 1, program.stream) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(program.stream) == CUDA_ERROR_NOT_READY);
    CHECK(program.read(1) == 0);
    REQUIRE(cuStreamWriteValue32(program.other, program.device, 2, 0) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(program.stream) == CUDA_ERROR_NOT_READY);
    REQUIRE(cuStreamWriteValue32(program.other, program.device, 3, 0) == CUDA_SUCCESS);
    REQUIRE(cuStreamSynchronize(program.stream) == CUDA_SUCCESS);
    CHECK(program.read(1) == 7);
}

TEST_CASE("A launch behind a word that the host writes runs once it is there") {
    Words program;
    REQUIRE(cuStreamWaitValue32(program.stream, program.hostWord(), 1, CU_STREAM_WAIT_VALUE_GEQ) ==
            CUDA_SUCCESS);
    REQUIRE(program.launch(nullptr, 0, 1, program.stream) == cudaSuccess);
    CHECK(program.launches.empty());
    std::thread host([&] { __atomic_store_n(program.host, 1U, __ATOMIC_RELEASE); });
    CHECK(cuStreamSynchronize(program.stream) == CUDA_SUCCESS);
    host.join();
    CHECK(program.launches.size() == 1);
}

TEST_CASE("A wait is over by the comparison that its flag names") {
    struct Case {
        unsigned flag, now, value;
        bool over;
    };
    // cuda.h, CUstreamWaitValue_flags
    const Case cases[] = {
        {CU_STREAM_WAIT_VALUE_GEQ, 5, 5, true},
        {CU_STREAM_WAIT_VALUE_GEQ, 4, 5, false},
        {CU_STREAM_WAIT_VALUE_GEQ, 1, 0xFFFFFFFF, true}, // cyclic: 2 ahead
        {CU_STREAM_WAIT_VALUE_GEQ, 0xFFFFFFFF, 1, false},
        {CU_STREAM_WAIT_VALUE_EQ, 6, 5, false},
        {CU_STREAM_WAIT_VALUE_AND, 6, 2, true},
        {CU_STREAM_WAIT_VALUE_AND, 6, 1, false},
        {CU_STREAM_WAIT_VALUE_NOR, 0xFFFF0000, 0x0000FFFF, false},
        {CU_STREAM_WAIT_VALUE_NOR, 0xFFFF0000, 0x0000FFFE, true},
        {CU_STREAM_WAIT_VALUE_EQ | CU_STREAM_WAIT_VALUE_FLUSH, 5, 5, true},
    };
    for (const Case& each : cases) {
        Words program;
        CAPTURE(each.flag, each.now, each.value);
        *program.host = each.now;
        REQUIRE(cuStreamWaitValue32(program.stream, program.hostWord(), each.value, each.flag) ==
                CUDA_SUCCESS);
        CHECK((cuStreamQuery(program.stream) == CUDA_SUCCESS) == each.over);
        *program.host = each.flag == CU_STREAM_WAIT_VALUE_NOR ? 0 : each.value; // lets it go
        CHECK(cuStreamSynchronize(program.stream) == CUDA_SUCCESS);
    }
}

TEST_CASE("Words of 64 bits are compared and written whole, batches in order") {
    Words program;
    CUstreamBatchMemOpParams ops[3] = {};
    ops[0].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_64, program.device + 8, {}, 0, 0};
    ops[0].writeValue.value64 = 0x1'0000'0002;
    ops[1].waitValue = {CU_STREAM_MEM_OP_WAIT_VALUE_64, program.device + 8, {}, CU_STREAM_WAIT_VALUE_EQ, 0};
    ops[1].waitValue.value64 = 0x1'0000'0002;
    ops[2].writeValue = {CU_STREAM_MEM_OP_WRITE_VALUE_32, program.device, {}, 0, 0};
    ops[2].writeValue.value = 9;
    REQUIRE(cuStreamBatchMemOp(program.stream, 3, ops, 0) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(program.stream) == CUDA_SUCCESS);
    CHECK(program.read(2) == 2);
    CHECK(program.read(3) == 1);
    CHECK(program.read(0) == 9);
    REQUIRE(cuStreamWaitValue64(program.stream, program.device + 8, 0x2'0000'0002,
                                CU_STREAM_WAIT_VALUE_GEQ) == CUDA_SUCCESS);
    CHECK(cuStreamQuery(program.stream) == CUDA_ERROR_NOT_READY);
    REQUIRE(cuStreamWriteValue64(program.other, program.device + 8, 0x2'0000'0003, 0) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(program.stream) == CUDA_SUCCESS);
}

TEST_CASE("Words that are no memory of the device's, or not aligned, are refused") {
    Words program;
    unsigned pageable = 0;
    const auto refused = [&](CUdeviceptr address) {
        return cuStreamWaitValue32(program.stream, address, 1, CU_STREAM_WAIT_VALUE_GEQ) ==
                   CUDA_ERROR_INVALID_VALUE &&
               cuStreamWriteValue32(program.stream, address, 1, 0) == CUDA_ERROR_INVALID_VALUE;
    };
    CHECK(refused(reinterpret_cast<CUdeviceptr>(&pageable)));
    CHECK(refused(program.device + 2));
    CHECK(refused(program.device + 64));
    CHECK(cuStreamWriteValue64(program.stream, program.device + 4, 1, 0) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuStreamWaitValue32(program.stream, program.device, 1, 4) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuStreamWriteValue32(program.stream, program.device, 1, 0) == CUDA_SUCCESS);
}

TEST_CASE("A word that nobody writes is given up at the limit, and says what was waited for") {
    instrument::stream::CollectOptions options;
    options.timeLimitSeconds = 0.05;
    Words program(options, true);
    REQUIRE(cuStreamWaitValue32(program.stream, program.device, 1, CU_STREAM_WAIT_VALUE_EQ) == CUDA_SUCCESS);
    CHECK(cuStreamSynchronize(program.stream) == CUDA_ERROR_LAUNCH_TIMEOUT);
    const auto notes = program.all<session::Note>();
    CHECK(std::ranges::any_of(notes, [](const session::Note& note) {
        return note.text.find("a stream waits for a value in memory (cuStreamWaitValue)") !=
                   std::string::npos &&
               note.text.find("given up after 0.05 s (--time-limit)") != std::string::npos;
    }));
}
