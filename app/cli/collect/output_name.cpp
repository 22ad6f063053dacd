// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/output_name.h"

#include <fmt/format.h>

#include <unistd.h>

#include <array>
#include <cstdlib>

namespace dormer::cli {

namespace {

/// What starters of jobs tell each rank. Slurm's batch script has a rank, too, but is no task of a step.
struct RankVariables {
    const char* rank;
    const char* size;
};
constexpr std::array kRankVariables{
    RankVariables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    RankVariables{"PMI_RANK", "PMI_SIZE"}, // MPICH, Intel MPI
    RankVariables{"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
    RankVariables{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
    RankVariables{"FLUX_TASK_RANK", "FLUX_JOB_SIZE"},
    RankVariables{"RANK", "WORLD_SIZE"}, // torchrun
};

/// The number of this process among several of a job; empty where it is alone.
std::string rankOfJob() {
    for (const RankVariables& variables : kRankVariables) {
        const char* rank = std::getenv(variables.rank);
        const char* size = std::getenv(variables.size);
        if (rank != nullptr && size != nullptr && std::atoi(size) > 1) return std::to_string(std::atoi(rank));
    }
    return {};
}

std::string hostName() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

/// An expanded name, and whether it differs from rank to rank.
struct Expanded {
    std::string name;
    bool differs = false;
};

Result<Expanded> expanded(const std::string& pattern) {
    Expanded out;
    const auto wrong = [&](const std::string& what) {
        return failure(ErrorKind::Usage, fmt::format("-o {}: {}", pattern, what));
    };
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        if (pattern[at] != '%') {
            out.name += pattern[at];
            continue;
        }
        const char kind = ++at < pattern.size() ? pattern[at] : '\0';
        if (kind == '%') {
            out.name += '%';
        } else if (kind == 'h') {
            out.name += hostName();
        } else if (kind == 'p') {
            out.name += std::to_string(getpid());
            out.differs = true;
        } else if (kind == 'q' && pattern.compare(at + 1, 1, "{") == 0) {
            const std::size_t end = pattern.find('}', at);
            if (end == std::string::npos) return wrong("%q{ has no closing }");
            const std::string variable = pattern.substr(at + 2, end - at - 2);
            const char* value = std::getenv(variable.c_str());
            if (value == nullptr) return wrong(fmt::format("environment variable {} is not set", variable));
            out.name += value;
            out.differs = true;
            at = end;
        } else {
            return wrong("after % expected h (host), p (process), q{VARIABLE} or %");
        }
    }
    return out;
}

} // namespace

Result<void> nameOutput(CollectArguments& arguments) {
    if (arguments.output.empty()) return {};
    auto name = expanded(arguments.output);
    if (!name) return std::unexpected(name.error());
    std::filesystem::path path = name->name;
    if (const std::string rank = rankOfJob(); !rank.empty() && !name->differs)
        path.replace_extension(".rank" + rank + path.extension().string());
    arguments.output = path.string();
    return {};
}

Result<void> nameProfile(CollectArguments& arguments, const std::string& program) {
    if (const std::string rank = rankOfJob(); arguments.output.empty() && !rank.empty())
        arguments.output =
            fmt::format("{}.%h.rank{}.%p.dormer", std::filesystem::path(program).filename().string(), rank);
    if (const auto named = nameOutput(arguments); !named) return named;
    return checkFree(arguments.output, arguments.forceOverwrite);
}

Result<void> checkFree(const std::filesystem::path& output, bool forceOverwrite) {
    std::error_code ignored; // what can't be looked at is for the writer to report
    if (!forceOverwrite && std::filesystem::is_regular_file(output, ignored))
        return failure(ErrorKind::Usage,
                       fmt::format("{} exists; -f (--force-overwrite) replaces it", output.string()));
    return {};
}

} // namespace dormer::cli
