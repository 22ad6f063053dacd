// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"
#include "analysis/view/details/line_rows.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dormer::report {

namespace {

/// More than anyone reads in a terminal; CSV and JSON have all.
constexpr std::size_t kMostKernels = 100;
constexpr std::size_t kMostLines = 25;
constexpr std::size_t kMostPlaceColumns = 44;
constexpr std::size_t kMostChainColumns = 120;

using Cells = std::array<std::string, view::details::kLineColumns.size()>;
using Widths = std::array<std::size_t, view::details::kLineColumns.size()>;

Cells cleaned(const view::details::LineRow& row) {
    Cells cells;
    for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i] = view::truncateMiddle(row.cells[i], kMostPlaceColumns);
    return cells;
}

void appendAligned(std::string& out, const Cells& cells, const Widths& widths) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += "  ";
        const std::string pad(widths[i] - view::displayWidth(cells[i]), ' ');
        line += view::details::isTextColumn(i) ? cells[i] + pad : pad + cells[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
}

std::string hiddenText(const view::details::KernelLines& kernel) {
    if (kernel.hiddenLines == 0) return {};
    return fmt::format("{} more {}, with less excess", kernel.hiddenLines,
                       kernel.hiddenLines == 1 ? "line" : "lines");
}

} // namespace

std::string linesTableText(const diagnosis::Diagnosis& diagnosis) {
    const std::vector<view::details::KernelLines> kernels =
        view::details::allKernelLines(diagnosis, kMostKernels, kMostLines);
    Cells head;
    std::ranges::copy(view::details::kLineColumns, head.begin());
    Widths widths{};
    const auto widen = [&](const Cells& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], view::displayWidth(cells[i]));
    };
    widen(head);
    for (const view::details::KernelLines& kernel : kernels)
        for (const view::details::KernelLines::Line& line : kernel.lines)
            for (const view::details::LineRow& row : line.rows)
                widen(cleaned(row));
    std::string out;
    for (const view::details::KernelLines& kernel : kernels) {
        out += view::truncateMiddle(view::details::linesTitle(kernel), kMostChainColumns) + '\n';
        appendAligned(out, head, widths);
        for (const view::details::KernelLines::Line& line : kernel.lines) {
            for (const view::details::LineRow& row : line.rows)
                appendAligned(out, cleaned(row), widths);
            if (!line.chain.empty())
                out += "  inlined at " + view::truncateMiddle(line.chain, kMostChainColumns) + '\n';
        }
        if (const std::string hidden = hiddenText(kernel); !hidden.empty()) out += hidden + '\n';
        out += '\n';
    }
    if (const std::string why = view::details::whyNoLines(kernels); !why.empty())
        out += view::cleanText(why) + '\n';
    return out + view::cleanText(session::provenance(diagnosis.session())) + '\n';
}

std::string linesMarkdownText(const diagnosis::Diagnosis& diagnosis) {
    std::string out =
        fmt::format("# Lines: {}\n", view::escapeMarkdown(session::provenance(diagnosis.session())));
    const std::vector<view::details::KernelLines> kernels =
        view::details::allKernelLines(diagnosis, kMostKernels, kMostLines);
    if (const std::string why = view::details::whyNoLines(kernels); !why.empty())
        out += fmt::format("\n{}.\n", view::escapeMarkdown(why));
    for (const view::details::KernelLines& kernel : kernels) {
        out += fmt::format("\n## {}\n\n|", view::escapeMarkdown(view::details::linesTitle(kernel)));
        for (const std::string_view column : view::details::kLineColumns)
            out += fmt::format(" {} |", column);
        out += "\n|";
        for (std::size_t i = 0; i < view::details::kLineColumns.size(); ++i)
            out += view::details::isTextColumn(i) ? ":--|" : "--:|";
        out += '\n';
        for (const view::details::KernelLines::Line& line : kernel.lines) {
            for (const view::details::LineRow& row : line.rows) {
                out += '|';
                for (const std::string& cell : row.cells)
                    out += fmt::format(" {} |", view::escapeMarkdown(cell));
                out += '\n';
            }
            if (line.chain.empty()) continue;
            out += fmt::format("| inlined at {} |", view::escapeMarkdown(line.chain));
            for (std::size_t i = 1; i < view::details::kLineColumns.size(); ++i)
                out += " |";
            out += '\n';
        }
        if (const std::string hidden = hiddenText(kernel); !hidden.empty()) out += "\n" + hidden + ".\n";
    }
    return out;
}

} // namespace dormer::report
