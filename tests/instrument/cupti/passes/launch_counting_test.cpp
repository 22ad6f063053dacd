// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/launch_counting.h"
#include "tests/instrument/cupti/passes/counting_fakes.h"
#include "tests/support/catch.h"

#include <limits>

using namespace dormer;
using namespace dormer::instrument;
using namespace dormer::instrument::cupti;
using dormer::tests::CountingGpu;
using passes::LaunchCounting;

namespace {

constexpr std::int64_t kMs = 1'000'000;

/// One number that kernels add to.
struct Memory : passes::MemoryBackend {
    Result<void> save() override {
        if (!room) return failure(ErrorKind::Device, "no room");
        saved = value;
        ++copies;
        return {};
    }
    Result<void> restore() override {
        if (!restorable) return failure(ErrorKind::Device, "lost");
        value = saved;
        return {};
    }
    void release() override { --copies; }
    int value = 0, saved = 0, copies = 0;
    bool room = true, restorable = true;
};

/// A program whose kernel `group` adds to the memory and does `group` + 1 of work.
struct Program : passes::RunningBackend {
    CountingGpu gpu;
    Memory memory;
    std::int64_t now = 0;
    std::vector<std::string> notes;
    std::map<std::uint32_t, std::map<std::string, double>> spread, replayed;
    std::unique_ptr<LaunchCounting> counting;
    int launched_ = 0, told = 0;
    double knownNs = 0; ///< of launches that are not counted
    std::int64_t runNs = 100 * kMs;
    std::int64_t waited = 0;
    std::int64_t takesNs = std::numeric_limits<std::int64_t>::max(); ///< a kernel that `waits`, by itself

    explicit Program(LaunchCounting::Options options, bool canSave = true) {
        options.launches = options.launches.value_or(1);
        counting = std::make_unique<LaunchCounting>(
            options, LaunchCounting::Host{
                         .counters = gpu,
                         .memory = canSave ? &memory : nullptr,
                         .running = *this,
                         .nowNs = [this] { return now += kMs; },
                         .quiet = [this] { CHECK(gpu.runs == 0); },
                         .launched = [this] { ++told; },
                         .takesNs = [this](std::uint32_t) { return knownNs; },
                         .counted = [this](std::uint32_t group,
                                           std::map<std::string, double> values) { spread[group] = values; },
                         .note = [this](const std::string& code,
                                        const std::string& text) { notes.push_back(code + ": " + text); }});
    }
    bool idle(std::int64_t waitNs) override { return ended(waitNs); }
    void launched(const void*) override {}
    bool ended(std::int64_t waitNs) override {
        if (gpu.runs == 0) return true;
        waited += waitNs;
        if (waitNs >= takesNs) gpu.runs = 0;
        return gpu.runs == 0;
    }
    bool run(std::uint32_t group) {
        ++launched_;
        ++memory.value;
        gpu.launch(group + 1);
        now += runNs;
        return true;
    }
    /// `waits`: it runs until what follows it was launched.
    void launch(std::uint32_t group, bool waits = false) {
        counting->saw();
        const auto way = counting->due(group) ? counting->begin(group) : LaunchCounting::Way::Not;
        run(group);
        gpu.runs += waits ? 1 : 0;
        if (way == LaunchCounting::Way::Not) return;
        auto values = counting->end(nullptr, true, [&] { return run(group); });
        if (values && *values) replayed[group] = **values;
        if (values && !*values) notes.push_back(values->error().message);
    }
};

} // namespace

TEST_CASE("A replayed launch runs once more for each pass, and leaves what one run leaves") {
    Program program({.replay = stream::Replay::Kernel});
    for (int i = 0; i < 3; ++i)
        program.launch(5);
    CHECK(program.memory.value == 3); // as if nothing had been run twice
    CHECK(program.launched_ == 3 + CountingGpu::kPasses);
    CHECK(program.replayed.at(5) ==
          std::map<std::string, double>{{"counter0", 6}, {"counter1", 6}, {"counter2", 6}});
    CHECK(program.memory.copies == 0);
    CHECK(program.spread.empty());
}

TEST_CASE("Without replays, a kernel is counted by its successive launches, none of them run twice") {
    Program program({.replay = stream::Replay::None});
    for (int i = 0; i < 30; ++i)
        program.launch(5);
    CHECK(program.launched_ == 30);
    CHECK(program.replayed.empty());
    CHECK(program.spread.at(5).size() == 3);
    CHECK(program.told == CountingGpu::kPasses);
    CHECK(program.spread.at(5).at("counter1") == 6);
}

