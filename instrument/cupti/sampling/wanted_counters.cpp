// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sampling/wanted_counters.h"

#include <array>
#include <string_view>

namespace dormer::instrument::cupti::sampling {

namespace {

struct Wanted {
    std::string_view counter;
    Meaning meaning;
    /// Names by preference. Counters that a chip has for watching it as a whole ("Triage") share a pass with
    /// many others; those of the same thing for kernels take one of their own.
    std::array<std::string_view, 3> chipNames;
};

constexpr auto kEveryGroup = std::to_array<Wanted>({
    {"dram__bytes_read.sum", Meaning::Sum, {"dram__bytes_read.sum", "dram__bytes_op_read.sum"}},
    {"dram__bytes_write.sum", Meaning::Sum, {"dram__bytes_write.sum", "dram__bytes_op_write.sum"}},
    {"lts__t_sectors.sum", Meaning::Sum, {"lts__t_sectors.sum"}},
    {"sm__cycles_active.sum",
     Meaning::Sum,
     {"TPC.TriageCompute.sm__cycles_active.sum", "sm__cycles_active.sum"}},
});

constexpr auto kWanted = std::to_array<Wanted>({
    {"smsp__inst_executed.sum",
     Meaning::Sum,
     {"TPC.TriageCompute.sm__inst_executed_realtime.sum", "smsp__inst_executed.sum"}},
    {"sm__cycles_elapsed.avg.per_second", Meaning::Mean, {"sm__cycles_elapsed.avg.per_second"}},
    {"lts__cycles_elapsed.avg.per_second", Meaning::Mean, {"lts__cycles_elapsed.avg.per_second"}},
    {"dram__cycles_elapsed.avg.per_second", Meaning::Mean, {"dram__cycles_elapsed.avg.per_second"}},
    {"sm__inst_executed_pipe_fmalite.sum",
     Meaning::Sum,
     {"TPC.TriageCompute.sm__inst_executed_pipe_fmalite_realtime.sum", "sm__inst_executed_pipe_fmalite.sum"}},
    {"sm__pipe_fp64_cycles_active.sum",
     Meaning::Sum,
     {"TPC.TriageCompute.sm__pipe_fp64_cycles_active_realtime.sum", "sm__pipe_fp64_cycles_active.sum"}},
    {"sm__pipe_tensor_cycles_active.sum",
     Meaning::Sum,
     {"TPC.TriageCompute.sm__pipe_tensor_cycles_active_realtime.sum", "sm__pipe_tensor_cycles_active.sum"}},
    {"smsp__issue_active.sum", Meaning::Sum, {"smsp__issue_active.sum"}},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
     Meaning::Sum,
     {"SM_A.TriageCompute.l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
      "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"}},
    {"smsp__thread_inst_executed_pred_on.sum",
     Meaning::Sum,
     {"SM_A.TriageCompute.sm__thread_inst_executed_pred_on_realtime.sum",
      "smsp__thread_inst_executed_pred_on.sum"}},
    {"sm__inst_executed_pipe_fma.sum",
     Meaning::Sum,
     {"TPC.TriageCompute.sm__inst_executed_pipe_fma_realtime.sum", "sm__inst_executed_pipe_fma.sum"}},
    {"sm__inst_executed_pipe_alu.sum",
     Meaning::Sum,
     {"TPC.TriageCompute.sm__inst_executed_pipe_alu_realtime.sum", "sm__inst_executed_pipe_alu.sum"}},
    {"l1tex__t_bytes.sum", Meaning::Sum, {"l1tex__t_bytes.sum"}},
    {"sm__warps_active.sum", Meaning::Sum, {"sm__warps_active.sum"}},
    {"lts__t_sectors.sum.peak_sustained", Meaning::Constant, {"lts__t_sectors.sum.peak_sustained"}},
    {"lts__t_sectors_lookup_hit.sum",
     Meaning::ShareOfSectors,
     {"LTS.TriageCompute.lts__average_t_sector_hit_rate_realtime.ratio"}},
});

using Offers = std::function<bool(const std::string&)>;

/// Empty when the chip has none of the names.
SampledMetric metricOf(const Wanted& wanted, const Offers& offers) {
    for (const std::string_view name : wanted.chipNames)
        if (!name.empty() && offers(std::string(name)))
            return {std::string(name), std::string(wanted.counter), wanted.meaning};
    return {};
}

std::vector<std::string> namesOf(const SampleGroup& group) {
    std::vector<std::string> names;
    for (const SampledMetric& metric : group)
        names.push_back(metric.chipName);
    return names;
}

} // namespace

std::vector<SampleGroup> planGroups(const Offers& offers,
                                    const std::function<bool(const std::vector<std::string>&)>& onePass) {
    SampleGroup common;
    for (const Wanted& wanted : kEveryGroup)
        if (SampledMetric metric = metricOf(wanted, offers); !metric.chipName.empty())
            common.push_back(std::move(metric));
    if (common.empty() || !common.front().counter.starts_with("dram") || !onePass(namesOf(common))) return {};

    std::vector<SampleGroup> groups{common};
    for (const Wanted& wanted : kWanted) {
        const SampledMetric metric = metricOf(wanted, offers);
        if (metric.chipName.empty()) continue;
        bool placed = false;
        for (std::size_t i = 0; i <= groups.size() && !placed; ++i) {
            SampleGroup tried = i < groups.size() ? groups[i] : common;
            tried.push_back(metric);
            if (!onePass(namesOf(tried))) continue;
            placed = true;
            if (i < groups.size())
                groups[i] = std::move(tried);
            else
                groups.push_back(std::move(tried));
            break;
        }
    }
    return groups;
}

} // namespace dormer::instrument::cupti::sampling
