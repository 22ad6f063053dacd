// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::session {

struct LineCounts;

/// A place in a source file, with folders as the compiler wrote them.
struct SourceFrame {
    std::string file;
    std::uint32_t line = 0;
    auto operator<=>(const SourceFrame&) const = default;
};

/// The calls that code was inlined at, innermost first; empty when it was not.
using CallChain = std::vector<SourceFrame>;

/// "a.cuh:12 < b.cu:40", as stream and file have it.
[[nodiscard]] std::string toString(const CallChain& calls);
/// Always true: what names no line is left out, as a session file may hold anything.
bool fromString(std::string_view text, CallChain& calls);

/// The line itself, then the calls that inlined it, up to the kernel: innermost first. Empty without line
/// information.
[[nodiscard]] std::vector<SourceFrame> framesOf(const LineCounts& counts);
/// True for a header of the CUDA toolkit, its libraries (CUB, Thrust, libcu++, cooperative groups) or the
/// compiler: nobody can mend what is in there.
[[nodiscard]] bool isLibraryFile(std::string_view path);
/// The innermost frame that is no library's: the line a user can change. The innermost of all when every one
/// is a library's; empty without line information.
[[nodiscard]] SourceFrame userFrame(const LineCounts& counts);

} // namespace dormer::session
