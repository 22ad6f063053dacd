// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/findings/finding.h"
#include "analysis/session/kernel_code.h"
#include "tests/support/recorded_h200.h"

#include <algorithm>

/// Findings of one launch that a test makes up.
namespace dormer::tests::made {

using namespace dormer::findings;
using namespace dormer::session;

using Counters = std::map<std::string, double>;

inline Launch launchOf(std::uint32_t threads = 256) {
    Launch launch;
    launch.grid = {65536, 1, 1};
    launch.block = {threads, 1, 1};
    launch.durationNs = 1e5;
    launch.blocksPerSm = 8;
    return launch;
}

/// Counts of 1000 warps, each number per warp.
inline LineCounts access(std::string_view space, std::string_view op, double count, double ideal,
                         std::uint32_t line = 5, std::uint32_t width = 4, std::uint64_t lanes = 32) {
    LineCounts counts;
    counts.file = "/src/a.cu";
    counts.line = line;
    counts.pc = 16 * line;
    fromString(space, counts.space);
    fromString(op, counts.op);
    counts.widthBytes = width;
    counts.executions = 1000;
    counts.threads = 1000 * lanes;
    auto& actual = space == "shared" ? counts.wavefronts : counts.sectors;
    auto& best = space == "shared" ? counts.wavefrontsIdeal : counts.sectorsIdeal;
    actual = static_cast<std::uint64_t>(count * 1000);
    best = static_cast<std::uint64_t>(ideal * 1000);
    return counts;
}

inline LineCounts branch(std::uint32_t line, std::uint64_t executions, std::uint64_t divergent) {
    LineCounts counts;
    counts.file = "/src/a.cu";
    counts.line = line;
    counts.pc = 16 * line;
    counts.op = MemoryOperation::Branch;
    counts.executions = executions;
    if (divergent > 0) counts.divergent = divergent;
    return counts;
}

struct Made {
    std::vector<LineCounts> lines{};
    Counters counters{};
    Launch launch = launchOf();
    Device device = h200();
    Origin origin = Origin::Measured;
    std::vector<std::pair<std::string, std::string>> code{}; ///< language, instruction
    std::uint64_t frameBytes = 0;
};

inline Session sessionOf(const Made& made) {
    Session session;
    ProcessStart start;
    start.process.origin = made.origin;
    session.apply(start);
    session.apply(made.device);
    Kernel kernel;
    kernel.localBytesPerThread = made.frameBytes;
    session.apply(kernel);
    session.apply(made.launch);
    if (!made.counters.empty()) session.apply(LaunchCounters{0, made.counters, true});
    if (!made.lines.empty()) session.apply(LaunchLines{0, made.lines});
    if (!made.code.empty()) {
        KernelCode code;
        std::uint64_t pc = 0;
        for (const auto& [language, text] : made.code) {
            fromString(language, code.language);
            addCodeLine(code, pc, "/src/a.cu", 7, text);
            pc += 16;
        }
        session.apply(code);
    }
    return session;
}

inline std::vector<Finding> findingsOf(const Made& made) {
    const Session session = sessionOf(made);
    return dormer::diagnosis::Diagnosis(session).findings(LaunchIndex{0});
}

inline const Finding* find(const std::vector<Finding>& all, std::string_view code) {
    const auto found = std::ranges::find(all, code, &Finding::code);
    return found == all.end() ? nullptr : &*found;
}
inline bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

inline std::vector<std::string> codes(const Made& made) {
    std::vector<std::string> found;
    for (const Finding& each : findingsOf(made))
        found.push_back(each.code);
    return found;
}

using Codes = std::vector<std::string>;

} // namespace dormer::tests::made
