// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <string>
#include <vector>

namespace dormer::session {

/// A place in a source file, with folders as the compiler wrote them.
struct SourceFrame {
    std::string file;
    std::uint32_t line = 0;
    bool operator==(const SourceFrame&) const = default;
};

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
