// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/lines/annotated_source.h"

namespace dormer::view::details {

/// What the gutter beside source and code shows of a row.
enum class Heat { Waste, Traffic, Stalls, Instructions };

struct HeatText {
    std::string_view title;   ///< of the column: "waste"
    std::string_view tooltip; ///< "Share of the kernel's excessive traffic"
};
[[nodiscard]] HeatText textOf(Heat heat, const lines::KernelSource& source);

/// What can be shown of the source, that first which tells most: waste, or, as nothing is wasted, stalls,
/// then traffic, then instructions.
[[nodiscard]] std::vector<Heat> heatsOf(const lines::KernelSource& source);

/// Of a source line or an instruction, 0..1; 0 where nothing is known of it. Instructions are those that were
/// seen to issue where warps were sampled, else the executions that are counted: of memory accesses and
/// branches.
template <typename Row>
[[nodiscard]] double heatOf(const Row& row, Heat heat) {
    switch (heat) {
    case Heat::Waste:
        return row.cost ? row.cost->waste : 0;
    case Heat::Traffic:
        return row.cost ? row.cost->traffic : 0;
    case Heat::Stalls:
        return row.stalls ? row.stalls->stalled : 0;
    case Heat::Instructions:
        return row.stalls ? row.stalls->issued : row.cost ? row.cost->executed : 0;
    }
    return 0;
}
/// Sum over the rows of a file.
[[nodiscard]] double heatOfFile(const lines::SourceFileView& file, Heat heat);

/// "57.1 % of the sampled warps wait here, 49.2 % by MIO throttle"; empty where none does.
[[nodiscard]] std::string stallText(const std::optional<lines::StallCost>& stalls);
/// "LDG.E R2, [R4.64] at a.cu:31": an instruction that another waits for, and its line where known.
[[nodiscard]] std::string producerText(const lines::KernelSource& source, std::size_t code);

} // namespace dormer::view::details
