// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/importers/parts/session_builder.h"

#include <map>
#include <string>

namespace dormer::importers {

/// One kernel as Nsight Compute profiled it, whatever kind of file it was read from.
struct NcuResult {
    std::int32_t pid = 0;
    std::string program;
    std::string host;
    std::string kernel;      ///< demangled where the file has that
    std::string mangledName; ///< may be empty
    std::optional<session::Dim3> grid, block;
    std::int32_t device = 0;
    std::int32_t computeCapabilityMajor = 0, computeCapabilityMinor = 0;
    std::uint64_t stream = 0;
    std::string nvtx;                     ///< as Launch::nvtx
    std::map<std::string, double> values; ///< by Nsight Compute's metric name, in base units
    std::string deviceName;
};

/// Adds it to the session: its device, kernel, launch, and its metrics as counters. Counters of Dormer's that
/// Nsight Compute gives in another form ("...sum.per_cycle_elapsed", sectors instead of bytes) are worked out
/// from that: docs/import.md lists how. Minima and maxima over units are left out.
void addResult(SessionBuilder& builder, NcuResult result);

} // namespace dormer::importers
