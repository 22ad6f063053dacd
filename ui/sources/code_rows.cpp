// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/sources/code_rows.h"

#include "analysis/base/utf8.h"

#include <algorithm>
#include <cctype>

namespace dormer::ui::sources {
namespace {

constexpr std::size_t kTab = 4;

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

} // namespace

std::string expandTabs(std::string_view text, std::size_t most) {
    std::string out;
    std::size_t columns = 0;
    while (!text.empty()) {
        if (columns >= most) {
            out += "\u2026";
            break;
        }
        const std::string_view before = text;
        if (base::takeCharacter(text) == '\t') {
            const std::size_t blanks = kTab - columns % kTab;
            out.append(blanks, ' ');
            columns += blanks;
        } else {
            out += before.substr(0, before.size() - text.size());
            ++columns;
        }
    }
    return out;
}

std::optional<std::size_t> rowOfLine(const lines::SourceFileView& file, std::uint32_t line) {
    const auto found = std::ranges::lower_bound(file.rows, line, {}, &lines::SourceRow::number);
    if (found == file.rows.end() || found->number != line) return std::nullopt;
    return static_cast<std::size_t>(found - file.rows.begin());
}

std::optional<std::size_t> codeOfPc(const lines::KernelSource& source, std::uint64_t pc) {
    // Of rows at one position a label stands before its instruction, which is what counts.
    const auto after = std::ranges::upper_bound(source.code, pc, {}, &lines::CodeRow::pc);
    if (after == source.code.begin() || std::prev(after)->pc != pc) return std::nullopt;
    return static_cast<std::size_t>(std::prev(after) - source.code.begin());
}

std::optional<std::size_t> costliest(const lines::KernelSource& source, const std::vector<std::size_t>& code,
                                     Heat heat) {
    const auto cost = [&](std::size_t row) {
        return std::pair(heatOf(source.code[row], heat), heatOf(source.code[row], Heat::Traffic));
    };
    const auto most = std::ranges::max_element(code, {}, cost);
    return most == code.end() ? std::nullopt : std::optional(*most);
}

std::vector<std::size_t> hotRows(const lines::SourceFileView& file, Heat heat) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < file.rows.size(); ++row)
        if (heatOf(file.rows[row], heat) > 0) rows.push_back(row);
    std::ranges::stable_sort(rows, std::greater{},
                             [&](std::size_t row) { return heatOf(file.rows[row], heat); });
    return rows;
}

std::optional<std::size_t> nextHotRow(const lines::SourceFileView& file, std::size_t row, Heat heat,
                                      bool down) {
    const std::size_t count = file.rows.size();
    for (std::size_t step = 1; step <= count; ++step) {
        const std::size_t at = down ? (row + step) % count : (row + count - step % count) % count;
        if (heatOf(file.rows[at], heat) > 0) return at;
    }
    return std::nullopt;
}

std::optional<std::size_t> findText(const lines::SourceFileView& file, std::string_view words,
                                    std::size_t from, bool down) {
    const std::size_t count = file.rows.size();
    if (words.empty()) return std::nullopt;
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    for (std::size_t step = 0; step < count; ++step) {
        const std::size_t at = down ? (from + step) % count : (from + count - step) % count;
        const std::string& text = file.rows[at].text;
        if (std::search(text.begin(), text.end(), words.begin(), words.end(), same) != text.end()) return at;
    }
    return std::nullopt;
}

CostKinds costKinds(const lines::KernelSource& source) {
    CostKinds kinds;
    for (const session::LineCounts& access : source.accesses) {
        kinds.sectors |= access.sectors.value_or(0) > 0;
        kinds.wavefronts |= access.wavefronts.value_or(0) > 0;
    }
    return kinds;
}

} // namespace dormer::ui::sources
