// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/machine/counter_holders.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dormer::instrument::machine {

namespace {

struct Tool {
    std::string_view program;
    std::string_view title;
    std::string_view remedy;
};

constexpr std::string_view kEnd = "wait until it ends, or end it";
/// DCGM reads the DCGM_FI_PROF fields from the counters that profilers need ("Profiling Metrics" in its
/// manual, which has the command).
constexpr std::string_view kPause = "dcgmi profiling --pause, and dcgmi profiling --resume afterwards";
constexpr std::array kTools{Tool{"nv-hostengine", "NVIDIA DCGM", kPause},
                            Tool{"dcgm-exporter", "NVIDIA DCGM", kPause},
                            Tool{"dcgmproftester12", "NVIDIA DCGM", kEnd},
                            Tool{"dcgmproftester13", "NVIDIA DCGM", kEnd},
                            Tool{"ncu", "Nsight Compute", kEnd},
                            Tool{"nv-nsight-cu-cli", "Nsight Compute", kEnd},
                            Tool{"nsys", "Nsight Systems", kEnd},
                            Tool{"nsys-launcher", "Nsight Systems", kEnd},
                            Tool{"nvprof", "nvprof", kEnd},
                            Tool{"ngfx", "Nsight Graphics", kEnd},
                            Tool{"dormer-workloads", "another run of Dormer", kEnd}};

} // namespace

std::vector<CounterHolder> counterHolders(const Machine& machine) {
    std::vector<CounterHolder> holders;
    for (const RunningProcess& process : machine.processes()) {
        const auto tool = std::ranges::find(kTools, process.program, &Tool::program);
        if (tool != kTools.end())
            holders.push_back({fmt::format("{} (process {}), {}", process.program, process.pid, tool->title),
                               std::string(tool->remedy)});
    }
    // Dormer's own library takes the place, so the other tool sees nothing of the run.
    if (const auto library = machine.variable("CUDA_INJECTION64_PATH"); library && !library->empty())
        holders.push_back({"CUDA_INJECTION64_PATH has CUDA load " + *library, "unset CUDA_INJECTION64_PATH"});
    return holders;
}

} // namespace dormer::instrument::machine
