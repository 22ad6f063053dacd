// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/lines/annotated_source.h"
#include "analysis/view/kernel_rows.h"

#include <map>
#include <string>
#include <vector>

/// Source and machine code of the page's kernels, with what each line wastes.
namespace dormer::report::page {

/// Bytes that the page may still spend on what is folded away at first, over all kernels.
using Allowance = std::size_t;
inline constexpr Allowance kAllowance = 1'500'000;

/// One kernel's section, and where its lines are on the page.
struct SourcePanel {
    std::string html;                                                   ///< empty without counts per line
    std::map<std::pair<std::string, std::uint32_t>, std::string> lines; ///< file and line -> id
    std::map<std::uint64_t, std::string> instructions;                  ///< pc -> id
    bool hasPicture = false;                                            ///< of the lanes of some access

    /// Link target of a place, without "#": its line, else its instruction; empty when neither is shown.
    [[nodiscard]] std::string anchor(const findings::FindingPlace& place) const;
};

/// `index` as in the kernel's card.
[[nodiscard]] SourcePanel sourcePanel(const session::Session& session, const view::KernelRow& row,
                                      std::size_t index, Allowance& allowance);
/// In the order of the rows; those that have a card.
[[nodiscard]] std::vector<SourcePanel> sourcePanels(const session::Session& session,
                                                    const view::KernelRows& rows);

/// Titles of the findings that name a line, by file and line.
using LineFindings = std::map<std::pair<std::string, std::uint32_t>, std::string>;

/// Rows of one file of a kernel, as a folding list. `fileIndex` is its position; lines get the ids they are
/// linked by. With `sampled` each has its stalls beside its waste.
[[nodiscard]] std::string sourceRows(const lines::SourceFileView& file, const LineFindings& findings,
                                     bool sampled, std::size_t kernel, std::size_t fileIndex,
                                     SourcePanel& panel, Allowance& allowance);
/// The same of instructions; `keys` holds the key of the source line of each, "f0-54", empty without one.
[[nodiscard]] std::string codeRows(const lines::KernelSource& source, std::size_t kernel,
                                   const std::vector<std::string>& keys, SourcePanel& panel,
                                   Allowance& allowance);
/// Lanes above, the bytes they touch below, with a caption that says where the lanes are from; empty where
/// no picture of the access can be told. `key` is that of its source line.
[[nodiscard]] std::string lanesFigure(const session::LineCounts& access, std::string_view key);

/// Which rows are open at first: those that cost, the worst `most` of them, `context` rows around each, and
/// small gaps. `worth` has a row's waste, traffic or 0.
[[nodiscard]] std::vector<bool> openRows(const std::vector<double>& worth, std::size_t context,
                                         std::size_t most);
/// Runs of equal openness: begin, end (not included), open.
struct RowRun {
    std::size_t begin = 0, end = 0;
    bool open = false;
};
[[nodiscard]] std::vector<RowRun> runsOf(const std::vector<bool>& open);
/// "34 lines" folded with their rows where the allowance holds them, else told alone.
[[nodiscard]] std::string foldedRows(std::string&& rows, std::size_t count, std::string_view noun,
                                     Allowance& allowance);
/// Share of the kernel's waste, its background as strong as the share; empty without waste.
[[nodiscard]] std::string heatCell(const std::optional<lines::LineCost>& cost);
/// The same of the sampled warps that wait there.
[[nodiscard]] std::string stallCell(const std::optional<lines::StallCost>& stalls);

} // namespace dormer::report::page
