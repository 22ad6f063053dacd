// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Cases on the emulator, the way people run their programs: dormer profile, and its session file.

#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/cases/case_session.h"
#include "tests/cases/collect.h"
#include "tests/support/catch.h"

namespace dormer::tests {

bool emulated() {
    return true;
}

session::Session collectCase(const std::string& program, const std::string& argument,
                             const std::string& counterSet) {
    return collectEmulated(program, argument, {}, counterSet);
}

session::Session collectEmulated(const std::string& program, const std::string& argument,
                                 const std::string& chip, const std::string& counterSet) {
    const CommandFolder folder;
    const std::string file = folder / "case.dormer";
    std::vector<std::string> command{"profile",
                                     "--on",
                                     chip.empty() ? "emulator" : "emulator:" + chip,
                                     "--lines",
                                     "--set",
                                     counterSet,
                                     "-o",
                                     file,
                                     "--",
                                     DORMER_BIN_DIR "/cases/" + program};
    if (!argument.empty()) command.push_back(argument);
    const CliResult result = runCli(command);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    CHECK(holds(result.err, "0 results are wrong"));
    auto session = store::loadSession(file);
    REQUIRE(session);
    return std::move(*session);
}

} // namespace dormer::tests
