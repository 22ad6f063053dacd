// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/spread_passes.h"
#include "tests/instrument/cupti/passes/counting_fakes.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::instrument::cupti;
using dormer::tests::CountingGpu;

namespace {

constexpr std::int64_t kMs = 1'000'000;

/// A program whose kernels, its groups, do work that is ten times their number plus one.
struct Program {
    CountingGpu gpu;
    std::map<std::uint32_t, std::map<std::string, double>> counted;
    std::map<std::uint32_t, int> inVain;
    std::vector<std::string> failures;
    std::int64_t now = 0;
    int looked = 0;
    passes::SpreadPasses spread{
        gpu,
        {.wants = [this](std::uint32_t group) { return !counted.contains(group) && inVain[group] < 3; },
         .counted =
             [this](std::uint32_t group, std::map<std::string, double> values) {
                 if (values.empty())
                     ++inVain[group];
                 else
                     counted[group] = std::move(values);
             },
         .failed = [this](const Error& error) { failures.push_back(error.message); }}};

    void launch(std::uint32_t group, bool alone = true) {
        now += kMs;
        spread.saw();
        const bool due = spread.due(group, now), looks = due && spread.begin(group, now);
        gpu.launch(group * 10 + 1);
        if (!looks) return;
        ++looked;
        spread.end(alone);
    }
};

} // namespace

TEST_CASE("Passes are spread over launches of many kernels, each launched once a pass") {
    Program program;
    for (int step = 0; step < 40 && program.counted.size() < 10; ++step)
        for (std::uint32_t group = 0; group < 10; ++group)
            program.launch(step % 2 == 0 ? group : 9 - group); // in whatever order
    REQUIRE(program.counted.size() == 10);
    for (const auto& [group, values] : program.counted) {
        CHECK(values.size() == 3);
        for (const auto& [name, value] : values)
            CHECK(value == group * 10 + 1); // of one launch, not of several
    }
    CHECK(program.looked == 30);
    CHECK(program.gpu.configured == 1);
    // Nothing is left to do.
    CHECK_FALSE(program.spread.due(3, program.now));
    CHECK_FALSE(program.gpu.isOpen);
}

TEST_CASE("Kernels that a round did not meet in each pass get further rounds, and not for ever") {
    Program program;
    program.launch(7);
    // Launched once: the round goes on without it as soon as it has waited long enough.
    for (int i = 0; i < 12'000; ++i)
        program.launch(1);
    CHECK(program.counted.contains(1));
    CHECK_FALSE(program.counted.contains(7));
    CHECK(program.inVain[7] == 1);
    // New ones come later.
    for (int i = 0; i < 400; ++i) {
        program.launch(1);
        program.launch(2);
    }
    CHECK(program.counted.contains(2));
    // One that never comes again in time is given up.
    for (int round = 0; round < 5; ++round) {
        program.launch(7);
        for (int i = 0; i < 12'000; ++i)
            program.launch(1);
    }
    CHECK(program.inVain[7] == 3);
    CHECK_FALSE(program.spread.due(7, program.now));
}

TEST_CASE("Kernels of a slow beginning do not keep a fast program from being counted") {
    Program program;
    for (std::uint32_t group = 0; group < 30; ++group) {
        program.now += 300 * kMs; // libraries are loaded
        program.launch(group);
    }
    for (int step = 0; step < 400; ++step) // 6 s, each launched every 15 ms
        for (std::uint32_t group = 50; group < 65; ++group)
            program.launch(group);
    for (std::uint32_t group = 50; group < 65; ++group)
        CHECK(program.counted.contains(group));
}

TEST_CASE("A launch that others ran beside does not count") {
    Program program;
    for (int i = 0; i < 200; ++i)
        program.launch(4, i != 0);
    CHECK(program.inVain[4] == 1);
    CHECK(program.counted.at(4).at("counter2") == 41); // by the next round
}

TEST_CASE("What a round has is told when the program ends within its last pass") {
    Program program;
    for (int i = 0; i < 200 && program.gpu.pass < 2; ++i) {
        program.launch(1);
        program.launch(2);
    }
    CHECK(program.counted.empty());
    program.spread.finish(program.now);
    CHECK(program.counted.at(1).size() == 3);
    CHECK_FALSE(program.gpu.isOpen);
    // Within an earlier one there is nothing to tell.
    Program other;
    other.launch(1);
    other.spread.finish(other.now);
    CHECK(other.counted.empty());
    CHECK_FALSE(other.gpu.isOpen);
}

TEST_CASE("Counters that can't be had are told once") {
    Program program;
    program.gpu.broken = "held by another tool";
    for (int i = 0; i < 5; ++i)
        program.launch(1);
    CHECK(program.failures == std::vector<std::string>{"held by another tool"});
}
