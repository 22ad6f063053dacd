// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/base/utf8.h"
#include "analysis/metrics/format.h"
#include "analysis/report/page/sources.h"
#include "analysis/view/details/source_heat.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace dormer::report::page {

namespace {

/// Columns of a source line and of an instruction; more is cut off.
constexpr std::size_t kMostTextColumns = 240;
constexpr std::size_t kMostCodeColumns = 120;
constexpr std::size_t kMostWhatColumns = 400;
constexpr std::size_t kContext = 3, kCodeContext = 1;
/// Rows that cost which are open at first, of a file and of the code.
constexpr std::size_t kMostHotRows = 40, kMostHotCode = 48;
/// Fewer rows than a fold would save stay open.
constexpr std::size_t kSmallGap = 3;
constexpr std::size_t kTabColumns = 4;
/// Of all samples; stalls of fewer warps are not told.
constexpr double kLeastStalled = 0.001;

/// Clean text that keeps its indentation; a beginning is what tells a long line.
std::string codeText(std::string_view text, std::size_t columns) {
    std::string spaced;
    for (const char c : text.substr(0, columns * 4)) {
        if (c == '\t')
            spaced.append(kTabColumns - spaced.size() % kTabColumns, ' ');
        else
            spaced += c;
    }
    std::string clean = view::cleanText(spaced);
    bool cut = text.size() > columns * 4;
    std::size_t width = 0;
    for (std::string_view rest = clean; !rest.empty();) {
        const std::size_t at = clean.size() - rest.size();
        width += base::displayWidth(base::takeCharacter(rest));
        if (width <= columns) continue;
        clean.resize(at);
        cut = true;
        break;
    }
    return view::escapeMarkup(clean) + (cut ? "…" : "");
}

template <typename Row>
double worthOf(const Row& row) {
    // What wastes or waits comes before what merely moves.
    double worth = row.cost ? 1e-9 + row.cost->waste * 1e3 + row.cost->traffic : 0;
    if (row.stalls && row.stalls->stalled >= kLeastStalled) worth += row.stalls->stalled * 1e3;
    return worth;
}

/// What stands beside the text of a row.
template <typename Row>
std::string gutter(const Row& row, bool sampled) {
    return heatCell(row.cost) + (sampled ? stallCell(row.stalls) : std::string());
}

/// What a line did stands below its text when it wastes or a finding names it; of others it is told on
/// hovering, or in place of a text that is not there.
std::string sourceRow(const lines::SourceRow& row, const std::string& id, const std::string& finding,
                      bool embedded, bool sampled) {
    const std::string what = view::escapeMarkup(view::truncateMiddle(row.what, kMostWhatColumns));
    const bool below = !finding.empty() || (row.cost && row.cost->waste > 0 && !what.empty());
    const bool inside = !embedded && !below;
    std::string out = fmt::format(R"(<div class="l"{}{}>)", id.empty() ? "" : fmt::format(R"( id="{}")", id),
                                  what.empty() || below || inside ? "" : fmt::format(R"( title="{}")", what));
    fmt::format_to(std::back_inserter(out), "<b>{}</b>{}<code>{}</code></div>", row.number,
                   gutter(row, sampled),
                   inside ? fmt::format(R"(<span class="muted">{}</span>)", what)
                          : codeText(row.text, kMostTextColumns));
    if (below)
        fmt::format_to(std::back_inserter(out), R"(<p class="w">{}{}</p>)",
                       finding.empty() ? std::string()
                                       : fmt::format("<strong>{}</strong>{}", view::escapeMarkup(finding),
                                                     what.empty() ? "" : " · "),
                       what);
    return out + "\n";
}

std::string codeRow(const lines::CodeRow& row, const lines::KernelSource& source, std::string_view key,
                    const std::string& id) {
    const std::string position = source.language == session::CodeLanguage::Ptx
                                     ? std::to_string(row.pc)
                                     : fmt::format("{:04x}", row.pc);
    return fmt::format("<div class=\"c\"{}{}><b>{}</b>{}<code>{}</code></div>\n",
                       id.empty() ? "" : fmt::format(R"( id="{}")", id),
                       key.empty() ? "" : fmt::format(R"( data-s="{}")", key), position,
                       gutter(row, source.samples > 0), codeText(row.text, kMostCodeColumns));
}

} // namespace

std::string heatCell(const std::optional<lines::LineCost>& cost) {
    if (!cost) return "<i></i>";
    if (cost->waste <= 0) return R"(<i class="ok" title="wastes nothing">·</i>)";
    return fmt::format(R"(<i style="--h:{:.2f}">{}</i>)", std::min(cost->waste, 1.0),
                       metrics::forPeople(cost->waste, metrics::Unit::Ratio));
}

