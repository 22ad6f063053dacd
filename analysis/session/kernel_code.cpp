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

std::string_view fileOf(const KernelCode& code, const CodeLine& line) {
    return line.line != 0 && line.file < code.files.size() ? std::string_view(code.files[line.file]) : "";
}

void addCodeLine(KernelCode& code, std::uint64_t pc, std::string_view file, std::uint32_t line,
                 std::string_view text) {
    CodeLine& added = code.lines.emplace_back(pc, 0, line, std::string(text));
    std::ranges::replace_if(
        added.text, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    if (line == 0) return;
    const auto at = std::ranges::find(code.files, file);
    added.file = static_cast<std::uint32_t>(at - code.files.begin());
    if (at == code.files.end()) code.files.emplace_back(file);
}

std::string toString(const CodeLine& line) {
    return fmt::format("{} {} {} {}", line.pc, line.file, line.line, line.text);
}

bool fromString(std::string_view text, CodeLine& line) {
    if (!takeNumber(text, line.pc) || !takeNumber(text, line.file) || !takeNumber(text, line.line))
        return false;
    line.text = text;
    return true;
}

} // namespace dormer::session
