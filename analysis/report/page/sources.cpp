// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/sources.h"

#include "analysis/metrics/format.h"
#include "analysis/report/page/page.h"
#include "analysis/session/user_line.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <tuple>

namespace dormer::report::page {

namespace {

/// Pictures of a kernel's accesses, each of another line; all but the first only while the page allows.
constexpr std::size_t kMostPictures = 3;
/// Users' files that are open at first: those with most of the waste.
constexpr std::size_t kMostOpenFiles = 3;
constexpr std::size_t kMostPathColumns = 160;

using Keys = std::map<std::pair<std::string, std::uint32_t>, std::string>;

Keys keysOf(const lines::KernelSource& source) {
    Keys keys;
    for (std::size_t i = 0; i < source.files.size(); ++i)
        for (const lines::SourceRow& row : source.files[i].rows)
            if (row.cost || !row.code.empty())
                keys.try_emplace({source.files[i].path, row.number}, fmt::format("f{}-{}", i, row.number));
    return keys;
}

std::string keyAt(const Keys& keys, const std::string& file, std::uint32_t line) {
    const auto at = keys.find({file, line});
    return at == keys.end() ? std::string() : at->second;
}

/// As people write it: compilers keep the dots of "build/../kernels/sum.cu".
std::string shownPath(const std::string& path) {
    return view::truncateMiddle(std::filesystem::path(path).lexically_normal().string(), kMostPathColumns);
}

/// Of a list of rows: with a column for stalls or not.
std::string_view rowsClass(const lines::KernelSource& source) {
    return source.samples > 0 ? "rows st" : "rows";
}

std::string filePart(const lines::KernelSource& source, const lines::SourceFileView& file, std::string&& rows,
                     bool open) {
    std::string facts = file.path == file.name ? std::string() : shownPath(file.path);
    if (file.waste > 0)
        facts = fmt::format("{} of the waste{}{}", metrics::forPeople(file.waste, metrics::Unit::Ratio),
                            facts.empty() ? "" : " · ", facts);
    return fmt::format("<details class=\"file\"{}><summary>{} <span class=\"muted\">{}</span></summary>"
                       "<div class=\"{}\">{}</div></details>",
                       open ? R"( open="")" : "", view::escapeMarkup(view::truncateMiddle(file.name, 80)),
                       view::escapeMarkup(facts), rowsClass(source), rows);
}

/// Accesses that waste most, or move most where none wastes, of different lines.
std::vector<const session::LineCounts*> worstAccesses(const lines::KernelSource& source) {
    std::vector<const lines::CodeRow*> all;
    for (const lines::CodeRow& row : source.code)
        if (row.access && source.accesses[*row.access].op != session::MemoryOperation::Branch)
            all.push_back(&row);
    // Atomics whose lanes wait for each other waste no bytes.
    std::ranges::stable_sort(all, std::greater{}, [&](const lines::CodeRow* row) {
        return std::tuple(row->cost->waste, source.accesses[*row->access].serialized.value_or(0),
                          row->cost->traffic);
    });
    // Beside waste, a picture of what is well would mislead.
    const bool wastes = !all.empty() && all.front()->cost->waste > 0;
    std::vector<const session::LineCounts*> worst;
    for (const lines::CodeRow* row : all) {
        if (wastes && row->cost->waste <= 0) break;
        const session::LineCounts* access = &source.accesses[*row->access];
        const session::SourceFrame frame = session::userFrame(*access);
        const bool known = std::ranges::any_of(worst, [&](const session::LineCounts* other) {
            return !frame.file.empty() && session::userFrame(*other) == frame;
        });
        if (!known) worst.push_back(access);
        if (worst.size() == kMostPictures) break;
    }
    return worst;
}

std::string pictures(const lines::KernelSource& source, const Keys& keys, Allowance& allowance) {
    std::string out;
    for (const session::LineCounts* access : worstAccesses(source)) {
        const session::SourceFrame frame = session::userFrame(*access);
        const std::string figure = lanesFigure(*access, keyAt(keys, frame.file, frame.line));
        if (!out.empty() && figure.size() > allowance) break;
        if (!out.empty()) allowance -= figure.size();
        out += figure;
    }
    return out.empty() ? out : R"(<div class="pictures">)" + out + "</div>";
}

LineFindings findingsByLine(std::span<const diagnosis::GroupFinding> found) {
    LineFindings lines;
    for (const findings::Finding& finding : found)
        for (const findings::FindingPlace& place : finding.places) {
            if (place.file.empty()) continue;
            std::string& titles = lines[{place.file, place.line}];
            // Places of one finding may share a line that was inlined in several ways.
            if (titles.find(finding.title) == std::string::npos)
                titles += (titles.empty() ? "" : "; ") + finding.title;
        }
    return lines;
}

std::string_view codeTitle(session::CodeLanguage language) {
    switch (language) {
    case session::CodeLanguage::Sass:
        return "SASS";
    case session::CodeLanguage::Ptx:
        return "PTX";
    default:
        return "Instructions";
    }
}

} // namespace

std::string SourcePanel::anchor(const findings::FindingPlace& place) const {
    if (const auto line = lines.find({place.file, place.line}); line != lines.end()) return line->second;
    const auto code = instructions.find(place.pc);
    return code != instructions.end() ? code->second : std::string();
}

SourcePanel sourcePanel(const session::Session& session, const view::KernelRow& row, std::size_t index,
                        Allowance& allowance) {
    SourcePanel panel;
    const lines::KernelSource source = lines::kernelSource(session, row.launches);
    if (source.empty()) return panel;
    const Keys keys = keysOf(source);
    std::vector<std::string> codeKeys;
    codeKeys.reserve(source.code.size());
    for (const lines::CodeRow& code : source.code)
        codeKeys.push_back(keyAt(keys, code.file, code.line));

    const LineFindings findings = findingsByLine(row.findings);
    std::string files;
    for (std::size_t i = 0; i < source.files.size(); ++i) {
        const lines::SourceFileView& file = source.files[i];
        const bool open = i < kMostOpenFiles && (i == 0 || !session::isLibraryFile(file.path));
        files += filePart(source, file,
                          sourceRows(file, findings, source.samples > 0, index, i, panel, allowance), open);
    }
    const std::string code = codeRows(source, index, codeKeys, panel, allowance);

    std::string& out = panel.html;
    out = fmt::format(R"(<section class="panel source" data-row="{}" aria-label="Source of {}">)"
                      R"(<div class="panel-head"><h2>Source</h2><span class="muted">{}{}</span></div>)",
                      index, view::escapeMarkup(view::truncateMiddle(row.label, 120)),
                      view::escapeMarkup(view::truncateMiddle(view::fullLabel(row), 160)),
                      row.launches.size() > 1 ? fmt::format(", {} launches added up", row.launches.size())
                                              : "");
    if (!source.hint.empty())
        out += fmt::format(R"(<p class="muted hint">{}{}.</p>)",
                           static_cast<char>(std::toupper(static_cast<unsigned char>(source.hint.front()))),
                           view::escapeMarkup(view::truncateMiddle(source.hint.substr(1), 400)));
    const std::string drawn = pictures(source, keys, allowance);
    panel.hasPicture = !drawn.empty();
    out += drawn;
    out += fmt::format(R"(<div class="split{}">)", files.empty() ? " single" : "");
    if (!files.empty()) out += fmt::format(R"(<div class="files">{}</div>)", files);
    out += fmt::format(R"(<div class="code"><h4>{}</h4><div class="{}">{}</div></div></div>)",
                       codeTitle(source.language), rowsClass(source), code);
    out += lineTable(session, row) + "</section>\n";
    return panel;
}

std::vector<SourcePanel> sourcePanels(const session::Session& session, const view::KernelRows& rows) {
    std::vector<SourcePanel> panels;
    const std::size_t count = std::min(rows.rows.size(), kMostCards);
    panels.reserve(count);
    Allowance allowance = kAllowance;
    for (std::size_t i = 0; i < count; ++i)
        panels.push_back(sourcePanel(session, rows.rows[i], i, allowance));
    return panels;
}

} // namespace dormer::report::page
