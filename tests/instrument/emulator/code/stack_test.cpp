// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

using namespace dormer;
using emulator::memory::Fault;
using tests::EmulatedKernel;

namespace {

constexpr session::Dim3 kThreads{64, 1, 1};

struct Rig : EmulatedKernel {
    Rig() : EmulatedKernel(tests::kernelFile("stack")) {}
    template <typename... Arguments>
    std::vector<int> run(const std::string& name, Arguments... arguments) {
        int* out = upload(std::vector<int>(kThreads.x, -1));
        const auto outcome = launch(name, {1, 1, 1}, kThreads, out, arguments...);
        INFO(name);
        if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
        return {out, out + kThreads.x};
    }
};

} // namespace

TEST_CASE("A thread takes as much of its stack as the launch says") {
    for (const int n : {1, 10, 1000}) {
        const std::vector<int> out = Rig().run("sumBackwards", n);
        for (unsigned t = 0; t < kThreads.x; ++t) {
            unsigned sum = 0; // wraps as on a GPU
            for (int i = n - 1; i >= 0; --i)
                sum = 3 * sum + static_cast<unsigned>(i) * t;
            REQUIRE(out[t] == static_cast<int>(sum));
        }
    }
}

TEST_CASE("Rooms of one thread's stack lie apart, of another size in each lane") {
    const std::vector<int> out = Rig().run("twoRooms");
    for (unsigned t = 0; t < kThreads.x; ++t)
        REQUIRE(out[t] == 201 * static_cast<int>(1 + t % 7));
}

TEST_CASE("What a function takes of the stack ends with it") {
    constexpr int kTimes = 500, kEntries = 1000; // 2 MB in all
    int once = 0;
    for (int i = 0; i < kEntries; ++i)
        once += (i + 1) * (kEntries - 1 - i);
    unsigned sum = 0; // wraps as on a GPU
    for (int i = 0; i < kTimes; ++i)
        sum += static_cast<unsigned>(once);
    for (const int value : Rig().run("callOften", kTimes, kEntries))
        REQUIRE(value == static_cast<int>(sum));
}

TEST_CASE("A thread that takes more than its stack has is stopped") {
    Rig rig;
    const auto outcome = rig.launch("takeTooMuch", {1, 1, 1}, kThreads, rig.allocate<int>(64), 1 << 24);
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().kind == Fault::Kind::OutOfMemory);
    CHECK_THAT(outcome.error().detail, Catch::Contains("alloca of 16777216 bytes"));
}
