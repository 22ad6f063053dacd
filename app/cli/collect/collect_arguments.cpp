// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/collect_arguments.h"

#include "instrument/request/option_help.h"

#include <fmt/format.h>

namespace dormer::cli {

namespace help = instrument::request::help;

namespace {

/// --stalls takes the word behind it for its value.
std::string onOrOff(const std::string& value) {
    if (value == "on" || value == "off") return {};
    return value + ": expected on or off; a program goes behind --";
}

} // namespace

void addCollectArguments(CLI::App& verb, CollectArguments& arguments) {
    verb.add_option("--on", arguments.on,
                    "auto, gpu, gpu:N, emulator or emulator:CHIP; on another machine ssh:HOST or "
                    "ssh:HOST/gpu:N")
        ->capture_default_str();
    verb.add_option("--remote-dormer", arguments.remoteDormer,
                    "path of dormer on the machine of --on ssh:HOST; dormer in the PATH there by default")
        ->type_name("PATH");
    verb.add_option("--set", arguments.set, "counter set: none, live, roofline, memory or tensor")
        ->capture_default_str();
    verb.add_option("--kernels", arguments.kernels, help::kKernels);
    verb.add_option("--nvtx", arguments.nvtx, help::kNvtx);
    verb.add_flag("--nvtx-all-threads", arguments.nvtxAllThreads, help::kNvtxAllThreads);
    verb.add_option("--launches", arguments.launches, "number of launches of one signature to count, or all")
        ->capture_default_str();
    verb.add_flag("--lines", arguments.lines, help::kLines);
    verb.add_flag("--no-source", arguments.noSource, "with --lines: do not store the text of source files");
    verb.add_option("--stalls", arguments.stalls, help::kStalls)
        ->expected(0, 1)
        ->default_str("on")
        ->type_name("on|off")
        ->check(onOrOff);
    verb.add_option("--cache", arguments.cache, help::kCache)
        ->check(CLI::IsMember({"flush", "keep"}))
        ->capture_default_str();
    verb.add_option("--check", arguments.check, help::kCheck);
    verb.add_option("--on-fault", arguments.onFault, help::kOnFault)
        ->check(CLI::IsMember({"stop", "continue"}))
        ->capture_default_str();
    verb.add_option("--time-limit", arguments.timeLimitSeconds, help::kTimeLimit)->check(CLI::PositiveNumber);
    verb.add_option(
        "-o,--output", arguments.output,
        "session file to write (NAME.dormer); %h host, %p process, %q{VAR} environment variable, %% a %");
    verb.add_option("--stream", arguments.stream,
                    "-: write all records to stdout while they come, as --on ssh:HOST reads them; the end of "
                    "stdin stops the run")
        ->check(CLI::IsMember({"-"}))
        ->type_name("-")
        ->excludes("--output");
    verb.add_option("--format", arguments.format,
                    "table, json, csv, markdown, or jsonl: each launch as it completes")
        ->check(CLI::IsMember({"table", "json", "jsonl", "csv", "markdown"}))
        ->capture_default_str();
    verb.add_flag("--quiet", arguments.quiet, "print only errors on stderr");
    verb.add_flag("--progress", arguments.progress, "progress on stderr even if it is not a terminal");
}

instrument::request::CollectRequest requestOf(const CollectArguments& arguments) {
    return {.set = arguments.set,
            .kernels = arguments.kernels,
            .nvtx = arguments.nvtx,
            .nvtxAllThreads = arguments.nvtxAllThreads,
            .launches = arguments.launches,
            .flushCaches = arguments.cache == "flush",
            .lines = arguments.lines,
            .stalls = arguments.stalls.empty() ? std::nullopt : std::optional(arguments.stalls == "on"),
            .sources = !arguments.noSource,
            .check = arguments.check,
            .onFault = arguments.onFault,
            .timeLimitSeconds = arguments.timeLimitSeconds};
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
