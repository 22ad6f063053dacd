// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/counter_sets.h"
#include "instrument/request/collect_request.h"

#include <CLI/CLI.hpp>

namespace dormer::cli {

/// The collect options, the same for every verb that collects.
struct CollectArguments {
    std::string on = "auto";
    std::string remoteDormer; ///< path of dormer on the machine of --on ssh:HOST; empty: in the PATH there
    std::string stream;       ///< "-": a dormer on another machine reads what is collected
    std::string set{metrics::kDefaultCounterSet};
    std::string kernels;
    std::string nvtx;
    bool nvtxAllThreads = false;
    std::string launches = "all";
    std::string cache = "flush";
    std::string output;
    std::string format = "table";
    std::string check;
    std::string onFault = "stop";
    double timeLimitSeconds = 0;
    bool forceOverwrite = false; ///< -o may replace a file
    bool lines = false;
    std::string stalls; ///< "on", "off" or empty: by the device
    bool noSource = false;
    bool quiet = false;
    bool progress = false;
    bool sweep = false; ///< show sweeps instead of launches
};

/// Adds them to a verb; `arguments` must outlive the parsing.
void addCollectArguments(CLI::App& verb, CollectArguments& arguments);

/// What they request to be collected.
[[nodiscard]] instrument::request::CollectRequest requestOf(const CollectArguments& arguments);
/// ErrorKind::Usage for an output name that asks for a report.
[[nodiscard]] Result<void> checkOutputName(const std::string& output, std::string_view verb);

} // namespace dormer::cli
