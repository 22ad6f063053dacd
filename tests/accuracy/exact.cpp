// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/accuracy/exact.h"

#include "analysis/lines/line_totals.h"
#include "tests/accuracy/exceptions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace dormer::accuracy {

using namespace lines;

using namespace session;

namespace {

using Member = std::optional<std::uint64_t> LineCounts::*;
constexpr std::array<std::pair<const char*, Member>, 7> kCounts = {
    {{"executions", &LineCounts::executions},
     {"threads", &LineCounts::threads},
     {"sectors", &LineCounts::sectors},
     {"ideal sectors", &LineCounts::sectorsIdeal},
     {"tags", &LineCounts::tags},
     {"wavefronts", &LineCounts::wavefronts},
     {"ideal wavefronts", &LineCounts::wavefrontsIdeal}}};

constexpr auto kCounters = std::to_array<const char*>({
    "smsp__sass_inst_executed_op_global_ld.sum",
    "smsp__sass_inst_executed_op_global_st.sum",
    "smsp__sass_inst_executed_op_global_atom.sum",
    "smsp__sass_inst_executed_op_global_red.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum",
    "smsp__sass_inst_executed_op_shared_ld.sum",
    "smsp__sass_inst_executed_op_shared_st.sum",
    "smsp__sass_inst_executed_op_shared_atom.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum",
});

std::string withoutFolders(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

/// Where the kernel's own code calls what was inlined. The calls between are left out: ptxas joins equal code
/// that came by different ones.
std::string outermostCall(const LineCounts& line) {
    const std::string chain = chainText(line);
    const std::size_t last = chain.rfind(" < ");
    return last == std::string::npos ? chain : chain.substr(last + 3);
}

/// What one line does in one space by one operation.
struct Access {
    LineCounts sum;
};
using Place = std::tuple<std::string, std::uint32_t, std::string, MemorySpace, MemoryOperation>;
using Accesses = std::map<Place, Access>;

Accesses accessesOf(const Session& session, LaunchIndex launch) {
    Accesses result;
    for (const LineCounts& line : session.lines(launch)) {
        if (line.space == MemorySpace::None) continue; // branches: ptxas removes and adds them
        Access& access =
            result[{withoutFolders(line.file), line.line, outermostCall(line), line.space, line.op}];
        addCounts(access.sum, line);
    }
    return result;
}

class LineComparison {
public:
    explicit LineComparison(ExactResult& result) : m_result(result) {}

    void compare(const KernelPair& pair, const Accesses& recorded, const Accesses& emulated) {
        m_tally = {};
        std::set<Place> places;
        for (const Accesses* side : {&recorded, &emulated})
            for (const auto& [place, access] : *side)
                places.insert(place);
        const Access none;
        const auto find = [&none](const Accesses& accesses, const Place& place) -> const Access& {
            const auto found = accesses.find(place);
            return found == accesses.end() ? none : found->second;
        };
        for (const Place& place : places)
            comparePlace(pair, place, find(recorded, place), find(emulated, place));
        m_result.byKernel.emplace_back(pair.label, m_tally);
    }

    void noteUnused() {
        for (const LineException& exception : lineExceptions())
            if (!m_used.contains(&exception))
                m_result.unusedExceptions.push_back(
                    fmt::format("{} {}:{}", exception.kernel, exception.file, exception.line));
    }

private:
    void comparePlace(const KernelPair& pair, const Place& place, const Access& recorded,
                      const Access& emulated) {
        const auto& [file, line, chain, space, op] = place;
        for (const auto& [name, member] : kCounts) {
            const bool isShared = std::string_view(name).ends_with("wavefronts");
            // Sectors of local memory have no ideal, and no tags, on the GPU.
            if (isShared != (space == MemorySpace::Shared) && member != &LineCounts::executions &&
                member != &LineCounts::threads)
                continue;
            if (space == MemorySpace::Local &&
                (member == &LineCounts::sectorsIdeal || member == &LineCounts::tags))
                continue;
            const std::uint64_t here = (recorded.sum.*member).value_or(0),
                                there = (emulated.sum.*member).value_or(0);
            Tally& tally = m_result.byCount[name];
            ++tally.compared;
            ++m_tally.compared;
            if (here == there) {
                ++tally.equal;
                ++m_tally.equal;
                continue;
            }
            Difference difference{pair.label,
                                  fmt::format("{}:{}{}{}, {} {}", file, line, chain.empty() ? "" : " < ",
                                              chain, toString(space), toString(op)),
                                  name,
                                  static_cast<double>(here),
                                  static_cast<double>(there),
                                  {}};
            for (const LineException& exception : lineExceptions())
                if (pair.kernel.find(exception.kernel) != std::string::npos && exception.file == file &&
                    exception.line == line && exception.space == toString(space) &&
                    exception.op == toString(op) && holds(exception.reason, member, recorded, emulated)) {
                    difference.reason = exception.reason;
                    m_used.insert(&exception);
                }
            m_result.differences.push_back(std::move(difference));
        }
    }

    /// A reason explains some differences only.
    static bool holds(Reason reason, Member member, const Access& recorded, const Access& emulated) {
        switch (reason) {
        case Reason::Predicated:
            return member == &LineCounts::executions && recorded.sum.*member > emulated.sum.*member;
        case Reason::Spilled:
            return !emulated.sum.executions;
        case Reason::Polled:
            return true;
        case Reason::MovedByFma:
            return false;
        }
        return false;
    }

    ExactResult& m_result;
    Tally m_tally;
    std::set<const LineException*> m_used;
};

} // namespace

std::size_t ExactResult::mistakes() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(differences, [](const Difference& each) { return !each.reason; }));
}

ExactResult compareLines(const Session& recorded, const Session& emulated, const Pairs& pairs) {
    ExactResult result;
    LineComparison comparison(result);
    for (const KernelPair& pair : pairs.kernels)
        comparison.compare(pair, accessesOf(recorded, pair.recorded.front()),
                           accessesOf(emulated, pair.emulated));
    comparison.noteUnused();
    return result;
}

ExactResult compareCounters(const Session& recorded, const Session& emulated, const Pairs& pairs) {
    ExactResult result;
    std::set<const CounterException*> used;
    for (const KernelPair& pair : pairs.kernels) {
        Tally kernel;
        for (const char* counter : kCounters) {
            const std::optional<double> there = emulated.counter(pair.emulated, counter);
            std::optional<double> here;
            for (const LaunchIndex launch : pair.recorded) {
                here = recorded.counter(launch, counter);
                if (here && here == there) break;
            }
            if (!here) continue; // not recorded
            Tally& tally = result.byCount[counter];
            ++tally.compared;
            ++kernel.compared;
            if (here == there) {
                ++tally.equal;
                ++kernel.equal;
                continue;
            }
            Difference difference{pair.label, counter, "", *here, there.value_or(-1), {}};
            for (const CounterException& exception : counterExceptions())
                if (pair.kernel.find(exception.kernel) != std::string::npos && exception.counter == counter &&
                    there) {
                    difference.reason = exception.reason;
                    used.insert(&exception);
                }
            result.differences.push_back(std::move(difference));
        }
        result.byKernel.emplace_back(pair.label, kernel);
    }
    for (const CounterException& exception : counterExceptions())
        if (!used.contains(&exception))
            result.unusedExceptions.push_back(fmt::format("{} {}", exception.kernel, exception.counter));
    return result;
}

} // namespace dormer::accuracy
