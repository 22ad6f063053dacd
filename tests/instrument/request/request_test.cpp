// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/chip.h"
#include "instrument/request/program_target.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <fstream>

using namespace dormer;
using namespace dormer::instrument;
using namespace dormer::instrument::request;

namespace {

const launch::ChosenDevice kGpu{0, "NVIDIA H100", true, nullptr, {}};

launch::ChosenDevice emulated() {
    return {0, "H100", true, device::findChip("H100"), {}};
}

launch::Installation installed() {
    launch::Installation installation;
    installation.collector = "/nowhere/libdormer-inject.so";
    installation.emulator = "/nowhere/emulator/libcudart.so.13";
    return installation;
}

std::string messageOf(const Result<launch::Target>& target) {
    return target ? std::string() : target.error().message;
}

} // namespace

TEST_CASE("A request takes its defaults from subject and device") {
    CHECK(collectOptions({}, Subject::Program, kGpu)->counterSet == stream::kSampledSet);
    CHECK(collectOptions({}, Subject::Program, kGpu)->launches == 1U);
    CHECK(collectOptions({}, Subject::Program, emulated())->counterSet == "memory");
    CHECK_FALSE(collectOptions({}, Subject::Program, emulated())->launches.has_value());
    CHECK(collectOptions({}, Subject::Workloads, kGpu)->counterSet == "memory");
    CHECK_FALSE(collectOptions({}, Subject::Workloads, kGpu)->launches.has_value());
    CHECK(collectOptions({.set = "live", .launches = "7"}, Subject::Program, kGpu)->launches == 7U);
}

TEST_CASE("Passes are replayed or spread as requested, for as long as requested") {
    const auto options = [](const char* replay, const char* budget) {
        return collectOptions({.set = "memory", .replay = replay, .budget = budget}, Subject::Program, kGpu)
            .value();
    };
    CHECK(options("", "").replay == stream::Replay::Auto);
    CHECK_FALSE(options("", "").budgetSeconds.has_value());
    CHECK(options("none", "").replay == stream::Replay::None);
    CHECK(options("kernel", "90").budgetSeconds == 90.0);
    CHECK(options("auto", "1.5s").budgetSeconds == 1.5);
    CHECK(options("auto", "2m").budgetSeconds == 120.0);
}

TEST_CASE("What a device can't do is refused with the reason that a control shows") {
    const auto refused = [](CollectRequest request, Subject subject, const launch::ChosenDevice& device) {
        const auto options = collectOptions(std::move(request), subject, device, {.lines = "Lines"});
        REQUIRE_FALSE(options);
        CHECK(options.error().kind == ErrorKind::Usage);
        return options.error().message;
    };
    CHECK(refused({.set = "sampled", .lines = true}, Subject::Program, kGpu) ==
          "Lines: counts per instruction and samples disturb each other; leave out --set sampled");
    CHECK(refused({.set = "sampled"}, Subject::Program, emulated()) ==
          "--set sampled: " + whyNotSampled(Subject::Program, emulated()));
    CHECK_THAT(refused({.set = "sampled"}, Subject::Workloads, kGpu), Catch::Contains("for programs"));
    CHECK_THAT(refused({.timeLimitSeconds = 1}, Subject::Program, kGpu), Catch::Contains("can't be stopped"));
    CHECK_THAT(refused({.set = "memroy"}, Subject::Program, kGpu), Catch::Contains("did you mean memory"));
    CHECK_THAT(refused({.kernels = "x("}, Subject::Program, kGpu), Catch::Contains("--kernels 'x('"));
    CHECK_THAT(refused({.launches = "0"}, Subject::Program, kGpu), Catch::Contains("--launches 0"));
    CHECK(refused({.set = "memory", .replay = "twice"}, Subject::Program, kGpu) ==
          "--replay twice: expected auto, none or kernel");
    for (const char* budget : {"x", "5h", "-1s", "1e99", "s", "5 s"})
        CHECK_THAT(refused({.set = "memory", .budget = budget}, Subject::Program, kGpu),
                   Catch::Contains(std::string("--budget ") + budget + ": expected seconds"));
    CHECK_THAT(refused({.set = "sampled", .replay = "none"}, Subject::Program, kGpu),
               Catch::Contains("--replay: it is about counting"));
    CHECK_THAT(refused({.budget = "5s"}, Subject::Program, emulated()), Catch::Contains("on a GPU"));
    CHECK(collectOptions({.lines = true}, Subject::Program, kGpu)->counterSet == "memory");
    CHECK_FALSE(collectOptions({.lines = true}, Subject::Program, kGpu)->stalls);
    CHECK_FALSE(collectOptions({}, Subject::Program, kGpu)->stalls);
    CHECK(collectOptions({.stalls = true}, Subject::Program, kGpu)->counterSet == "none");
    CHECK_THAT(refused({.set = "memory", .stalls = true}, Subject::Program, kGpu),
               Catch::Contains("not both"));
    CHECK_THAT(refused({.stalls = true}, Subject::Workloads, kGpu), Catch::Contains("--stalls: "));
    // The emulator tells stalls beside counters, and unless it is told not to.
    for (const Subject subject : {Subject::Program, Subject::Workloads}) {
        const auto both = collectOptions({.set = "memory", .lines = true}, subject, emulated());
        CHECK((both->stalls && both->counterSet == "memory" && both->lines));
        CHECK_FALSE(collectOptions({.stalls = false}, subject, emulated())->stalls);
    }
    CHECK_FALSE(collectOptions({}, Subject::Workloads, kGpu)->stalls);
    CHECK(whyNotSampled(Subject::Program, kGpu).empty());
    CHECK(whyNoTimeLimit(emulated()).empty());
}

