// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/target.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <set>
#include <sstream>
#include <thread>
#include <unistd.h>

using namespace dormer::session;

using namespace dormer::instrument::launch;
using namespace dormer::instrument::stream;
using Clock = std::chrono::steady_clock;

namespace {

struct Outcome {
    dormer::Result<TargetEnd> end;
    std::vector<Record> records;
    std::vector<double> secondsAt; ///< since the start, by record
    double seconds = 0;

    template <typename T>
    std::size_t count() const {
        return static_cast<std::size_t>(std::count_if(
            records.begin(), records.end(), [](const Record& r) { return std::holds_alternative<T>(r); }));
    }
    std::string note(const std::string& code) const {
        for (const Record& record : records)
            if (const auto* note = std::get_if<Note>(&record); note != nullptr && note->code == code)
                return note->text;
        return "(none)";
    }
};

Target fake(const std::string& mode) {
    Target target;
    target.program = DORMER_FAKE_HOME "/bin/dormer-workloads";
    target.environment = {{"DORMER_FAKE", mode}};
    return target;
}

Outcome runFake(const Target& target, std::optional<std::size_t> stopAfterRecords = {}) {
    Outcome outcome;
    std::atomic<bool> stop{false};
    const auto start = Clock::now();
    const auto since = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    outcome.end = runTarget(
        target,
        [&](const Record& record, std::uint32_t) {
            outcome.records.push_back(record);
            outcome.secondsAt.push_back(since());
            if (stopAfterRecords && outcome.records.size() >= *stopAfterRecords) stop = true;
        },
        stop);
    outcome.seconds = since();
    // Whatever happens, the end comes once, and last.
    if (outcome.end) {
        REQUIRE_FALSE(outcome.records.empty());
        CHECK(outcome.count<ProcessEnd>() == 1);
        const auto* end = std::get_if<ProcessEnd>(&outcome.records.back());
        REQUIRE(end != nullptr);
        CHECK(end->exitCode == outcome.end->exitCode);
        CHECK(end->signal == outcome.end->signal);
    }
    return outcome;
}

} // namespace

TEST_CASE("a target's records arrive while it runs", "[target]") {
    const Outcome outcome = runFake(fake("slow"));
    REQUIRE(outcome.end);
    CHECK(outcome.end->ok());
    CHECK(outcome.count<LaunchCounters>() == 5);
    // The fake sleeps 100 ms after each launch, so first and last are 400 ms apart.
    std::vector<double> times;
    for (std::size_t i = 0; i < outcome.records.size(); ++i)
        if (std::holds_alternative<LaunchCounters>(outcome.records[i])) times.push_back(outcome.secondsAt[i]);
    CHECK(times.back() - times.front() > 0.3);
    CHECK(outcome.seconds - times.front() > 0.4);
}

TEST_CASE("a target that dies by a signal leaves what it finished", "[target]") {
    const auto [mode, signal] = GENERATE(table<std::string, int>({{"segv", SIGSEGV}, {"killed", SIGKILL}}));
    const Outcome outcome = runFake(fake(mode));
    REQUIRE(outcome.end);
    CHECK(outcome.end->signal == signal);
    CHECK_FALSE(outcome.end->exitCode);
    CHECK_FALSE(outcome.end->ok());
    CHECK_FALSE(outcome.end->stopped);
    CHECK(outcome.count<LaunchCounters>() == 2);
}

TEST_CASE("the kernel's word on the exit code beats the target's", "[target]") {
    const Outcome outcome = runFake(fake("exit-7"));
    REQUIRE(outcome.end);
    CHECK(outcome.end->exitCode == 7);
}

TEST_CASE("lines that are no records are dropped, counted and noted once", "[target]") {
    const Outcome outcome = runFake(fake("garbage"));
    REQUIRE(outcome.end);
    CHECK(outcome.end->ok());
    CHECK(outcome.end->badLines == 4);
    CHECK(outcome.count<LaunchCounters>() == 3); // the one after the garbage too
    CHECK(outcome.note("bad-lines").find("4 lines") != std::string::npos);
}

TEST_CASE("an unfinished last line counts as bad, a whole one without line end as a record", "[target]") {
    const Outcome half = runFake(fake("half-line"));
    REQUIRE(half.end);
    CHECK(half.end->badLines == 1);
    CHECK(half.note("bad-lines").find("1 line ") != std::string::npos);
    const Outcome whole = runFake(fake("unended-line"));
    REQUIRE(whole.end);
    CHECK(whole.end->badLines == 0);
    CHECK(whole.note("last") == "whole");
}

