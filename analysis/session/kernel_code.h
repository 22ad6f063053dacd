// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <string_view>

namespace dormer::session {

/// One entry of KernelCode::lines.
struct CodeLine {
    std::uint64_t pc = 0;   ///< as LineCounts::pc: byte offset in SASS, line in the PTX text
    std::string_view file;  ///< empty when the source line is not known
    std::uint32_t line = 0; ///< 0 when it is not known
    std::string_view text;  ///< "LDG.E R2, [R4.64]", "ld.global.f32 %f1, [%rd2];"
};

/// In order; entries that are not of the form are left out, as a session file may hold anything. Views into
/// `code`.
[[nodiscard]] std::vector<CodeLine> codeLines(const KernelCode& code);
/// Appends an entry; new files are added to `files`. Line breaks in `text` become blanks.
void addCodeLine(KernelCode& code, std::uint64_t pc, std::string_view file, std::uint32_t line,
                 std::string_view text);

} // namespace dormer::session
