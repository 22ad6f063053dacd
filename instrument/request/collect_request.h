// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/device_choice.h"
#include "instrument/stream/collect_options.h"

/// What a person asks to be collected, and whether it can be: the command line and the app decide by this
/// code.
namespace dormer::instrument::request {

/// What is to run: the built-in suite, or a program of someone else's.
enum class Subject { Workloads, Program };

/// The collect options as a person gives them. What is empty is chosen by subject and device.
struct CollectRequest {
    std::string set{}; ///< name of a metrics::CounterSet, "none" or stream::kSampledSet
    std::string kernels{};
    std::string nvtx{};
    bool nvtxAllThreads = false;
    std::string launches{}; ///< a positive integer or "all"
    std::string replay{};   ///< CollectOptions::replay by its name; of a program on a GPU
    std::string budget{};   ///< seconds for replays: "60", "60s" or "2m"; empty: by `replay`
    bool flushCaches = true;
    bool lines = false;
    /// What warps wait for: a GPU samples it of a program, instead of counters; the emulator tells it beside
    /// them. Absent: as the device has it, off on a GPU, on where emulated.
    std::optional<bool> stalls{};
    bool sources = true;
    std::string check{};          ///< CollectOptions::check; of the emulator
    std::string onFault = "stop"; ///< CollectOptions::onFault; of the emulator
    double timeLimitSeconds = 0;
};

/// What whoever asks calls the options and the emulator, in what is wrong with one.
struct OptionWords {
    std::string_view set = "--set sampled", kernels = "--kernels", launches = "--launches", lines = "--lines",
                     replay = "--replay", budget = "--budget", timeLimit = "--time-limit",
                     stalls = "--stalls", check = "--check", onFault = "--on-fault",
                     emulator = "the emulator (--on emulator)";
};

/// The set where none is named: of a program on a GPU without counts per line stream::kSampledSet, else
/// metrics::kDefaultCounterSet.
[[nodiscard]] std::string defaultSet(Subject subject, const launch::ChosenDevice& device, bool lines);
/// How many launches of a signature are counted where nothing is said: of a program on a GPU, where counting
/// replays them, 1, else all.
[[nodiscard]] std::string defaultLaunches(Subject subject, const launch::ChosenDevice& device);

/// Why it can't be had of this subject on the device, as the end of a line: empty where it can.
[[nodiscard]] std::string whyNotSampled(Subject subject, const launch::ChosenDevice& device);
[[nodiscard]] std::string whyNoStalls(Subject subject, const launch::ChosenDevice& device, bool lines);
[[nodiscard]] std::string whyNoTimeLimit(const launch::ChosenDevice& device, const OptionWords& words = {});
/// Why nothing is replayed where this set is collected.
[[nodiscard]] std::string whyNoReplay(Subject subject, const launch::ChosenDevice& device,
                                      std::string_view set);
[[nodiscard]] std::string whyNoCheck(const launch::ChosenDevice& device, const OptionWords& words = {});
[[nodiscard]] std::string whyNoOnFault(const launch::ChosenDevice& device, const OptionWords& words = {});
/// Why counts per line and the sampled set don't go together.
inline constexpr std::string_view kLinesOrSamples = "counts per instruction and samples disturb each other";

/// ErrorKind::Usage names the option that is wrong, whatever the device.
[[nodiscard]] Result<stream::CollectOptions> collectOptions(const CollectRequest& request,
                                                            const OptionWords& words = {});
/// The same, with what is empty chosen, and refused where the device can't.
[[nodiscard]] Result<stream::CollectOptions> collectOptions(CollectRequest request, Subject subject,
                                                            const launch::ChosenDevice& device,
                                                            const OptionWords& words = {});

/// What a set means in launches of each kernel, before anything runs: "counter set 'memory' in one pass".
/// ErrorKind::Usage for an unknown one, with what there is.
[[nodiscard]] Result<std::string> passesText(const std::string& set, bool emulated);
/// The same of a request: "sampled at the program's own speed".
[[nodiscard]] Result<std::string> collectText(const CollectRequest& request, Subject subject,
                                              const launch::ChosenDevice& device);

} // namespace dormer::instrument::request
