// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/findings/finding.h"

#include <functional>

namespace dormer::findings {

/// An instruction and what it wastes, in whatever its finding counts: sectors, wavefronts, divergent
/// branches.
struct WastefulAccess {
    const session::LineCounts* counts = nullptr;
    double waste = 0;
};

/// Instructions of one kind at one place, added up; of their sampled lanes those of the worst.
using AccessText = std::function<std::string(const session::LineCounts& sum, std::size_t instructions)>;
struct PlaceTexts {
    AccessText what;   ///< what they do, with numbers
    AccessText change; ///< what to change; called once per place, with its worst kind of instruction
};

/// Places of a finding: at the line that a user can change (user_line.h), one for each way of inlining it,
/// the most waste first, then in program order. Those with less than a hundredth of the waste are left out,
/// as are all but the first ten.
[[nodiscard]] std::vector<FindingPlace> placesOf(std::span<const WastefulAccess> accesses,
                                                 const PlaceTexts& texts);

/// "CUB", "Thrust", "cooperative groups", "CUTLASS" of a file of theirs: algorithms, not wrappers of one
/// instruction as in the toolkit's other headers. Empty for all other files.
[[nodiscard]] std::string_view libraryOf(std::string_view file);
/// That of a place whose instructions are such a library's, whoever calls it.
[[nodiscard]] std::string_view libraryOf(const FindingPlace& place);
/// The same of a kernel of such a library, by its demangled name.
[[nodiscard]] std::string_view libraryOfKernel(std::string_view kernel);

/// "load", "2 loads": an operation and how many instructions do it.
[[nodiscard]] std::string operationText(const session::LineCounts& sum, std::size_t instructions);
/// "load: 32 sectors/request (ideal 4), stride of 8 elements"; "4 loads: 32 wavefronts/request (ideal 1),
/// 32-way bank conflict". Needs the counts that it states.
[[nodiscard]] std::string excessText(const session::LineCounts& sum, std::size_t instructions);

} // namespace dormer::findings
