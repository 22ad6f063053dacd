// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/kernel_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace dormer::session {

namespace {

/// Takes a decimal number and the blank after it off the front. False when there is none.
template <typename T>
bool takeNumber(std::string_view& text, T& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end == text.data() + text.size() || *end != ' ') return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return true;
}

} // namespace

std::vector<CodeLine> codeLines(const KernelCode& code) {
    std::vector<CodeLine> lines;
    lines.reserve(code.lines.size());
    for (const std::string& entry : code.lines) {
        std::string_view rest = entry;
        CodeLine line;
        std::size_t file = 0;
        if (!takeNumber(rest, line.pc) || !takeNumber(rest, file) || !takeNumber(rest, line.line)) continue;
        if (line.line != 0 && file < code.files.size())
            line.file = code.files[file];
        else
            line.line = 0;
        line.text = rest;
        lines.push_back(line);
    }
    return lines;
}

void addCodeLine(KernelCode& code, std::uint64_t pc, std::string_view file, std::uint32_t line,
                 std::string_view text) {
    std::size_t index = 0;
    if (line != 0) {
        const auto at = std::ranges::find(code.files, file);
        index = static_cast<std::size_t>(at - code.files.begin());
        if (at == code.files.end()) code.files.emplace_back(file);
    }
    std::string& entry = code.lines.emplace_back(fmt::format("{} {} {} {}", pc, index, line, text));
    std::ranges::replace_if(
        entry, [](char c) { return c == '\n' || c == '\r'; }, ' ');
}

} // namespace dormer::session
