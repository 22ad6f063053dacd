// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dormer::instrument::stream {

/// How launches of a foreign program are counted in several passes: by running one again for each pass, by
/// spreading the passes over several launches, or the first as long as it is worth its time.
enum class Replay { Auto, None, Kernel };

/// What to collect; travels to the collector in the environment variable DORMER_OPTIONS as one JSON object.
struct CollectOptions {
    std::string counterSet = "memory";     ///< of a metrics::CounterSet; "none" = timing only, or kSampledSet
    std::string kernels;                   ///< session::NameFilter, which the launcher applies; empty = all
    std::string nvtx;                      ///< base::globMatches on the NVTX range path; empty = all
    bool nvtxAllThreads = false;           ///< threads without ranges belong to those of others
    std::optional<std::uint32_t> launches; ///< counters for so many launches of one signature; absent = all
    Replay replay = Replay::Auto;          ///< of programs on a GPU
    std::optional<double> budgetSeconds;   ///< for replays; absent: by `replay`
    bool flushCaches = true;               ///< empty L1 and L2 before each counted launch, as ncu does
    bool lines = false;                    ///< counts per instruction too
    bool stalls = false;                   ///< what warps wait for: sampled on a GPU, else modelled
    bool sources = true;      ///< with lines, or stalls on a GPU: the text of the source files they name
    int device = 0;           ///< CUDA ordinal
    bool everyLaunch = false; ///< launches outside the program's pass loops too (emulator)
    std::string chip;         ///< key of the analysis::Chip to emulate; empty = the default
    std::string check; ///< undefined behaviour to look for (kCheckNames, or "none"), with commas; empty = all
                       ///< kinds, in the first and last block of a launch (emulator)
    std::string onFault = "stop"; ///< or "continue": leave faulty accesses out (emulator)
    double timeLimitSeconds = 0;  ///< stop an emulated kernel that runs longer; 0 = never
};

[[nodiscard]] std::string_view toString(Replay replay); ///< "auto"
bool fromString(std::string_view text, Replay& replay); ///< false: it is none of them

/// Name of no counter set: counters are sampled while the program runs at its own speed.
inline constexpr const char* kSampledSet = "sampled";

/// What CollectOptions::check may name: races on shared memory, reads of shared memory nobody wrote.
inline constexpr std::array<std::string_view, 2> kCheckNames{"race", "init"};
/// Whether `check` names one of them.
[[nodiscard]] bool checksFor(std::string_view check, std::string_view name);

inline constexpr const char* kOptionsEnv = "DORMER_OPTIONS";

[[nodiscard]] std::string toJson(const CollectOptions& options);
/// ErrorKind::Usage for malformed JSON or an unknown set; unknown fields are skipped.
[[nodiscard]] Result<CollectOptions> collectOptionsFromJson(std::string_view text);

} // namespace dormer::instrument::stream