std::string stallCell(const std::optional<lines::StallCost>& stalls) {
    if (!stalls || stalls->stalled < kLeastStalled) return R"(<i class="s"></i>)";
    return fmt::format(R"(<i class="s" style="--h:{:.2f}" title="{}">{}</i>)", std::min(stalls->stalled, 1.0),
                       view::escapeMarkup(view::details::stallText(stalls)),
                       metrics::forPeople(stalls->stalled, metrics::Unit::Ratio));
}

std::vector<bool> openRows(const std::vector<double>& worth, std::size_t context, std::size_t most) {
    std::vector<std::size_t> hot;
    for (std::size_t i = 0; i < worth.size(); ++i)
        if (worth[i] > 0) hot.push_back(i);
    if (hot.size() > most) {
        std::ranges::stable_sort(hot, std::greater{}, [&](std::size_t i) { return worth[i]; });
        hot.resize(most);
    }
    std::vector<bool> open(worth.size());
    for (const std::size_t row : hot)
        for (std::size_t i = row - std::min(row, context); i < std::min(row + context + 1, open.size()); ++i)
            open[i] = true;
    for (const RowRun& run : runsOf(open)) {
        const bool inside = run.begin > 0 && run.end < open.size();
        if (!run.open && inside && run.end - run.begin <= kSmallGap)
            std::fill(open.begin() + static_cast<std::ptrdiff_t>(run.begin),
                      open.begin() + static_cast<std::ptrdiff_t>(run.end), true);
    }
    return open;
}

std::vector<RowRun> runsOf(const std::vector<bool>& open) {
    std::vector<RowRun> runs;
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (runs.empty() || runs.back().open != open[i]) runs.push_back({i, i, open[i]});
        runs.back().end = i + 1;
    }
    return runs;
}

std::string foldedRows(std::string&& rows, std::size_t count, std::string_view noun, Allowance& allowance) {
    const std::string label = fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
    if (rows.empty() || rows.size() > allowance)
        return fmt::format("<p class=\"fold\">⋯ {} not shown</p>\n", label);
    allowance -= rows.size();
    return fmt::format("<details class=\"fold\"><summary>⋯ {}</summary>\n{}</details>\n", label, rows);
}

std::string sourceRows(const lines::SourceFileView& file, const LineFindings& findings, bool sampled,
                       std::size_t kernel, std::size_t fileIndex, SourcePanel& panel, Allowance& allowance) {
    std::vector<double> worth;
    worth.reserve(file.rows.size());
    for (const lines::SourceRow& row : file.rows)
        worth.push_back(worthOf(row));
    std::string out;
    for (const RowRun& run : runsOf(openRows(worth, kContext, kMostHotRows))) {
        // Folded text of a file larger than all that may be spent is not even made.
        std::string rows;
        for (std::size_t i = run.begin; i < run.end && (run.open || rows.size() <= allowance); ++i) {
            const lines::SourceRow& row = file.rows[i];
            std::string id;
            if (row.cost || !row.code.empty()) id = fmt::format("k{}-f{}-{}", kernel, fileIndex, row.number);
            const auto finding = findings.find({file.path, row.number});
            rows += sourceRow(row, id, finding == findings.end() ? std::string() : finding->second,
                              file.embedded, sampled);
        }
        const bool shown = run.open || rows.size() <= allowance;
        for (std::size_t i = run.begin; shown && i < run.end; ++i)
            if (const lines::SourceRow& row = file.rows[i]; row.cost || !row.code.empty())
                panel.lines.try_emplace({file.path, row.number},
                                        fmt::format("k{}-f{}-{}", kernel, fileIndex, row.number));
        out += run.open ? rows : foldedRows(std::move(rows), run.end - run.begin, "line", allowance);
    }
    return out;
}

std::string codeRows(const lines::KernelSource& source, std::size_t kernel,
                     const std::vector<std::string>& keys, SourcePanel& panel, Allowance& allowance) {
    std::vector<double> worth;
    worth.reserve(source.code.size());
    for (const lines::CodeRow& row : source.code)
        worth.push_back(worthOf(row));
    std::string out;
    for (const RowRun& run : runsOf(openRows(worth, kCodeContext, kMostHotCode))) {
        std::string rows;
        for (std::size_t i = run.begin; i < run.end && (run.open || rows.size() <= allowance); ++i) {
            const lines::CodeRow& row = source.code[i];
            rows += codeRow(row, source, keys[i],
                            row.access ? fmt::format("k{}-p{:x}", kernel, row.pc) : std::string());
        }
        const bool shown = run.open || rows.size() <= allowance;
        for (std::size_t i = run.begin; shown && i < run.end; ++i)
            if (const lines::CodeRow& row = source.code[i]; row.access)
                panel.instructions.try_emplace(row.pc, fmt::format("k{}-p{:x}", kernel, row.pc));
        out += run.open ? rows : foldedRows(std::move(rows), run.end - run.begin, "instruction", allowance);
    }
    return out;
}

} // namespace dormer::report::page
