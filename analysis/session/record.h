// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "analysis/session/warp_states.h"

#include <variant>

namespace dormer::session {

/// Counter values of one launch, by canonical counter name. A value that is not a number is left out.
struct LaunchCounters {
    std::uint64_t launch = 0; ///< Launch::id in its process
    std::map<std::string, double> values;
    bool complete = true; ///< false when more passes follow
};

/// Counts per instruction of one launch, in program order.
struct LaunchLines {
    std::uint64_t launch = 0; ///< Launch::id in its process
    std::vector<LineCounts> lines;
};

/// First line of a stream.
struct ProcessStart {
    Process process;
};

/// Last line of a stream that ended in order; written by the launcher when the target could not.
struct ProcessEnd {
    std::optional<std::int32_t> exitCode;
    std::optional<std::int32_t> signal;
};

/// A line of a kind this version does not know. Kept verbatim so that nothing is lost by passing through.
struct Unknown {
    std::string json;
};

/// One line of the stream; a Session is the fold of its records, live and replayed alike.
using Record =
    std::variant<ProcessStart, ProcessEnd, Device, Kernel, Launch, LaunchCounters, LaunchLines, NvtxRange,
                 Note, Expectation, Check, Progress, MeasuredCeiling, Workload, Sweep, Transfer, MemoryCall,
                 SourceFile, KernelCode, SignatureCounter, WarpSamples, DeviceActivity, Unknown>;

} // namespace dormer::session
