// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/names/kernel_aliases.h"

#include "analysis/session/names/name_filter.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <array>
#include <fstream>
#include <iterator>

namespace dormer::session {

namespace {

/// \0 to \9, as RE2 has them.
constexpr int kMostGroups = 10;
constexpr std::string_view kArrow = "=>";

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r";
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

} // namespace

Result<KernelAliases> KernelAliases::load(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string text;
    // A folder opens, but reading it throws.
    const bool readable = in && !std::filesystem::is_directory(file);
    if (readable) text.assign(std::istreambuf_iterator<char>(in), {});
    if (!readable || in.bad())
        return failure(ErrorKind::Usage, fmt::format("cannot read the aliases file {}", file.string()));
    return parse(text, file.string());
}

Result<KernelAliases> KernelAliases::parse(std::string_view text, const std::string& file) {
    KernelAliases aliases;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.empty() || line.starts_with('#')) continue;
        const auto wrong = [&](std::string_view what) {
            return failure(ErrorKind::Usage, fmt::format("{}:{}: {}", file, number, what));
        };
        const std::size_t arrow = line.rfind(kArrow);
        if (arrow == std::string_view::npos) return wrong("expected 'PATTERN => NAME'");
        const std::string pattern(trimmed(line.substr(0, arrow)));
        Alias alias{nullptr, std::string(trimmed(line.substr(arrow + kArrow.size())))};
        if (pattern.empty() || alias.name.empty()) return wrong("expected 'PATTERN => NAME'");
        auto compiled = std::make_shared<const re2::RE2>(pattern, re2::RE2::Quiet);
        if (!compiled->ok()) return wrong("invalid regular expression: " + compiled->error());
        if (std::string problem; !compiled->CheckRewriteString(alias.name, &problem)) return wrong(problem);
        alias.pattern = std::move(compiled);
        aliases.m_aliases.push_back(std::move(alias));
    }
    return aliases;
}

std::optional<std::string> KernelAliases::find(std::string_view name) const {
    const std::string_view head = name.substr(0, kMaxFilteredBytes);
    std::array<re2::StringPiece, kMostGroups> groups;
    for (const Alias& alias : m_aliases) {
        const int count = std::min(alias.pattern->NumberOfCapturingGroups() + 1, kMostGroups);
        if (!alias.pattern->Match({head.data(), head.size()}, 0, head.size(), re2::RE2::UNANCHORED,
                                  groups.data(), count))
            continue;
        std::string shown;
        if (alias.pattern->Rewrite(&shown, alias.name, groups.data(), count) && !shown.empty()) return shown;
    }
    return std::nullopt;
}

KernelAliases& KernelAliases::current() {
    static KernelAliases aliases;
    return aliases;
}

const KernelAliases& KernelAliases::inUse() {
    return current();
}

void KernelAliases::use(KernelAliases aliases) {
    current() = std::move(aliases);
}

} // namespace dormer::session
