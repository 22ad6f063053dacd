// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/findings/finding.h"
#include "analysis/lines/line_totals.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

/// What Dormer says of the programs in this folder. The same tests hold the emulator's answers and a GPU's:
/// they are linked with one of the two collectors.
namespace dormer::tests {

/// True when the counts come from the emulator.
[[nodiscard]] bool emulated();
/// Runs bin/cases/PROGRAM with the argument, if any, and counts per line: collect.h's one or the other.
[[nodiscard]] session::Session collectCase(const std::string& program, const std::string& argument,
                                           const std::string& counterSet);

/// Sums over accesses; 0 where nothing was counted.
struct Counts {
    explicit Counts(const session::LineCounts& counts = {});
    std::uint64_t executions, threads, sectors, sectorsIdeal, tags, wavefronts, wavefrontsIdeal;
    bool operator==(const Counts&) const = default;
};
/// Names and numbers in a row, for the message of a test that failed.
std::ostream& operator<<(std::ostream& out, const Counts& counts);

/// What Case::codes() gives where nothing is found; named so that a test that fails shows what was.
inline const std::vector<std::string> kNoCodes;

/// One launch and what is found in it.
struct Case {
    const session::Session& session;
    session::LaunchIndex launch;
    verdict::Verdict verdict;
    std::vector<findings::Finding> findings;

    [[nodiscard]] double metric(std::string_view name) const; ///< fails the test where it has no value
    [[nodiscard]] const findings::Finding* find(std::string_view code) const;
    /// Codes of findings about memory accesses, branches and arithmetic, in alphabetical order: those that do
    /// not hang on how large the launch is.
    [[nodiscard]] std::vector<std::string> codes() const;
    /// Sums over the accesses of one kind on one source line, unrolled or not; fails the test without any.
    [[nodiscard]] Counts at(int line, std::string_view space, std::string_view op) const;
    /// The same over the whole launch.
    [[nodiscard]] Counts all(std::string_view space, std::string_view op) const;
};

/// The launch of the case's name.
[[nodiscard]] Case caseIn(const session::Session& session, const std::string& workload);
/// The same of a run; each program, argument and counter set runs once for all tests.
[[nodiscard]] Case caseOf(const std::string& program, const std::string& argument,
                          const std::string& workload, const std::string& counterSet = "memory");

/// Number of the only line of a file in this folder that holds the text.
[[nodiscard]] int lineOf(const std::string& file, const std::string& text);

/// The finding comes from these lines, worst first, and no other.
void checkPlaces(const findings::Finding& finding, const std::vector<int>& lines);

} // namespace dormer::tests