TEST_CASE("Replays take two seconds and a quarter of the program's own, and the rest is spread") {
    // A launch and its replay of three passes take 0.4 s here, 0.1 of it the program's own.
    struct Budget {
        LaunchCounting::Options options;
        std::size_t least, most; ///< replayed of 20 kernels that are each launched once
    };
    for (const Budget& budget : {Budget{{}, 5, 7},
                                 {{.beganNs = -4'000 * kMs}, 8, 10},
                                 {{.budgetSeconds = 1.0}, 2, 4},
                                 {{.budgetSeconds = 0.0}, 0, 0}}) {
        Program program(budget.options);
        for (std::uint32_t group = 0; group < 20; ++group)
            program.launch(group);
        CHECK(program.replayed.size() >= budget.least);
        CHECK(program.replayed.size() <= budget.most);
        for (int step = 1; step < 60; ++step)
            for (std::uint32_t group = 0; group < 20; ++group)
                program.launch(group);
        CHECK(program.replayed.size() + program.spread.size() == 20);
        CHECK(program.memory.value == 1200);
    }
}

TEST_CASE("A round of spread passes that has begun is not given up for a replay that time now allows") {
    Program program({});
    for (std::uint32_t group = 0; group < 8; ++group)
        program.launch(group); // replays, until their time is used up
    const std::size_t replayed = program.replayed.size();
    REQUIRE(replayed < 8);
    program.launch(7);
    program.launch(7);
    REQUIRE(program.gpu.isOpen);
    program.now += 100'000 * kMs;
    for (int step = 0; step < 20; ++step)
        program.launch(7);
    CHECK(program.replayed.size() == replayed);
    CHECK(program.spread.at(7).size() == CountingGpu::kPasses);
}

TEST_CASE("Where memory can't be saved, passes are spread, and the reason is told") {
    Program program({.replay = stream::Replay::Kernel});
    program.memory.room = false;
    for (int i = 0; i < 30; ++i)
        for (const std::uint32_t group : {2U, 3U, 4U})
            program.launch(group);
    CHECK(program.spread.contains(2));
    CHECK(program.spread.contains(4));
    CHECK(program.notes == std::vector<std::string>{"not-replayed: no room"}); // once, not for each kernel
    Program without({}, false);
    for (int i = 0; i < 30; ++i)
        without.launch(2);
    CHECK(without.spread.contains(2));
}

TEST_CASE("A kernel that waits for the next launch is let go, and neither hangs nor is counted") {
    for (const stream::Replay replay : {stream::Replay::Auto, stream::Replay::None, stream::Replay::Kernel}) {
        Program program({.replay = replay});
        for (int i = 0; i < 100; ++i) {
            program.launch(0, true);
            program.launch(1); // lets the first one end
            program.gpu.runs = 0;
            program.launch(2);
        }
        CHECK(program.memory.value == 300); // whatever was run twice
        CHECK_FALSE(program.spread.contains(0));
        CHECK_FALSE(program.replayed.contains(0));
        CHECK(program.replayed.size() + program.spread.size() >= 1); // the others are
        CHECK((program.spread.contains(2) || program.replayed.contains(2)));
        CHECK(program.waited < 150'000'000'000);
    }
}

TEST_CASE("A kernel of many seconds is waited for where replays are asked for by name") {
    for (const auto replay : {stream::Replay::Kernel, stream::Replay::Auto}) {
        Program program({.replay = replay});
        program.takesNs = 20'000'000'000;
        program.launch(3, true);
        CHECK(program.replayed.contains(3) == (replay == stream::Replay::Kernel));
    }
}

TEST_CASE("After memory could not be put back nothing is run twice any more") {
    Program program({.replay = stream::Replay::Kernel});
    program.memory.restorable = false;
    for (std::uint32_t group = 0; group < 3; ++group)
        program.launch(group);
    CHECK(program.replayed.empty());
    CHECK(program.launched_ == 3);
    REQUIRE(!program.notes.empty());
    CHECK(program.notes[0].find("results of the program may be wrong") != std::string::npos);
    CHECK(program.memory.copies == 0);
}

TEST_CASE("A launch that CUDA refuses costs nothing but its try") {
    Program program({.replay = stream::Replay::Kernel});
    REQUIRE(program.counting->begin(1) == LaunchCounting::Way::Replayed);
    CHECK_FALSE(program.counting->end(nullptr, false, [] { return false; }).has_value());
    CHECK(program.memory.copies == 0);
    program.launch(1);
    CHECK(program.replayed.contains(1));
}

TEST_CASE("A kernel that takes long is not run patched, unless replays are asked for by name") {
    Program slow({.replay = stream::Replay::Auto});
    slow.runNs = 400 * kMs;
    for (int i = 0; i < 3; ++i)
        slow.launch(5);
    CHECK(slow.replayed.empty());
    CHECK(slow.launched_ == 3); // the first one showed it
    CHECK(slow.memory.copies == 0);
    REQUIRE(slow.notes.size() == 1);
    CHECK(slow.notes[0].starts_with("takes-too-long"));

    Program asked({.replay = stream::Replay::Kernel});
    asked.runNs = 400 * kMs;
    asked.launch(5);
    CHECK(asked.replayed.contains(5));

    // Passes that are spread would not even return.
    Program spread({.replay = stream::Replay::None});
    spread.knownNs = 4e8;
    for (int i = 0; i < 30; ++i)
        spread.launch(5);
    CHECK(spread.gpu.configured == 0);
    CHECK(spread.notes.size() == 1);
}

TEST_CASE("A kernel that must not run twice is counted by passes over its launches") {
    Program program({.replay = stream::Replay::Kernel});
    program.counting->neverReplay(5);
    for (int i = 0; i < 30; ++i)
        program.launch(5);
    CHECK(program.launched_ == 30);
    CHECK(program.spread.at(5).size() == 3);
}
