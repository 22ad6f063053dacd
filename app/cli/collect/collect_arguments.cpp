// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/collect_arguments.h"

#include "analysis/session/names/name_filter.h"
#include "instrument/launch/near_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace dormer::cli {

namespace {

Result<std::optional<std::uint32_t>> parseLaunches(const std::string& text) {
    if (text == "all") return std::nullopt;
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size() || count == 0)
        return failure(ErrorKind::Usage,
                       fmt::format("--launches {}: expected a positive integer or all", text));
    return count;
}

/// What --check may be.
Result<void> checkNames(const std::string& list) {
    if (list.empty() || list == "none") return {};
    std::istringstream words(list + ",");
    for (std::string word; std::getline(words, word, ',');)
        if (std::ranges::find(instrument::stream::kCheckNames, word) == instrument::stream::kCheckNames.end())
            return failure(ErrorKind::Usage,
                           fmt::format("--check {}: expected race, init, race,init or none", list));
    return {};
}

} // namespace

void addCollectArguments(CLI::App& verb, CollectArguments& arguments) {
    verb.add_option("--on", arguments.on, "auto, gpu, gpu:N, emulator or emulator:CHIP")
        ->capture_default_str();
    verb.add_option("--set", arguments.set, "counter set: none, live, roofline, memory or tensor")
        ->capture_default_str();
    verb.add_option("--kernels", arguments.kernels,
                    "count only launches whose kernel or workload matches this regular expression");
    verb.add_option("--nvtx", arguments.nvtx,
                    "count only inside NVTX ranges whose whole path matches this glob: *, ? and [...]");
    verb.add_flag(
        "--nvtx-all-threads", arguments.nvtxAllThreads,
        "launches of threads without NVTX ranges belong to the ranges of the thread that pushed last");
    verb.add_option("--launches", arguments.launches, "number of launches of one signature to count, or all")
        ->capture_default_str();
    verb.add_flag("--lines", arguments.lines, "also count per instruction and source line");
    verb.add_flag("--no-source", arguments.noSource, "with --lines: do not store the text of source files");
    verb.add_option("--cache", arguments.cache, "flush or keep the caches before each counted launch")
        ->check(CLI::IsMember({"flush", "keep"}))
        ->capture_default_str();
    verb.add_option("--check", arguments.check,
                    "undefined behaviour to search every block of an emulated kernel for: race, init, both "
                    "with a comma, or none; without it, the first and the last block are searched for both");
    verb.add_option(
            "--on-fault", arguments.onFault,
            "what an emulated kernel does at an access outside of every allocation: stop, or continue "
            "without it")
        ->check(CLI::IsMember({"stop", "continue"}))
        ->capture_default_str();
    verb.add_option("--time-limit", arguments.timeLimitSeconds,
                    "stop an emulated kernel after so many seconds and report where it was; without it, one "
                    "that only waits is stopped after 10 s")
        ->check(CLI::PositiveNumber);
    verb.add_option(
        "-o,--output", arguments.output,
        "session file to write (NAME.dormer); %h host, %p process, %q{VAR} environment variable, %% a %");
    verb.add_option("--format", arguments.format,
                    "table, json, csv, markdown, or jsonl: each launch as it completes")
        ->check(CLI::IsMember({"table", "json", "jsonl", "csv", "markdown"}))
        ->capture_default_str();
    verb.add_flag("--quiet", arguments.quiet, "print only errors on stderr");
    verb.add_flag("--progress", arguments.progress, "progress on stderr even if it is not a terminal");
}

Result<instrument::stream::CollectOptions> collectOptions(const CollectArguments& arguments) {
    instrument::stream::CollectOptions collect;
    collect.counterSet = arguments.set;
    collect.kernels = arguments.kernels;
    collect.nvtx = arguments.nvtx;
    collect.nvtxAllThreads = arguments.nvtxAllThreads;
    collect.lines = arguments.lines;
    collect.sources = !arguments.noSource;
    collect.flushCaches = arguments.cache == "flush";
    if (const Result<void> known = checkNames(arguments.check); !known) return std::unexpected(known.error());
    collect.check = arguments.check;
    collect.onFault = arguments.onFault;
    collect.timeLimitSeconds = arguments.timeLimitSeconds;
    if (const auto pattern = session::NameFilter::compile(arguments.kernels, "--kernels"); !pattern)
        return std::unexpected(pattern.error());
    const auto launches = parseLaunches(arguments.launches);
    if (!launches) return std::unexpected(launches.error());
    collect.launches = *launches;
    return collect;
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
    return failure(ErrorKind::Usage,
                   fmt::format("unknown counter set '{}'{} (available: {})", set,
                               instrument::launch::didYouMean(set, names), fmt::join(names, ", ")));
}

Result<void> checkOutputName(const std::string& output, std::string_view verb) {
    const std::string ending = std::filesystem::path{output}.extension();
    for (const char* report : {".html", ".md", ".csv", ".json", ".svg"})
        if (ending == report)
            return failure(ErrorKind::Usage,
                           fmt::format("{}: {} writes sessions (-o FILE.dormer); 'dormer report FILE.dormer "
                                       "-o {}' makes reports from them",
                                       output, verb, output));
    return {};
}

} // namespace dormer::cli