TEST_CASE("asking to stop ends the target and keeps what it finished", "[target]") {
    // Start, device, kernel, two launches with counters: then it waits for ever.
    const Outcome polite = runFake(fake("hang"), 7);
    REQUIRE(polite.end);
    CHECK(polite.end->stopped);
    CHECK(polite.end->signal == SIGTERM);
    CHECK(polite.count<LaunchCounters>() == 2);
    CHECK(polite.seconds < 1.5);
}

TEST_CASE("a target that ignores SIGTERM is killed after two seconds", "[target]") {
    const Outcome outcome = runFake(fake("stubborn"), 7);
    REQUIRE(outcome.end);
    CHECK(outcome.end->stopped);
    CHECK(outcome.end->signal == SIGKILL);
    CHECK(outcome.seconds > 1.9);
    CHECK(outcome.seconds < 4);
}

TEST_CASE("a child that keeps the pipe open does not keep us", "[target]") {
    const Outcome outcome = runFake(fake("orphan")); // the child sleeps 20 s
    REQUIRE(outcome.end);
    CHECK(outcome.end->ok());
    CHECK(outcome.count<LaunchCounters>() == 2);
    CHECK(outcome.seconds < 3);
}

TEST_CASE("a flood on the target's stdout goes to stderr and blocks nothing", "[target]") {
    const int saved = dup(STDERR_FILENO);
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    const Outcome outcome = runFake(fake("flood"));
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(null);
    REQUIRE(outcome.end);
    CHECK(outcome.end->ok());
}

TEST_CASE("the target gets the collector, the options and no descriptor of ours", "[target]") {
    const int leak = open("/dev/null", O_RDONLY); // without O_CLOEXEC, as careless libraries do
    Target target = fake("report-surroundings");
    target.arguments = {"a", "two words"};
    target.collector = "/some where/libdormer-inject.so";
    target.options.counterSet = "live";
    target.environment.emplace_back("EXTRA", "value");
    const Outcome outcome = runFake(target);
    close(leak);
    REQUIRE(outcome.end);
    CHECK(outcome.note("arguments") == "a two words");
    for (const char* name : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH", "DORMER_COLLECTOR"})
        CHECK(outcome.note(name) == target.collector.string());
    CHECK(outcome.note("EXTRA") == "value");
    const auto options = collectOptionsFromJson(outcome.note("DORMER_OPTIONS"));
    REQUIRE(options);
    CHECK(options->counterSet == "live");
    std::istringstream descriptors{outcome.note("descriptors")};
    std::set<int> numbers;
    for (int fd = -1; descriptors >> fd;)
        numbers.insert(fd);
    // 0, 1, 2, the fake's own connection, and the directory it lists them from.
    CHECK(numbers.size() <= 5);
}

TEST_CASE("without a collector nothing is injected", "[target]") {
    const Outcome outcome = runFake(fake("report-surroundings"));
    REQUIRE(outcome.end);
    CHECK(outcome.note("CUDA_INJECTION64_PATH") == "(unset)");
}

TEST_CASE("the emulator comes before every other CUDA runtime, and no collector with it", "[target]") {
    Target target = fake("report-surroundings");
    target.emulator = "/some where/emulator/libcudart.so.13";
    target.environment.emplace_back("EXTRA", "value");
    const char* before = std::getenv("LD_LIBRARY_PATH");
    const std::string kept = before != nullptr ? before : "";
    setenv("LD_LIBRARY_PATH", "/mine", 1);
    const Outcome outcome = runFake(target);
    before != nullptr ? setenv("LD_LIBRARY_PATH", kept.c_str(), 1) : unsetenv("LD_LIBRARY_PATH");
    REQUIRE(outcome.end);
    CHECK(outcome.note("LD_LIBRARY_PATH") == "/some where/emulator:/mine");
    CHECK(outcome.note("NVTX_INJECTION64_PATH") == target.emulator.string());
    CHECK(outcome.note("DORMER_COLLECTOR") == target.emulator.string());
    CHECK(outcome.note("CUDA_INJECTION64_PATH") == "(unset)");
}

TEST_CASE("a program that can't be started is an error that names it", "[target]") {
    Target target;
    target.program = "/nonexistent/program";
    const Outcome outcome = runFake(target);
    REQUIRE_FALSE(outcome.end);
    CHECK(outcome.end.error().kind == dormer::ErrorKind::Target);
    CHECK(outcome.end.error().message.find("/nonexistent/program") != std::string::npos);
    CHECK(outcome.records.empty());
}
