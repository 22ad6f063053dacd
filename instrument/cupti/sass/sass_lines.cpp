// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/sass_lines.h"

#include <array>

namespace dormer::instrument::cupti::sass {

using session::MemoryOperation;
using session::MemorySpace;

namespace {

constexpr std::string_view kExecuted = "smsp__sass_inst_executed";
constexpr std::string_view kThreads = "smsp__sass_thread_inst_executed_pred_on";
constexpr std::string_view kSectors = "smsp__sass_sectors_mem_global";
constexpr std::string_view kSectorsIdeal = "smsp__sass_sectors_mem_global_ideal";
constexpr std::string_view kSectorsLocal = "smsp__sass_sectors_mem_local";
constexpr std::string_view kTags = "smsp__sass_l1tex_tags_mem_global";
constexpr std::string_view kWavefronts = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared";
constexpr std::string_view kWavefrontsIdeal = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal";
constexpr std::string_view kDivergent = "smsp__sass_branch_targets_threads_divergent";
constexpr std::string_view kUniform = "smsp__sass_branch_targets_threads_uniform";

/// A counter that runs at instructions of one kind only. First match wins: an asynchronous copy also counts
/// as an access of global memory, a matrix load as a shared one.
struct Kind {
    std::string_view metric;
    MemorySpace space;
    MemoryOperation op;
};
constexpr std::array kKinds = {
    Kind{"smsp__sass_inst_executed_op_ldgsts", MemorySpace::Global, MemoryOperation::Copy},
    Kind{"smsp__sass_inst_executed_op_global_atom", MemorySpace::Global, MemoryOperation::Atomic},
    Kind{"smsp__sass_inst_executed_op_global_red", MemorySpace::Global, MemoryOperation::Reduction},
    Kind{"smsp__sass_inst_executed_op_global_ld", MemorySpace::Global, MemoryOperation::Load},
    Kind{"smsp__sass_inst_executed_op_global_st", MemorySpace::Global, MemoryOperation::Store},
    Kind{"smsp__sass_inst_executed_op_shared_atom", MemorySpace::Shared, MemoryOperation::Atomic},
    Kind{"smsp__sass_inst_executed_op_shared_ld", MemorySpace::Shared, MemoryOperation::Load},
    Kind{"smsp__sass_inst_executed_op_ldsm", MemorySpace::Shared, MemoryOperation::Load},
    Kind{"smsp__sass_inst_executed_op_shared_st", MemorySpace::Shared, MemoryOperation::Store},
    Kind{"smsp__sass_inst_executed_op_shared_stsm", MemorySpace::Shared, MemoryOperation::Store},
    Kind{"smsp__sass_inst_executed_op_shared_gmma", MemorySpace::Shared, MemoryOperation::Load},
    Kind{"smsp__sass_inst_executed_op_local_ld", MemorySpace::Local, MemoryOperation::Load},
    Kind{"smsp__sass_inst_executed_op_local_st", MemorySpace::Local, MemoryOperation::Store},
    Kind{"smsp__sass_inst_executed_op_texture", MemorySpace::Texture, MemoryOperation::Load},
};

struct Width {
    std::string_view metric;
    std::uint32_t bytes;
};
constexpr std::array kWidths = {
    Width{"smsp__sass_inst_executed_op_memory_8b", 1}, Width{"smsp__sass_inst_executed_op_memory_16b", 2},
    Width{"smsp__sass_inst_executed_op_memory_32b", 4}, Width{"smsp__sass_inst_executed_op_memory_64b", 8},
    Width{"smsp__sass_inst_executed_op_memory_128b", 16}};

constexpr std::array kPlain = {kExecuted, kThreads,    kSectors,         kSectorsIdeal, kSectorsLocal,
                               kTags,     kWavefronts, kWavefrontsIdeal, kDivergent,    kUniform};

constexpr auto kMetrics = [] {
    std::array<std::string_view, kPlain.size() + kKinds.size() + kWidths.size()> names;
    std::size_t at = 0;
    for (const std::string_view name : kPlain)
        names[at++] = name;
    for (const Kind& kind : kKinds)
        names[at++] = kind.metric;
    for (const Width& width : kWidths)
        names[at++] = width.metric;
    return names;
}();

std::optional<std::uint64_t> find(const SassValues& values, std::string_view metric) {
    const auto at = values.find(metric);
    if (at == values.end()) return std::nullopt;
    return at->second;
}

bool ran(const SassValues& values, std::string_view metric) {
    return find(values, metric).value_or(0) > 0;
}

} // namespace

std::span<const std::string_view> sassLineMetrics() {
    return kMetrics;
}

std::optional<session::LineCounts> lineCounts(const SassValues& values) {
    session::LineCounts line;
    line.executions = find(values, kExecuted);
    line.threads = find(values, kThreads);
    if (line.executions.value_or(0) == 0) return std::nullopt;
    const auto divergent = find(values, kDivergent);
    if (divergent || values.contains(kUniform)) {
        line.op = MemoryOperation::Branch;
        line.divergent = divergent;
        return line;
    }
    bool isAccess = false;
    for (const Kind& kind : kKinds) {
        if (!ran(values, kind.metric)) continue;
        if (!isAccess) {
            line.space = kind.space;
            line.op = kind.op;
        } else if (line.space != kind.space && kind.space != MemorySpace::Local &&
                   line.op != MemoryOperation::Copy) {
            line.space =
                MemorySpace::Generic; // LD and ST count as an access of every space they could have gone to
        }
        isAccess = true;
    }
    if (!isAccess) return std::nullopt;
    for (const Width& width : kWidths)
        if (ran(values, width.metric)) line.widthBytes = width.bytes;
    line.sectors = line.space == MemorySpace::Local ? find(values, kSectorsLocal) : find(values, kSectors);
    line.sectorsIdeal = find(values, kSectorsIdeal);
    line.tags = find(values, kTags);
    line.wavefronts = find(values, kWavefronts);
    line.wavefrontsIdeal = find(values, kWavefrontsIdeal);
    return line;
}

} // namespace dormer::instrument::cupti::sass
