// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/line_rows.h"
#include "analysis/report/report.h"
#include "analysis/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace dormer::analysis {

namespace {

/// More than anyone reads in a terminal; CSV and JSON have all.
constexpr std::size_t kMostKernels = 100;
constexpr std::size_t kMostLines = 25;
constexpr std::size_t kMostPlaceColumns = 44;
constexpr std::size_t kMostChainColumns = 120;

using Cells = std::array<std::string, kLineColumns.size()>;
using Widths = std::array<std::size_t, kLineColumns.size()>;

Cells cleaned(const LineRow& row) {
    Cells cells;
    for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i] = truncateMiddle(row.cells[i], kMostPlaceColumns);
    return cells;
}

void appendAligned(std::string& out, const Cells& cells, const Widths& widths) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += "  ";
        const std::string pad(widths[i] - displayWidth(cells[i]), ' ');
        line += isTextColumn(i) ? cells[i] + pad : pad + cells[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
}

std::string hiddenText(const KernelLines& kernel) {
    if (kernel.hiddenLines == 0) return {};
    return fmt::format("{} more {}, with less excess", kernel.hiddenLines,
                       kernel.hiddenLines == 1 ? "line" : "lines");
}

} // namespace

std::string linesTableText(const MetricEvaluator& metrics) {
    const std::vector<KernelLines> kernels = allKernelLines(metrics, kMostKernels, kMostLines);
    Cells head;
    std::ranges::copy(kLineColumns, head.begin());
    Widths widths{};
    const auto widen = [&](const Cells& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], displayWidth(cells[i]));
    };
    widen(head);
    for (const KernelLines& kernel : kernels)
        for (const KernelLines::Line& line : kernel.lines)
            for (const LineRow& row : line.rows)
                widen(cleaned(row));
    std::string out;
    for (const KernelLines& kernel : kernels) {
        out += truncateMiddle(linesTitle(kernel), kMostChainColumns) + '\n';
        appendAligned(out, head, widths);
        for (const KernelLines::Line& line : kernel.lines) {
            for (const LineRow& row : line.rows)
                appendAligned(out, cleaned(row), widths);
            if (!line.chain.empty())
                out += "  inlined at " + truncateMiddle(line.chain, kMostChainColumns) + '\n';
        }
        if (const std::string hidden = hiddenText(kernel); !hidden.empty()) out += hidden + '\n';
        out += '\n';
    }
    if (const std::string why = whyNoLines(kernels); !why.empty()) out += cleanText(why) + '\n';
    return out + cleanText(provenance(metrics.session())) + '\n';
}

std::string linesMarkdownText(const MetricEvaluator& metrics) {
    std::string out = fmt::format("# Lines: {}\n", escapeMarkdown(provenance(metrics.session())));
    const std::vector<KernelLines> kernels = allKernelLines(metrics, kMostKernels, kMostLines);
    if (const std::string why = whyNoLines(kernels); !why.empty())
        out += fmt::format("\n{}.\n", escapeMarkdown(why));
    for (const KernelLines& kernel : kernels) {
        out += fmt::format("\n## {}\n\n|", escapeMarkdown(linesTitle(kernel)));
        for (const std::string_view column : kLineColumns)
            out += fmt::format(" {} |", column);
        out += "\n|";
        for (std::size_t i = 0; i < kLineColumns.size(); ++i)
            out += isTextColumn(i) ? ":--|" : "--:|";
        out += '\n';
        for (const KernelLines::Line& line : kernel.lines) {
            for (const LineRow& row : line.rows) {
                out += '|';
                for (const std::string& cell : row.cells)
                    out += fmt::format(" {} |", escapeMarkdown(cell));
                out += '\n';
            }
            if (line.chain.empty()) continue;
            out += fmt::format("| inlined at {} |", escapeMarkdown(line.chain));
            for (std::size_t i = 1; i < kLineColumns.size(); ++i)
                out += " |";
            out += '\n';
        }
        if (const std::string hidden = hiddenText(kernel); !hidden.empty()) out += "\n" + hidden + ".\n";
    }
    return out;
}

} // namespace dormer::analysis
