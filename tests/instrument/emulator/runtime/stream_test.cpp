// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/runtime/fake_runtime.h"
#include "tests/support/catch.h"

using namespace dormer::tests;

namespace {

struct Timer {
    cudaEvent_t start = nullptr, end = nullptr;
    Timer() {
        REQUIRE(cudaEventCreate(&start) == cudaSuccess);
        REQUIRE(cudaEventCreate(&end) == cudaSuccess);
    }
    /// Microseconds.
    [[nodiscard]] float elapsed() const {
        float milliseconds = -1;
        REQUIRE(cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess);
        return milliseconds * 1000;
    }
};

cudaStream_t makeStream(unsigned flags = cudaStreamDefault) {
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreateWithFlags(&stream, flags) == cudaSuccess);
    return stream;
}

} // namespace

TEST_CASE("Events measure the predicted time of the kernels between them") {
    FakeProgram program; // a microsecond each
    const Timer timer;
    REQUIRE(cudaEventRecord(timer.start, nullptr) == cudaSuccess);
    for (int i = 0; i < 3; ++i)
        REQUIRE(program.launch(nullptr, i) == cudaSuccess);
    REQUIRE(cudaEventRecord(timer.end, nullptr) == cudaSuccess);
    CHECK(timer.elapsed() == Approx(3));
    // The first was counted to be predicted, its like are known.
    CHECK(program.launches[0].counted);
    CHECK_FALSE(program.launches[2].counted);
}

TEST_CASE("Streams run side by side, and meet at events and at the default stream") {
    FakeProgram program;
    const Timer timer;
    const cudaStream_t a = makeStream(), b = makeStream();
    REQUIRE(cudaEventRecord(timer.start, a) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 1, 1, a) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 1, 1, a) == cudaSuccess);
    REQUIRE(program.launch(nullptr, 1, 1, b) == cudaSuccess);
    REQUIRE(cudaEventRecord(timer.end, b) == cudaSuccess);
    CHECK(timer.elapsed() == Approx(1)); // beside a's two
    REQUIRE(cudaEventRecord(timer.end, a) == cudaSuccess);
    REQUIRE(cudaStreamWaitEvent(b, timer.end, 0) == cudaSuccess);
    REQUIRE(cudaEventRecord(timer.end, b) == cudaSuccess);
    CHECK(timer.elapsed() == Approx(2));
    REQUIRE(program.launch(nullptr, 1) == cudaSuccess); // the default stream waits for both
    REQUIRE(cudaEventRecord(timer.end, nullptr) == cudaSuccess);
    CHECK(timer.elapsed() == Approx(3));
    REQUIRE(program.launch(nullptr, 1, 1, a) == cudaSuccess); // and they for it
    REQUIRE(cudaEventRecord(timer.end, a) == cudaSuccess);
    CHECK(timer.elapsed() == Approx(4));
    const cudaStream_t free = makeStream(cudaStreamNonBlocking);
    REQUIRE(cudaEventRecord(timer.end, free) == cudaSuccess);
    CHECK(timer.elapsed() == Approx(0)); // waits for nobody
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    REQUIRE(cudaEventRecord(timer.end, free) == cudaSuccess);
    CHECK(timer.elapsed() == Approx(4)); // but the host did
}

TEST_CASE("Times that were not taken can't be told") {
    FakeProgram program;
    const Timer timer;
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, timer.start, timer.end) == cudaErrorInvalidResourceHandle);
    cudaEvent_t untimed = nullptr;
    REQUIRE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
    REQUIRE(cudaEventRecord(untimed, nullptr) == cudaSuccess);
    CHECK(cudaEventElapsedTime(&milliseconds, untimed, untimed) == cudaErrorInvalidResourceHandle);
    CHECK(cudaEventQuery(untimed) == cudaSuccess);
    REQUIRE(cudaEventDestroy(untimed) == cudaSuccess);
    CHECK(cudaEventRecord(untimed, nullptr) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("Streams keep what they were made with and are unknown once destroyed") {
    FakeProgram program;
    cudaStream_t stream = nullptr;
    REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -2) == cudaSuccess);
    unsigned flags = 0;
    int priority = 0, least = 9, greatest = 9;
    CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
    CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
    CHECK((flags == cudaStreamNonBlocking && priority == -2));
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
    CHECK((least == 0 && greatest < 0));
    REQUIRE(cudaStreamDestroy(stream) == cudaSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
    CHECK(program.launch(nullptr, 1, 1, stream) != cudaSuccess);
}

TEST_CASE("Host functions run in their place and may call the runtime") {
    FakeProgram program;
    int device = -1;
    const auto ask = [](void* where) { cudaGetDevice(static_cast<int*>(where)); };
    REQUIRE(cudaLaunchHostFunc(nullptr, ask, &device) == cudaSuccess);
    CHECK(device == 0);
    cudaError_t status = cudaErrorUnknown;
    const auto keep = [](cudaStream_t, cudaError_t error, void* where) {
        *static_cast<cudaError_t*>(where) = error;
    };
    REQUIRE(cudaStreamAddCallback(nullptr, keep, &status, 0) == cudaSuccess);
    CHECK(status == cudaSuccess);
}

TEST_CASE("A launch that waits for others stays under way until somebody has to wait for it") {
    dormer::instrument::stream::CollectOptions options;
    options.everyLaunch = true;
    FakeProgram program("H100", options, true);
    cudaStream_t first = nullptr, second = nullptr;
    REQUIRE(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking) == cudaSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking) == cudaSuccess);
    program.waits = 6;
    REQUIRE(program.launch(nullptr, 0, 1, first) == cudaSuccess);
    CHECK(cudaStreamQuery(first) == cudaErrorNotReady);
    CHECK(cudaGetLastError() == cudaErrorNotReady);
    CHECK(cudaStreamQuery(second) == cudaSuccess);
    CHECK(program.all<dormer::session::Launch>().empty());
    REQUIRE(program.launch(nullptr, 0, 1, second) == cudaSuccess);
    CHECK(program.all<dormer::session::Launch>().size() == 1); // the second one's
    REQUIRE(cudaStreamSynchronize(first) == cudaSuccess);
    CHECK(program.all<dormer::session::Launch>().size() == 2);
    CHECK(cudaStreamQuery(first) == cudaSuccess);
}

TEST_CASE("A launch that waits in vain is given up at the limit, with its kernel and what to do") {
    dormer::instrument::stream::CollectOptions options;
    options.timeLimitSeconds = 0.05;
    FakeProgram program("H100", options, true);
    program.waits = 1'000'000;
    REQUIRE(program.launch(nullptr, 0) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaErrorLaunchTimeout);
    const auto notes = program.all<dormer::session::Note>();
    const bool said = std::ranges::any_of(notes, [](const dormer::session::Note& note) {
        return note.text.find("add: this thread waits for") != std::string::npos &&
               note.text.find("after 0.05 s") != std::string::npos &&
               note.text.find("--time-limit") != std::string::npos;
    });
    CHECK(said);
    CHECK(cudaStreamSynchronize(nullptr) == cudaErrorLaunchTimeout); // the context is lost
}

TEST_CASE("Kernels that read a clock are told when they begin, though nobody times them") {
    FakeProgram program; // a microsecond each
    program.kernel.kernelFacts.readsClock = true;
    for (int i = 0; i < 3; ++i)
        REQUIRE(program.launch(nullptr, 0) == cudaSuccess);
    REQUIRE(program.launches.size() == 3);
    CHECK(program.launches[0].beginNs == 0);
    CHECK(program.launches[1].beginNs == 1000);
    CHECK(program.launches[2].beginNs == 2000);
}
