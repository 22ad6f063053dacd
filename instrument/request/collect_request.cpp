// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/request/collect_request.h"

#include "analysis/metrics/counter_sets.h"
#include "analysis/session/names/name_filter.h"
#include "instrument/launch/near_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace dormer::instrument::request {

namespace {

Result<std::optional<std::uint32_t>> parseLaunches(const std::string& text, std::string_view word) {
    if (text.empty() || text == "all") return std::nullopt;
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size() || count == 0)
        return failure(ErrorKind::Usage,
                       fmt::format("{} {}: expected a positive integer or all", word, text));
    return count;
}

Result<stream::Replay> parseReplay(const std::string& text, std::string_view word) {
    stream::Replay replay = stream::Replay::Auto;
    if (!text.empty() && !fromString(text, replay))
        return failure(ErrorKind::Usage, fmt::format("{} {}: expected auto, none or kernel", word, text));
    return replay;
}

Result<std::optional<double>> parseSeconds(const std::string& text, std::string_view word) {
    if (text.empty()) return std::nullopt;
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit(end, text.data() + text.size());
    if (error != std::errc{} || !(number >= 0 && number < 1e9) || (unit != "" && unit != "s" && unit != "m"))
        return failure(ErrorKind::Usage,
                       fmt::format("{} {}: expected seconds, as in 60s, or minutes, as in 2m", word, text));
    return unit == "m" ? number * 60 : number;
}

bool isEmulated(const launch::ChosenDevice& device) {
    return device.chip != nullptr;
}

bool replays(Subject subject, const launch::ChosenDevice& device) {
    return subject == Subject::Program && !isEmulated(device);
}

/// What may be checked for.
Result<void> checkNames(const std::string& list, std::string_view word) {
    if (list.empty() || list == "none") return {};
    std::istringstream words(list + ",");
    for (std::string name; std::getline(words, name, ',');)
        if (std::ranges::find(stream::kCheckNames, name) == stream::kCheckNames.end())
            return failure(ErrorKind::Usage,
                           fmt::format("{} {}: expected race, init, race,init or none", word, list));
    return {};
}

} // namespace

std::string defaultSet(Subject subject, const launch::ChosenDevice& device, bool lines) {
    return replays(subject, device) && !lines ? stream::kSampledSet
                                              : std::string(metrics::kDefaultCounterSet);
}

std::string defaultLaunches(Subject subject, const launch::ChosenDevice& device) {
    return replays(subject, device) ? "1" : "all";
}

std::string whyNotSampled(Subject subject, const launch::ChosenDevice& device) {
    if (isEmulated(device)) return "the emulator counts exactly; sampling is for a GPU";
    if (subject == Subject::Workloads)
        return "the built-in workloads are counted exactly; sampling is for programs";
    return {};
}

std::string whyNoStalls(Subject subject, const launch::ChosenDevice& device, bool lines) {
    if (isEmulated(device)) return "the emulator always tells what warps wait for";
    if (!replays(subject, device)) return "what warps wait for is sampled of programs on a GPU";
    return lines ? std::string(kLinesOrSamples) : std::string();
}

std::string whyNoTimeLimit(const launch::ChosenDevice& device, const OptionWords& words) {
    return isEmulated(device) ? std::string()
                              : fmt::format("is for {}: a GPU can't be stopped", words.emulator);
}

std::string whyNoReplay(Subject subject, const launch::ChosenDevice& device, std::string_view set) {
    return replays(subject, device) && set != stream::kSampledSet && set != "none"
               ? std::string()
               : "it is about counting launches of a program on a GPU by a counter set such as memory";
}

std::string whyNoCheck(const launch::ChosenDevice& device, const OptionWords& words) {
    return isEmulated(device)
               ? std::string()
               : fmt::format("is for {}: on a GPU, compute-sanitizer finds what it does", words.emulator);
}

std::string whyNoOnFault(const launch::ChosenDevice& device, const OptionWords& words) {
    return isEmulated(device) ? std::string() : fmt::format("is for {}", words.emulator);
}

