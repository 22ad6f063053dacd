// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"
#include "analysis/source/source_index.h"

#include <functional>
#include <memory>

namespace dormer::source {

/// A line of embedded source text that an access comes from, in its function.
struct SourceSite {
    std::shared_ptr<const SourceText> source;
    std::shared_ptr<const SourceText::Function> function;
    IndexScope scope;
    session::Dim3 block, grid;
    std::uint64_t staticSharedBytes = 0; ///< of the kernel
    std::string away; ///< " at main.cu:40" where the line is not the user's own of the access; else empty
};

/// The lines that an access comes from and whose text the session holds: the user's own first, then those
/// that called it. The first answer that is not empty is given.
[[nodiscard]] std::string firstAnswer(const session::Session& session, session::LaunchIndex launch,
                                      const session::LineCounts& access,
                                      const std::function<std::string(const SourceSite&)>& ask);

/// Mean of a count per warp over the warps of a few blocks, for an index as it is written.
using WarpCount = std::function<std::optional<double>(const LaneElements&)>;
[[nodiscard]] std::optional<double> meanPerWarp(const SourceSite& site, const access::IndexExpression& index,
                                                const WarpCount& count);

/// "lanes 0, 8, 16 and 24 conflict in bank 0": of the lanes of shared memory that are served together, those
/// with different words in the fullest bank. Empty without a conflict.
[[nodiscard]] std::string conflictingLanes(const std::array<std::uint32_t, access::kWarpLanes>& addresses,
                                           std::uint32_t mask, unsigned width);

} // namespace dormer::source
