// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/details/source_heat.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the source view needs to know of a kernel's source and code. Plain C++.
namespace dormer::ui::sources {

using view::details::Heat;

/// Tabs become blanks up to the next multiple of four columns; text beyond `most` columns is cut, as a line
/// of a generated file may be megabytes long.
[[nodiscard]] std::string expandTabs(std::string_view text, std::size_t most = 1000);

/// Row of a line in a file; absent when the file has no such row.
[[nodiscard]] std::optional<std::size_t> rowOfLine(const lines::SourceFileView& file, std::uint32_t line);
/// Of these rows of the code the hottest, else the one with most traffic, else the first.
[[nodiscard]] std::optional<std::size_t> costliest(const lines::KernelSource& source,
                                                   const std::vector<std::size_t>& code, Heat heat);
/// The instruction at a position; absent when there is none.
[[nodiscard]] std::optional<std::size_t> codeOfPc(const lines::KernelSource& source, std::uint64_t pc);

/// Rows with any heat, the hottest first.
[[nodiscard]] std::vector<std::size_t> hotRows(const lines::SourceFileView& file, Heat heat);
/// The next hot row below `row`, or above it, in the order of the file; around its ends. Absent without any.
[[nodiscard]] std::optional<std::size_t> nextHotRow(const lines::SourceFileView& file, std::size_t row,
                                                    Heat heat, bool down);
/// The next row whose text holds the words, whatever their case; around the end. Absent when there is none.
[[nodiscard]] std::optional<std::size_t> findText(const lines::SourceFileView& file, std::string_view words,
                                                  std::size_t from, bool down);

/// Whether any line moves sectors (global or local memory), or wavefronts (shared memory).
struct CostKinds {
    bool sectors = false, wavefronts = false;
};
[[nodiscard]] CostKinds costKinds(const lines::KernelSource& source);

} // namespace dormer::ui::sources
