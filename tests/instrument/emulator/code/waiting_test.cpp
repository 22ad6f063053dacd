// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <tuple>

using namespace dormer;
using emulator::memory::Fault;
using tests::EmulatedKernel;

namespace {

/// Runs kernels of waiting.cu. None needs a fraction of the time limit.
struct Rig : EmulatedKernel {
    explicit Rig(unsigned threads) : EmulatedKernel(tests::kernelFile("waiting"), threads) {
        timeLimit = std::chrono::seconds(60);
    }

    template <typename... Arguments>
    emulator::engine::LaunchOutcome expect(const std::string& name, session::Dim3 grid, session::Dim3 block,
                                           Arguments... arguments) {
        auto outcome = launch(name, grid, block, arguments...);
        INFO(name);
        if (!outcome) FAIL(emulator::memory::describe(outcome.error()));
        return std::move(*outcome);
    }
};

/// All that a launch counts of instructions and of what they request.
using Counts = std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t>>;

Counts countsOf(const emulator::engine::LaunchOutcome& outcome) {
    Counts all{
        {"warp instructions", outcome.counts.ptxInstructions, outcome.counts.ptxThreadInstructions,
         outcome.counts.barriers},
        {"L1", outcome.traffic.l1LookupHits, outcome.traffic.l1LookupMisses, outcome.traffic.l1LoadSectors},
        {"L2", outcome.traffic.l2Reads, outcome.traffic.l2Writes, outcome.traffic.l2Atomics}};
    for (const emulator::engine::CountedInstruction& each : outcome.instructions)
        all.emplace_back(std::string(each.text), each.counts.executions, each.counts.threads,
                         each.counts.sectors + each.counts.divergent);
    return all;
}

std::uint64_t executionsOf(const emulator::engine::LaunchOutcome& outcome, std::string_view part) {
    std::uint64_t sum = 0;
    for (const emulator::engine::CountedInstruction& each : outcome.instructions)
        if (each.text.find(part) != std::string_view::npos) sum += each.counts.executions;
    return sum;
}

} // namespace

TEST_CASE("A wait counts as the look that ends it, on any number of threads and in every run") {
    constexpr int kBlocks = 40, kThreads = 64, kRounds = 12;
    const std::uint64_t looks = std::uint64_t{kBlocks} * kRounds;
    for (const std::string kernel : {"meetInRounds", "meetAndSleep", "meetAsGrid"}) {
        Counts first;
        for (const unsigned threads : {1U, 2U, 4U, 4U, 3U}) {
            Rig rig(threads);
            int* arrived = rig.upload(std::vector<int>{0});
            int* out = rig.upload(std::vector<int>(kBlocks * kThreads, 0));
            const auto outcome =
                kernel == "meetAsGrid"
                    ? rig.expect(kernel, {kBlocks, 1, 1}, {kThreads, 1, 1}, out, kRounds)
                    : rig.expect(kernel, {kBlocks, 1, 1}, {kThreads, 1, 1}, arrived, out, kRounds);
            CAPTURE(kernel, threads);
            CHECK(std::all_of(out, out + kBlocks * kThreads,
                              [](int value) { return value == kRounds * (kRounds + 1) / 2; }));
            CHECK(executionsOf(outcome, kernel == "meetAsGrid" ? "ld.acquire" : "ld.volatile") == looks);
            CHECK(executionsOf(outcome, "atom") == looks);
            if (first.empty()) first = countsOf(outcome);
            CHECK(countsOf(outcome) == first);
        }
    }
}

TEST_CASE("Waits in a row count one look each") {
    constexpr int kBlocks = 200;
    for (const unsigned threads : {1U, 2U, 4U}) {
        Rig rig(threads);
        int* ready = rig.upload(std::vector<int>(kBlocks, 0));
        int* done = rig.upload(std::vector<int>(kBlocks, 0));
        const auto outcome = rig.expect("passOn", {kBlocks, 1, 1}, {32, 1, 1}, ready, done);
        CHECK(executionsOf(outcome, "ld.volatile") == 2 * (kBlocks - 1));
        CHECK(outcome.counts.of(emulator::counts::MemorySpace::Global, emulator::counts::MemoryOp::Load)
                  .sectors == 2 * (kBlocks - 1));
        CHECK(std::all_of(done, done + kBlocks, [](int value) { return value == 1; }));
    }
}

TEST_CASE("Of looks at words that come one by one only the last counts") {
    constexpr unsigned kWords = 32;
    for (const unsigned threads : {1U, 2U, 4U, 4U, 3U}) {
        Rig rig(threads);
        auto* words = rig.upload(std::vector<unsigned>(kWords, 0));
        auto* out = rig.upload(std::vector<unsigned>(kWords + 1, 0));
        const auto outcome = rig.expect("lookBack", {kWords + 1, 1, 1}, {32, 1, 1}, words, out);
        CAPTURE(threads);
        CHECK(out[0] == 1);
        CHECK(executionsOf(outcome, "ld.relaxed") <= 2); // in front of the loop, and the one that ends it
        CHECK(executionsOf(outcome, "nanosleep") <= 1);
    }
}

