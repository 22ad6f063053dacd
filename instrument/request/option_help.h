// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What each collect option does, in the words of the command line's help and the app's tooltips.
namespace dormer::instrument::request::help {

inline constexpr const char* kKernels =
    "count only launches whose kernel or workload matches this regular expression";
inline constexpr const char* kNvtx =
    "count only inside NVTX ranges whose whole path matches this glob: *, ? and [...]";
inline constexpr const char* kNvtxAllThreads =
    "launches of threads without NVTX ranges belong to the ranges of the thread that pushed last";
inline constexpr const char* kLaunches =
    "number of launches of one signature to count, or all; by default 1 on a GPU, where counting "
    "takes time, and all on the emulator";
inline constexpr const char* kReplay =
    "how a GPU counts what takes several passes: none spreads them over successive launches of "
    "a kernel and configuration, kernel runs one launch again for each pass, auto (the "
    "default) does this for 2 s and a quarter of the program's own time, else spreads them";
inline constexpr const char* kBudget =
    "time for running launches again, as in 60s or 2m; what is left is spread";
inline constexpr const char* kLines = "also count per instruction and source line";
inline constexpr const char* kStalls =
    "what the warps of each instruction wait for: a GPU samples it of a program, instead of "
    "counters; the emulator tells it unless off";
inline constexpr const char* kCache = "flush or keep the caches before each counted launch";
inline constexpr const char* kCheck =
    "undefined behaviour to search every block of an emulated kernel for: race, init, both "
    "with a comma, or none; without it, the first and the last block are searched for both";
inline constexpr const char* kOnFault =
    "what an emulated kernel does at an access outside of every allocation: stop, or continue "
    "without it";
inline constexpr const char* kTimeLimit =
    "stop an emulated kernel after so many seconds and report where it was; without it, one "
    "that only waits is stopped after 10 s";
inline constexpr const char* kSize = "elements per workload";
inline constexpr const char* kSizes =
    "default sizes of the workloads: gpu or emulator; by default those of the device used";
inline constexpr const char* kRepeat = "launches per workload; default 1 on the emulator";

} // namespace dormer::instrument::request::help
