// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Cases on a GPU, and on the emulator beside it: the tests may have been carried to another machine, where
// programs, collector and emulator lie beside them.

#include "instrument/launch/installation.h"
#include "instrument/launch/target.h"
#include "tests/cases/case_session.h"
#include "tests/cases/collect.h"
#include "tests/support/catch.h"
#include "tests/support/gpu.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <sstream>

namespace dormer::tests {

namespace {

/// Far beyond what all cases take: some seconds each, most of them for counts per line to begin.
constexpr std::chrono::seconds kLongest{150};

instrument::launch::Target targetOf(const std::string& program, const std::string& argument,
                                    const std::string& counterSet) {
    instrument::launch::Target target;
    target.program = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "cases" / program;
    std::istringstream words(argument);
    for (std::string word; words >> word;)
        target.arguments.push_back(word);
    target.options.lines = true;
    target.options.counterSet = counterSet;
    return target;
}

session::Session collect(const instrument::launch::Target& target) {
    session::Session session;
    std::atomic<bool> stop{false};
    std::promise<void> done;
    // One that hangs would keep the counters from all that come after it.
    const auto watch = std::async(std::launch::async, [&, over = done.get_future()] {
        stop = over.wait_for(kLongest) == std::future_status::timeout;
    });
    const auto end = instrument::launch::runTarget(
        target, [&](const session::Record& record, std::uint32_t process) { session.apply(record, process); },
        stop);
    done.set_value();
    for (const session::Note& note : session.notes())
        UNSCOPED_INFO(note.text);
    REQUIRE(end.has_value());
    REQUIRE_FALSE(end->stopped); // it hangs
    REQUIRE(end->ok());          // its results are right
    return session;
}

void requireGpu(const instrument::launch::Installation& installation) {
    const instrument::launch::GpuStatus status = instrument::launch::probeGpus(installation);
    if (!status.devices.empty() && status.problem.empty()) return;
    tests::skipWithoutGpu(status.problem);
}

} // namespace

bool emulated() {
    return false;
}

session::Session collectCase(const std::string& program, const std::string& argument,
                             const std::string& counterSet) {
    return collectMeasured(program, argument, counterSet);
}

session::Session collectMeasured(const std::string& program, const std::string& argument,
                                 const std::string& counterSet) {
    static const instrument::launch::Installation installation = instrument::launch::findInstallation();
    static const bool ready = (requireGpu(installation), true);
    REQUIRE(ready);
    instrument::launch::Target target = targetOf(program, argument, counterSet);
    target.collector = installation.collector;
    return collect(target);
}

session::Session collectEmulated(const std::string& program, const std::string& argument,
                                 const std::string& chip, const std::string& counterSet) {
    instrument::launch::Target target = targetOf(program, argument, counterSet);
    target.emulator = instrument::launch::findInstallation().emulator;
    REQUIRE_FALSE(target.emulator.empty());
    target.options.chip = chip;
    return collect(target);
}

} // namespace dormer::tests
