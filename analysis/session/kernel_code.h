// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/kinds.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::session {

/// One instruction, label or directive.
struct CodeLine {
    std::uint64_t pc = 0;   ///< as LineCounts::pc: byte offset in SASS, line in the PTX text
    std::uint32_t file = 0; ///< index into KernelCode::files; says nothing where `line` is 0
    std::uint32_t line = 0; ///< 0 when the source line is not known
    std::string text;       ///< "LDG.E R2, [R4.64]", "ld.global.f32 %f1, [%rd2];"
};

/// The instructions of a kernel as text.
struct KernelCode {
    std::uint64_t kernel = 0; ///< in a record Kernel::id; in a Session index into kernels()
    CodeLanguage language = CodeLanguage::None;
    std::vector<std::string> files; ///< source files that it names
    std::vector<CodeLine> lines;    ///< in order
};

/// Source file of one of its lines; empty when that is not known.
[[nodiscard]] std::string_view fileOf(const KernelCode& code, const CodeLine& line);
/// Appends a line; new files are added to `files`. Line breaks in `text` become blanks.
void addCodeLine(KernelCode& code, std::uint64_t pc, std::string_view file, std::uint32_t line,
                 std::string_view text);

/// "PC FILE LINE TEXT" as stream and file have it, numbers in decimal.
[[nodiscard]] std::string toString(const CodeLine& line);
/// False for text that is not of that form.
bool fromString(std::string_view text, CodeLine& line);

} // namespace dormer::session