TEST_CASE("What can't be started is said before anything starts") {
    const auto target = [](ProgramRun run) { return programTarget(run, {}, emulated(), installed()); };
    const tests::TemporaryFolder folder;
    std::ofstream{folder / "data.txt"} << "no program";
    CHECK_THAT(messageOf(target({{"/no/such/program"}})), Catch::Contains("no such file"));
    CHECK_THAT(messageOf(target({{folder / "data.txt"}})), Catch::Contains("not an executable"));
    CHECK_THAT(messageOf(target({.command = {"sh"}, .workingFolder = folder / "gone"})),
               Catch::Contains("no such folder"));
    CHECK_THAT(messageOf(target({})), Catch::Contains("no program"));
}

TEST_CASE("A program runs with its arguments, its environment and in its folder") {
    const tests::TemporaryFolder folder;
    const std::filesystem::path script = folder / "app";
    std::ofstream{script}
        << "#!/bin/sh\npwd > out\nprintf '%s\\n' \"$1\" \"$DORMER_TEST_WORD\" \"$LD_LIBRARY_PATH\" >> out\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    auto target = programTarget({.command = {"./app", "two words"},
                                 .environment = {{"DORMER_TEST_WORD", "a=b"}, {"LD_LIBRARY_PATH", "/mine"}},
                                 .workingFolder = script.parent_path()},
                                {}, emulated(), installed());
    REQUIRE(target);
    CHECK(target->options.everyLaunch);
    const std::atomic<bool> stop{false};
    const auto end = launch::runTarget(
        *target, [](const session::Record&, std::uint32_t) {}, stop);
    REQUIRE(end);
    CHECK(end->ok());
    std::ifstream out(folder / "out");
    std::string where, argument, variable, libraries;
    std::getline(out, where);
    std::getline(out, argument);
    std::getline(out, variable);
    std::getline(out, libraries);
    CHECK(std::filesystem::equivalent(where, script.parent_path()));
    CHECK(argument == "two words");
    CHECK(variable == "a=b");
    CHECK(libraries == "/nowhere/emulator:/mine"); // the emulator comes first, what was given is kept
}

TEST_CASE("Environment words are NAME=value") {
    CHECK(environmentFrom({"A=1", "_b2=x=y", "EMPTY="}).value() ==
          std::vector<std::pair<std::string, std::string>>{{"A", "1"}, {"_b2", "x=y"}, {"EMPTY", ""}});
    for (const char* word : {"A", "=x", "1A=x", "A-B=x"})
        CHECK_FALSE(environmentFrom({word}));
}
