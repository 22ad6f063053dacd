// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/request/remote_target.h"

#include "instrument/launch/remote_devices.h"
#include "instrument/request/shell_words.h"

#include <fmt/format.h>

namespace dormer::instrument::request {

namespace {

using Words = std::vector<std::string>;

void add(Words& words, std::string_view option, const std::string& value) {
    // In one word: a value may begin with a dash.
    if (!value.empty()) words.push_back(fmt::format("{}={}", option, value));
}

Words optionWords(const CollectRequest& request, Subject subject, const std::string& device) {
    Words words{"--stream=-", "--quiet"};
    add(words, "--on", device);
    add(words, "--set", request.set);
    add(words, "--kernels", request.kernels);
    add(words, "--nvtx", request.nvtx);
    if (request.nvtxAllThreads) words.emplace_back("--nvtx-all-threads");
    add(words, "--launches", request.launches);
    if (subject == Subject::Program) {
        add(words, "--replay", request.replay);
        add(words, "--budget", request.budget);
    }
    if (!request.flushCaches) words.emplace_back("--cache=keep");
    if (request.lines) words.emplace_back("--lines");
    if (request.stalls) add(words, "--stalls", *request.stalls ? "on" : "off");
    if (!request.sources) words.emplace_back("--no-source");
    add(words, "--check", request.check);
    if (request.onFault != "stop") add(words, "--on-fault", request.onFault);
    if (request.timeLimitSeconds > 0) add(words, "--time-limit", fmt::format("{}", request.timeLimitSeconds));
    return words;
}

launch::Target targetFor(const launch::RemoteChoice& where, const CollectRequest& request,
                         const std::string& before, const Words& words) {
    std::string line = before + launch::quotedPath(where.host.dormer);
    for (const std::string& word : words)
        line += ' ' + shellQuoted(word);
    launch::Target target;
    target.options.counterSet = request.set;
    target.options.lines = request.lines;
    target.remote = launch::RemoteCommand{where.host, std::move(line)};
    return target;
}

} // namespace

launch::Target remoteSuite(const launch::SuiteRun& run, const CollectRequest& request,
                           const launch::RemoteChoice& where) {
    Words words{"run"};
    const Words options = optionWords(request, Subject::Workloads, where.device);
    words.insert(words.end(), options.begin(), options.end());
    if (run.size) add(words, "--size", std::to_string(*run.size));
    if (run.repeat) add(words, "--repeat", std::to_string(*run.repeat));
    add(words, "--sizes", run.sizes);
    if (!run.workloads.empty()) words.emplace_back("--");
    words.insert(words.end(), run.workloads.begin(), run.workloads.end());
    return targetFor(where, request, {}, words);
}

Result<launch::Target> remoteProgram(const ProgramRun& run, const CollectRequest& request,
                                     const launch::RemoteChoice& where) {
    if (run.command.empty() || run.command.front().empty())
        return failure(ErrorKind::Usage, "no program is given");
    Words words{"profile"};
    const Words options = optionWords(request, Subject::Program, where.device);
    words.insert(words.end(), options.begin(), options.end());
    words.emplace_back("--");
    words.insert(words.end(), run.command.begin(), run.command.end());
    std::string before;
    if (!run.workingFolder.empty()) before = "cd " + launch::quotedPath(run.workingFolder.string()) + " && ";
    if (!run.environment.empty()) before += "env ";
    for (const auto& [name, value] : run.environment)
        before += shellQuoted(name + "=" + value) + ' ';
    return targetFor(where, request, before, words);
}

} // namespace dormer::instrument::request
