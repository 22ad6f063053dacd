// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/source/source_site.h"

namespace dormer::source {

/// A multiple of every size of a line, above which no index of a warp gets negative.
inline constexpr std::int64_t kFarAway = std::int64_t{1} << 50;

/// Text of the one-dimensional index of a subscript into what its pointer was set to; `rowElements` of a view
/// whose rows have an unknown length.
[[nodiscard]] std::string flatIndex(const SourceSite& site, const Subscript& subscript,
                                    std::int64_t rowElements = kUnknownValue);

/// How an index moves with what it depends on.
struct Steps {
    std::int64_t threadX = 0, threadY = 0, blockX = 0, blockY = 0;
    std::int64_t start = 0; ///< of the first thread of the first block
};
[[nodiscard]] std::optional<Steps> stepsOf(const SourceSite& site, const access::IndexExpression& index);

/// Different rows that the first warp's lanes are in, of rows so long; lanes beyond the block are left out.
[[nodiscard]] std::optional<unsigned> rowsOfWarp(const SourceSite& site, const access::IndexExpression& index,
                                                 std::int64_t rowElements);

/// How far the index moves from one step of its loop to the next; absent without a loop.
[[nodiscard]] std::optional<std::int64_t> loopStepOf(const SourceSite& site, const Subscript& subscript,
                                                     std::int64_t unknownValue);

/// "swap `blockIdx.x` and `threadIdx.x`, ... throughout `kernel`", where renaming the threads like that
/// leaves what the kernel computes as it is: with what to change at the launch. Empty where it may not.
[[nodiscard]] std::string swapBlockAndThread(const SourceSite& site, const ResolvedIndex& index, char axis);
[[nodiscard]] std::string swapThreadAxes(const SourceSite& site);

} // namespace dormer::source