Result<stream::CollectOptions> collectOptions(const CollectRequest& request, const OptionWords& words) {
    stream::CollectOptions collect;
    collect.counterSet = request.set;
    collect.kernels = request.kernels;
    collect.nvtx = request.nvtx;
    collect.nvtxAllThreads = request.nvtxAllThreads;
    collect.lines = request.lines;
    collect.stalls = request.stalls.value_or(false);
    collect.sources = request.sources;
    collect.flushCaches = request.flushCaches;
    if (const Result<void> known = checkNames(request.check, words.check); !known)
        return std::unexpected(known.error());
    collect.check = request.check;
    collect.onFault = request.onFault;
    collect.timeLimitSeconds = request.timeLimitSeconds;
    if (const auto pattern = session::NameFilter::compile(request.kernels, words.kernels); !pattern)
        return std::unexpected(pattern.error());
    const auto launches = parseLaunches(request.launches, words.launches);
    if (!launches) return std::unexpected(launches.error());
    collect.launches = *launches;
    const auto replay = parseReplay(request.replay, words.replay);
    if (!replay) return std::unexpected(replay.error());
    collect.replay = *replay;
    const auto budget = parseSeconds(request.budget, words.budget);
    if (!budget) return std::unexpected(budget.error());
    collect.budgetSeconds = *budget;
    return collect;
}

Result<stream::CollectOptions> collectOptions(CollectRequest request, Subject subject,
                                              const launch::ChosenDevice& device, const OptionWords& words) {
    if (isEmulated(device)) {
        request.stalls = request.stalls.value_or(true);
    } else if (request.stalls.value_or(false)) {
        if (const std::string why = whyNoStalls(subject, device, request.lines); !why.empty())
            return failure(ErrorKind::Usage, fmt::format("{}: {}", words.stalls, why));
        if (!request.set.empty() && request.set != "none")
            return failure(ErrorKind::Usage,
                           fmt::format("{}: a GPU samples its warps or counts, not both; leave "
                                       "out --set",
                                       words.stalls));
        request.set = "none";
    }
    if (request.set.empty()) request.set = defaultSet(subject, device, request.lines);
    if (request.launches.empty()) request.launches = defaultLaunches(subject, device);
    if (request.lines && request.set == stream::kSampledSet)
        return failure(ErrorKind::Usage,
                       fmt::format("{}: {}; leave out {}", words.lines, kLinesOrSamples, words.set));
    if (request.set == stream::kSampledSet)
        if (const std::string why = whyNotSampled(subject, device); !why.empty())
            return failure(ErrorKind::Usage, fmt::format("{}: {}", words.set, why));
    for (const auto& [given, word] :
         {std::pair{&request.replay, words.replay}, {&request.budget, words.budget}})
        if (const std::string why = whyNoReplay(subject, device, request.set);
            !given->empty() && !why.empty())
            return failure(ErrorKind::Usage, fmt::format("{}: {}", word, why));
    if (const std::string why = whyNoOnFault(device, words); request.onFault != "stop" && !why.empty())
        return failure(ErrorKind::Usage, fmt::format("{} {}", words.onFault, why));
    if (const std::string why = whyNoCheck(device, words); !request.check.empty() && !why.empty())
        return failure(ErrorKind::Usage, fmt::format("{} {}", words.check, why));
    if (const std::string why = whyNoTimeLimit(device, words); request.timeLimitSeconds > 0 && !why.empty())
        return failure(ErrorKind::Usage, fmt::format("{} {}", words.timeLimit, why));
    if (const auto known = collectText(request, subject, device); !known)
        return std::unexpected(known.error());
    return collectOptions(request, words);
}

Result<std::string> passesText(const std::string& set, bool emulated) {
    if (set == "none") return "timing only, one pass";
    if (const auto found = metrics::findCounterSet(set)) {
        if (emulated) return fmt::format("counter set '{}' in one pass", set);
        return fmt::format("counter set '{}': an uninstrumented run and at most {} replay passes", set,
                           found->passBound);
    }
    std::vector<std::string> names{"none"};
    for (const metrics::CounterSet& known : metrics::counterSets())
        names.emplace_back(known.name);
    return failure(ErrorKind::Usage, fmt::format("unknown counter set '{}'{} (available: {})", set,
                                                 launch::didYouMean(set, names), fmt::join(names, ", ")));
}

Result<std::string> collectText(const CollectRequest& request, Subject subject,
                                const launch::ChosenDevice& device) {
    if (request.stalls.value_or(false) && replays(subject, device))
        return "warps sampled at the program's own speed";
    const std::string set = request.set.empty() ? defaultSet(subject, device, request.lines) : request.set;
    const bool isReplayed = replays(subject, device);
    if (isReplayed && set == stream::kSampledSet) return "sampled at the program's own speed";
    const auto known = metrics::findCounterSet(set);
    if (!isReplayed || !known) return passesText(set, isEmulated(device)); // says what there is
    const std::string launches =
        request.launches.empty() ? defaultLaunches(subject, device) : request.launches;
    return fmt::format("counter set '{}' in at most {} passes, {} of each kernel and configuration", set,
                       known->passBound, launches == "all" ? "every launch" : launches);
}

} // namespace dormer::instrument::request