TEST_CASE("Lanes that spin in a function let those go on that hold what they wait for") {
    constexpr int kBlocks = 3, kThreads = 96;
    for (const unsigned threads : {1U, 2U})
        for (const char* kernel : {"lockInFunction", "lockByTries", "waitWhileHeld"}) {
            Rig rig(threads);
            int* lock = rig.upload(std::vector<int>{0});
            int* sum = rig.upload(std::vector<int>{0});
            rig.expect(kernel, {kBlocks, 1, 1}, {kThreads, 1, 1}, lock, sum);
            CAPTURE(kernel, threads);
            CHECK(*sum == kBlocks * kThreads * (kThreads + 1) / 2);
            CHECK(*lock == 0);
        }
}

TEST_CASE("Lanes that count how often they look let those run that they wait for") {
    for (const unsigned threads : {1U, 2U}) {
        Rig rig(threads);
        int* out = rig.upload(std::vector<int>(64, 0));
        rig.expect("countLooks", {1, 1, 1}, {64, 1, 1}, rig.upload(std::vector<int>{0}), out);
        CHECK(std::all_of(out, out + 64, [](int value) { return value == 1; }));
    }
    EmulatedKernel run(tests::kernelFile("waiting"), 1);
    run.waitLimit = std::chrono::milliseconds(30);
    const auto outcome = run.launch("countForNothing", {1, 1, 1}, {32, 1, 1}, run.upload(std::vector<int>{0}),
                                    run.upload(std::vector<int>{0}));
    REQUIRE_FALSE(outcome.has_value());
    CHECK(outcome.error().kind == Fault::Kind::TimeLimit);
    CHECK(outcome.error().place == "waiting.cu:137");
}

TEST_CASE("Lanes that go round a loop meet those that do something first, where they vote") {
    Rig rig(1);
    int* out = rig.upload(std::vector<int>(32, 0));
    const auto outcome =
        rig.expect("voteInRounds", {1, 1, 1}, {32, 1, 1}, rig.upload(std::vector<int>(32, 0)), out);
    CHECK(outcome.undefined.empty());
    CHECK(std::all_of(out, out + 32, [](int rounds) { return rounds == 32; }));
    CHECK(executionsOf(outcome, "ld.volatile") == 33);
}

TEST_CASE("A launch that waits for nothing is given up, with kernel, line and what sets the limit") {
    for (const session::Dim3 grid : {session::Dim3{1, 1, 1}, session::Dim3{300, 1, 1}}) {
        EmulatedKernel run(tests::kernelFile("waiting"), 2);
        run.waitLimit = std::chrono::milliseconds(30);
        const auto begin = std::chrono::steady_clock::now();
        const auto outcome = run.launch("waitForNothing", grid, {64, 1, 1}, run.upload(std::vector<int>{0}));
        REQUIRE_FALSE(outcome.has_value());
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));
        CHECK(outcome.error().kind == Fault::Kind::TimeLimit);
        CHECK(outcome.error().kernel == "waitForNothing");
        CHECK(outcome.error().place == "waiting.cu:107");
        const std::string text = emulator::memory::describe(outcome.error());
        INFO(text);
        CHECK(text.find("this thread waits for what no running thread") != std::string::npos);
        CHECK(text.find("given up after 0.03 s without progress (--time-limit)") != std::string::npos);
    }
}

TEST_CASE("Launches that wait for each other end side by side") {
    using Running = emulator::engine::Running;
    Rig rig(2);
    int* flags = rig.upload(std::vector<int>(4, 0));
    const emulator::program::Kernel& kernel = rig.kernel("meet");
    const auto parametersOf = [&](int* mine, int* theirs, int* out) {
        std::vector<std::byte> bytes(kernel.facts().parameterBytes);
        std::size_t next = 0;
        for (int* pointer : {mine, theirs, out})
            std::memcpy(bytes.data() + kernel.facts().parameters.at(next++).offset, &pointer, sizeof pointer);
        return bytes;
    };
    const auto ofFirst = parametersOf(flags, flags + 1, flags + 2),
               ofSecond = parametersOf(flags + 1, flags, flags + 3);
    emulator::engine::LaunchRequest request;
    request.grid = {1, 1, 1};
    request.block = {32, 1, 1};
    request.parameters = ofFirst;
    const auto first = rig.engine().begin(kernel, request);
    constexpr std::chrono::milliseconds kPatience{1};
    CHECK(first->advance(kPatience) != Running::State::Ended);
    CHECK(first->advance(kPatience) == Running::State::Waits);
    request.parameters = ofSecond;
    const auto second = rig.engine().begin(kernel, request);
    CHECK(second->advance(kPatience) == Running::State::Ended);
    CHECK(first->advance(kPatience) == Running::State::Ended);
    CHECK(flags[2] == 2);
    CHECK(flags[3] == 2);
    for (Running* each : {first.get(), second.get()}) {
        const auto outcome = each->outcome();
        REQUIRE(outcome.has_value());
        CHECK(executionsOf(*outcome, "ld.volatile") == 3); // one ends the wait, two read the sum
    }
}
