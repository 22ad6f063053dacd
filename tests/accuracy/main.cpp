// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Compares recordings of a GPU with runs of the emulator and prints docs/emulator-accuracy.md; see
// scripts/emulator-accuracy. Exit code 1 when a bar is missed, 5 when a file can't be read.

#include "analysis/store/session_file.h"
#include "tests/accuracy/markdown.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>

using namespace dormer;

namespace {

std::string deviceName(const session::Session& session) {
    return session.devices().empty() ? "an unknown device" : session.devices().front().name;
}

} // namespace

int main(int argumentCount, char** arguments) {
    if (argumentCount != 5) {
        std::fprintf(
            stderr, "usage: emulator-accuracy RECORDED-LINES EMULATED-LINES RECORDED-SUITE EMULATED-SUITE\n");
        return 2;
    }
    std::array<session::Session, 4> sessions;
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        Result<session::Session> session = store::loadSession(arguments[i + 1]);
        if (!session) {
            std::fprintf(stderr, "emulator-accuracy: %s\n", session.error().message.c_str());
            return 5;
        }
        sessions[i] = std::move(*session);
    }
    const auto& [recordedLines, emulatedLines, recordedSuite, emulatedSuite] = sessions;
    const accuracy::Pairs lines = accuracy::pairKernels(recordedLines, emulatedLines);
    const accuracy::Pairs suite = accuracy::pairKernels(recordedSuite, emulatedSuite);
    accuracy::Report report{deviceName(recordedSuite),
                            deviceName(emulatedSuite),
                            accuracy::compareLines(recordedLines, emulatedLines, lines),
                            accuracy::compareCounters(recordedSuite, emulatedSuite, suite),
                            accuracy::compareModels(recordedSuite, emulatedSuite, suite),
                            lines.unpaired};
    report.unpaired.insert(report.unpaired.end(), suite.unpaired.begin(), suite.unpaired.end());
    std::fputs(accuracy::markdown(report).c_str(), stdout);
    for (const accuracy::ExactResult* exact : {&report.lines, &report.counters})
        for (const std::string& unused : exact->unusedExceptions)
            std::fprintf(stderr, "emulator-accuracy: nothing differs any more at %s\n", unused.c_str());
    return report.barsHeld() ? 0 : 1;
}
