// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// NVTX ranges that a library opens in a domain of its own, around kernels that the program never sees.

#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <map>
#include <set>

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("CUB's own ranges own the kernels that its algorithms launch", "[profile]") {
    // From the CUB_DETAIL_NVTX_RANGE_SCOPE lines of CUB 3.0's cub/device/*.cuh.
    const std::map<std::string, std::string> ranges{
        {"device_wide/reduce", "cub::DeviceReduce::Sum"},
        {"device_wide/scan", "cub::DeviceScan::InclusiveSum"},
        {"device_wide/radix_sort_ascending", "cub::DeviceRadixSort"},
        {"device_wide/radix_sort_descending", "cub::DeviceRadixSort"},
        {"device_wide/thrust_sort", "cub::DeviceRadixSort"},
        {"device_wide/select_if", "cub::DeviceSelect::If"},
        {"device_wide/unique", "cub::DeviceSelect::Unique"},
        {"device_wide/partition_if", "cub::DevicePartition::If"},
        {"device_wide/run_length_encode", "cub::DeviceRunLengthEncode::Encode"},
        {"device_wide/reduce_by_key", "cub::DeviceReduce::ReduceByKey"},
        {"device_wide/arg_min", "cub::DeviceReduce::ArgMin"},
        {"device_wide/arg_max", "cub::DeviceReduce::ArgMax"},
        {"device_wide/histogram_even", "cub::DeviceHistogram::MultiHistogramEven"},
        {"device_wide/histogram_range", "cub::DeviceHistogram::MultiHistogramRange"},
        {"device_wide/transform", "cub::DeviceTransform::Transform"}};
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const CliResult run = runCli({"run", "device_wide", "--on", "emulator", "--size", "65536", "-o", file},
                                 {{"DORMER_HOME", DORMER_BIN_DIR "/.."}});
    INFO(run.err);
    REQUIRE(run.exitCode == 0);
    const auto session = store::loadSession(file);
    REQUIRE(session);
    std::set<std::string> seen;
    for (const session::Launch& launch : session->launches()) {
        INFO(launch.workload << ": " << launch.nvtx);
        REQUIRE(ranges.contains(launch.workload));
        CHECK(launch.nvtx == launch.workload + " > " + ranges.at(launch.workload));
        seen.insert(launch.workload);
    }
    CHECK(seen.size() == ranges.size());
}
