// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/source/source_hint.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <fstream>
#include <sstream>

/// Changes that the text of a made-up source file brings.
namespace dormer::tests::hints {

using namespace dormer::session;
using namespace dormer::source;

struct Case {
    std::string text; ///< the line in question ends in "// here"
    Dim3 block{256, 1, 1}, grid{64, 1, 1};
    std::string kernel = "kernel(float*)";
};

inline std::uint32_t lineWith(const std::string& text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    REQUIRE(at != std::string::npos);
    return static_cast<std::uint32_t>(
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

inline Session sessionOf(const Case& of) {
    Session session;
    session.apply(ProcessStart{});
    session.apply(Device{});
    Kernel kernel;
    kernel.name = of.kernel;
    session.apply(kernel);
    Launch launch;
    launch.grid = of.grid;
    launch.block = of.block;
    session.apply(launch);
    session.apply(SourceFile{"a.cu", of.text});
    return session;
}

inline LineCounts access(const Case& of, std::string_view space, std::string_view op, double count,
                         double ideal, std::uint32_t width, std::string_view mark = "// here") {
    LineCounts counts;
    counts.file = "a.cu";
    counts.line = lineWith(of.text, mark);
    fromString(space, counts.space);
    fromString(op, counts.op);
    counts.widthBytes = width;
    counts.executions = 1000;
    counts.threads = 32000;
    auto& actual = space == "shared" ? counts.wavefronts : counts.sectors;
    auto& best = space == "shared" ? counts.wavefrontsIdeal : counts.sectorsIdeal;
    actual = static_cast<std::uint64_t>(count * 1000);
    best = static_cast<std::uint64_t>(ideal * 1000);
    return counts;
}

inline std::string shared(const Case& of, std::string_view op, double wavefronts, double ideal = 1,
                          std::uint32_t width = 4) {
    return bankConflictChange(sessionOf(of), LaunchIndex{0},
                              access(of, "shared", op, wavefronts, ideal, width));
}
inline std::string global(const Case& of, std::string_view op, double sectors, double ideal = 4,
                          std::uint32_t width = 4) {
    const LineCounts counts = access(of, "global", op, sectors, ideal, width);
    return globalAccessChange(sessionOf(of), LaunchIndex{0}, counts, std::span(&counts, 1));
}
inline bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

inline std::string kernelOf(const std::string& body,
                            const std::string& parameters = "float* out, const float* in, int n") {
    return "__global__ void kernel(" + parameters + ") {\n" + body + "}\n";
}

/// A file of the suite, with the mark at the end of the first line that has `part`.
inline std::string suite(const std::string& file, std::string_view part) {
    std::ifstream stream(std::string(DORMER_SOURCE_DIR "/kernels/") + file);
    std::stringstream read;
    read << stream.rdbuf();
    std::string text = read.str();
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.insert(text.find('\n', at), " // here");
}

} // namespace dormer::tests::hints
