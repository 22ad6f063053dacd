// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dormer::kernels {

/// Element indices are 32-bit in the kernels.
inline constexpr std::int64_t kMaxSize = std::int64_t{1} << 30;

/// The command line of dormer-workloads.
struct Options {
    std::optional<std::int64_t> size;   ///< elements, for every group; absent = each group's own
    bool emulatorSizes = false;         ///< defaults for the emulator, where a size isn't given
    std::optional<std::int64_t> repeat; ///< launches of each variant in one pass; absent = each group's own
    int device = 0;
    std::uint64_t seed = 1;
    bool describe = false;
    bool digest = false; ///< print a digest of each array at the end of its family
    std::string help;    ///< not empty: print it and do nothing else
    std::vector<std::string> patterns;
};

/// ErrorKind::Usage for an unknown option or a value out of range.
[[nodiscard]] Result<Options> parseOptions(int argc, const char* const* argv);

} // namespace dormer::kernels
