// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/ncu/derived.h"

#include "analysis/metrics/counter_sets.h"

#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace dormer::importers {

namespace {

using Values = std::map<std::string, double>;

std::optional<double> valueOf(const Values& values, const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
}

struct SameCount {
    std::string_view counter;
    std::string_view ncu;
    double factor = 1;
};

// The same thing under another name, or in another unit. The first that is there is taken.
constexpr auto kSame = std::to_array<SameCount>({
    {"gpu__time_duration.sum", "gpu__time_duration.avg"},
    {"sm__cycles_elapsed.avg.per_second", "smsp__cycles_elapsed.avg.per_second"},
    {"sm__cycles_elapsed.avg.per_second", "gpc__cycles_elapsed.avg.per_second"},
    {"smsp__inst_executed.sum", "inst_executed"},
    {"smsp__thread_inst_executed.sum", "thread_inst_executed"},
    {"smsp__thread_inst_executed_pred_on.sum", "thread_inst_executed_true"},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum", "memory_l1_wavefronts_shared"},
    {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_ideal.sum", "memory_l1_wavefronts_shared_ideal"},
    {"dram__bytes_read.sum", "dram__sectors_read.sum", 32},
    {"dram__bytes_write.sum", "dram__sectors_write.sum", 32},
    {"l1tex__t_bytes.sum", "l1tex__t_sectors.sum", 32},
    {"smsp__sass_inst_executed_op_global_ld.sum", "smsp__inst_executed_op_global_ld.sum"},
    {"smsp__sass_inst_executed_op_global_st.sum", "smsp__inst_executed_op_global_st.sum"},
    {"smsp__sass_inst_executed_op_global_atom.sum", "smsp__inst_executed_op_global_atom.sum"},
    {"smsp__sass_inst_executed_op_global_red.sum", "smsp__inst_executed_op_global_red.sum"},
    {"smsp__sass_inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_ld.sum"},
    {"smsp__sass_inst_executed_op_shared_st.sum", "smsp__inst_executed_op_shared_st.sum"},
    {"smsp__sass_inst_executed_op_shared_atom.sum", "smsp__inst_executed_op_shared_atom.sum"},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum",
     "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum",
     "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"},
    {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"},
});

/// Metrics of the triage sampler stand under the name of the unit that was sampled:
/// "SM_B.TriageCompute.l1tex__t_sectors.sum".
void addUnprefixed(Values& values) {
    static constexpr std::string_view kTriage = ".TriageCompute.";
    std::vector<std::pair<std::string, double>> found;
    for (const auto& [name, value] : values)
        if (const std::size_t at = name.find(kTriage); at != std::string::npos)
            found.emplace_back(name.substr(at + kTriage.size()), value);
    for (auto& [name, value] : found)
        values.try_emplace(std::move(name), value);
}

/// A sum from its rate. Rates have the digits the file gives them; what is counted is a whole number.
std::optional<double> sumFromRate(const Values& values, const std::string& counter) {
    const std::string unit = counter.substr(0, counter.find("__"));
    auto cycles = valueOf(values, unit + "__cycles_elapsed.avg");
    if (!cycles)
        if (const auto all = valueOf(values, unit + "__cycles_elapsed.sum"))
            if (const auto perSecond = valueOf(values, unit + "__cycles_elapsed.avg.per_second"))
                if (const auto sumPerSecond = valueOf(values, unit + "__cycles_elapsed.sum.per_second"))
                    if (*sumPerSecond > 0) cycles = *all * *perSecond / *sumPerSecond;
    const auto ns = valueOf(values, "gpu__time_duration.sum");
    if (!cycles && ns)
        if (const auto perSecond = valueOf(values, unit + "__cycles_elapsed.avg.per_second"))
            cycles = *perSecond * *ns * 1e-9;
    if (const auto perCycle = valueOf(values, counter + ".per_cycle_elapsed")) {
        if (*perCycle == 0) return 0;
        if (cycles) return std::round(*perCycle * *cycles);
    }
    if (const auto perSecond = valueOf(values, counter + ".per_second"); perSecond && ns)
        return std::round(*perSecond * *ns * 1e-9);
    return std::nullopt;
}

/// The peak of all units from that of one: Nsight Compute gives how many there are as a sum and a mean.
std::optional<double> sumOfPeaks(const Values& values, const std::string& counter) {
    static constexpr std::string_view kSum = ".sum.peak_sustained";
    if (!counter.ends_with(kSum)) return std::nullopt;
    const std::string base = counter.substr(0, counter.size() - kSum.size());
    const std::string unit = base.substr(0, base.find("__"));
    const auto one = valueOf(values, base + ".avg.peak_sustained");
    const auto sum = valueOf(values, unit + "__cycles_elapsed.sum");
    const auto mean = valueOf(values, unit + "__cycles_elapsed.avg");
    if (!one || !sum || !mean || !(*mean > 0)) return std::nullopt;
    return *one * std::round(*sum / *mean);
}

} // namespace

void addDerivedCounters(Values& values) {
    addUnprefixed(values);
    for (const SameCount& same : kSame)
        if (const auto value = valueOf(values, std::string(same.ncu)))
            values.try_emplace(std::string(same.counter), *value * same.factor);
    for (const metrics::CounterSet& set : metrics::counterSets()) {
        for (const metrics::CounterName& counter : set.counters) {
            const std::string name(counter.name);
            if (values.contains(name)) continue;
            if (const auto sum =
                    name.ends_with(".sum") ? sumFromRate(values, name) : sumOfPeaks(values, name))
                values.emplace(name, *sum);
        }
    }
    // Means per instruction have few digits in tables; the exact count above is better where it was
    // collected.
    if (const auto warps = valueOf(values, "smsp__inst_executed.sum")) {
        if (const auto threads = valueOf(values, "smsp__thread_inst_executed_per_inst_executed.ratio"))
            values.try_emplace("smsp__thread_inst_executed.sum", *threads * *warps);
        if (const auto threads =
                valueOf(values, "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"))
            values.try_emplace("smsp__thread_inst_executed_pred_on.sum", *threads * *warps);
    }
}

} // namespace dormer::importers
