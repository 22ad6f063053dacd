// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/sass_listing.h"

#include "analysis/base/utf8.h"
#include "analysis/session/kernel_code.h"
#include "instrument/cupti/sass/sass_code.h"

#include <charconv>
#include <optional>

namespace dormer::instrument::cupti::sass {

namespace {

constexpr std::size_t kMostLines = 50'000;
constexpr std::uint64_t kInstructionBytes = 16; // since Volta

std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::string_view upTo(std::string_view text, std::string_view ends) {
    return text.substr(0, text.find_first_of(ends));
}

/// The function whose code begins with this line, "" for another section; nothing for any other line.
std::optional<std::string_view> functionOf(std::string_view line) {
    constexpr std::string_view kSection = ".section", kText = ".text.", kCuobjdump = "Function : ";
    if (line.starts_with(kCuobjdump)) return trimmed(line.substr(kCuobjdump.size()));
    if (line.starts_with(kSection)) {
        const std::string_view name = trimmed(upTo(line.substr(kSection.size()), ","));
        return name.starts_with(kText) ? name.substr(kText.size()) : "";
    }
    if (line.starts_with(kText) && line.ends_with(':'))
        return line.substr(kText.size(), line.size() - kText.size() - 1);
    return std::nullopt;
}

/// "/*01f0*/   @!P0 LDG.E R6, desc[UR6][R4.64] ;   /* 0x... */"
std::optional<SassLine> instructionOf(std::string_view line) {
    if (!line.starts_with("/*")) return std::nullopt;
    line.remove_prefix(2);
    SassLine found;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), found.pc, 16);
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (error != std::errc{} || !line.starts_with("*/")) return std::nullopt;
    line.remove_prefix(2);
    found.text = trimmed(line.substr(0, line.find("/*")), " \t\r;{}");
    if (found.text.empty()) return std::nullopt;
    return found;
}

} // namespace

std::vector<SassLine> parseListing(std::string_view listing, std::string_view mangledName) {
    std::vector<SassLine> lines;
    std::vector<std::string_view> labels; ///< whose instruction has not come yet
    bool inside = false;
    while (!listing.empty() && lines.size() < kMostLines) {
        const std::size_t end = listing.find('\n');
        const std::string_view line = trimmed(listing.substr(0, end));
        listing = end == std::string_view::npos ? "" : listing.substr(end + 1);
        if (const auto function = functionOf(line)) {
            inside = *function == mangledName;
            labels.clear();
        } else if (!inside || line.empty()) {
            continue;
        } else if (auto instruction = instructionOf(line)) {
            for (const std::string_view label : labels)
                lines.push_back({instruction->pc, base::withValidUtf8(label)});
            labels.clear();
            instruction->text = base::withValidUtf8(instruction->text);
            lines.push_back(std::move(*instruction));
        } else if (line.ends_with(':') && line.find_first_of(" \t") == std::string_view::npos &&
                   line.substr(0, line.size() - 1) != mangledName) {
            labels.push_back(line);
        }
    }
    while (!lines.empty() && lines.back().text == "NOP")
        lines.pop_back();
    return lines;
}

std::vector<SassLine> namedInstructions(Bytes code) {
    std::vector<SassLine> lines;
    for (std::uint64_t pc = 0; pc < code.size() && lines.size() < kMostLines; pc += kInstructionBytes)
        if (std::string name = mnemonicAt(code, pc); !name.empty()) lines.push_back({pc, std::move(name)});
    return lines;
}

session::KernelCode sassCode(std::span<const SassLine> lines, const LineTable& places) {
    session::KernelCode code;
    code.language = session::CodeLanguage::Sass;
    for (const SassLine& line : lines) {
        const bool isLabel = line.text.ends_with(':');
        const session::SourceFrame place = isLabel ? session::SourceFrame{} : places.userFrameAt(line.pc);
        session::addCodeLine(code, line.pc, place.file, place.file.empty() ? 0 : place.line, line.text);
    }
    return code;
}

} // namespace dormer::instrument::cupti::sass
