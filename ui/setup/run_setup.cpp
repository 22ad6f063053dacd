// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/setup/run_setup.h"

#include "instrument/request/remote_target.h"
#include "instrument/request/shell_words.h"
#include "ui/look/sentence.h"
#include "ui/look/words.h"

#include <fmt/format.h>

#include <QDir>
#include <QFileInfo>

#include <cmath>

namespace dormer::ui::setup {

namespace request = instrument::request;
using instrument::launch::ChosenDevice;
using instrument::launch::Target;

namespace {

/// As on the controls.
constexpr request::OptionWords kWords{.set = "Counters",
                                      .kernels = "Kernels",
                                      .launches = "Launches",
                                      .lines = "Lines",
                                      .replay = "Replay",
                                      .budget = "Replay budget",
                                      .timeLimit = "Time limit",
                                      .check = "Check",
                                      .onFault = "On fault",
                                      .emulator = "the emulator"};

Result<std::optional<std::int64_t>> positive(const QString& text, std::string_view what) {
    if (text.trimmed().isEmpty()) return std::nullopt;
    bool ok = false;
    const qlonglong value = text.trimmed().toLongLong(&ok);
    if (!ok || value <= 0)
        return failure(ErrorKind::Usage,
                       fmt::format("{} {}: expected a positive integer", what, text.toStdString()));
    return value;
}

/// The set that is collected.
std::string setOf(const RunSetup& setup, const ChosenDevice& device) {
    if (setup.stalls && request::whyNoStalls(setup.subject, device, setup.lines).empty()) return "none";
    const bool gone = setup.counterSet == QLatin1String(instrument::stream::kSampledSet) &&
                      !whyNotSampled(setup.subject, device, setup.lines).isEmpty();
    return gone || setup.counterSet.isEmpty() ? request::defaultSet(setup.subject, device, setup.lines)
                                              : setup.counterSet.toStdString();
}

Result<request::CollectRequest> requestOf(const RunSetup& setup, const ChosenDevice& device) {
    // A control that can't be used here is ignored, whatever it was set to for another device.
    const Unavailable out = unavailable(setup, device);
    const auto text = [](const QString& typed, const QString& problem = {}) {
        return problem.isEmpty() ? typed.trimmed().toStdString() : std::string();
    };
    request::CollectRequest request;
    request.set = setOf(setup, device);
    request.kernels = setup.kernels.toStdString();
    request.nvtx = setup.nvtx.toStdString();
    request.nvtxAllThreads = setup.nvtxAllThreads;
    request.launches = text(setup.launches);
    request.replay = text(setup.replay, out.replay);
    request.budget = text(setup.budget, out.replay);
    request.flushCaches = setup.flushCaches;
    request.lines = setup.lines;
    if (setup.stalls && out.stalls.isEmpty()) request.stalls = true;
    request.check = text(setup.check, out.check);
    if (!setup.onFault.isEmpty() && out.onFault.isEmpty()) request.onFault = text(setup.onFault);
    if (!out.timeLimit.isEmpty() || setup.timeLimit.trimmed().isEmpty()) return request;
    bool ok = false;
    request.timeLimitSeconds = setup.timeLimit.trimmed().toDouble(&ok);
    if (!ok || !std::isfinite(request.timeLimitSeconds) || request.timeLimitSeconds <= 0)
        return failure(ErrorKind::Usage, fmt::format("{} {}: expected a positive number of seconds",
                                                     kWords.timeLimit, setup.timeLimit.toStdString()));
    return request;
}

Result<Target> suiteOf(const RunSetup& setup, const request::CollectRequest& request,
                       const ChosenDevice& device, const instrument::launch::Installation& installation) {
    const auto options = request::collectOptions(request, setup.subject, device, kWords);
    if (!options) return std::unexpected(options.error());
    const auto size = positive(setup.size, "Size"), repeat = positive(setup.repeat, "Repeat");
    if (!size) return std::unexpected(size.error());
    if (!repeat) return std::unexpected(repeat.error());
    instrument::launch::SuiteRun suite{
        .workloads = {}, .size = *size, .repeat = *repeat, .sizes = setup.sizes.toStdString()};
    for (const QString& path : setup.workloads)
        suite.workloads.push_back(path.toStdString());
    if (suite.workloads.empty()) return failure(ErrorKind::Usage, "no workload is checked");
    if (device.remote) return request::remoteSuite(suite, request, {*device.remote, device.onName()});
    return instrument::launch::suiteTarget(suite, *options, device, installation);
}

Result<Target> programOf(const RunSetup& setup, const request::CollectRequest& request,
                         const ChosenDevice& device, const instrument::launch::Installation& installation) {
    const auto command = request::shellWords(setup.program.command.toStdString());
    if (!command) return failure(ErrorKind::Usage, "Program: " + command.error().message);
    const auto variables = request::shellWords(setup.program.environment.toStdString());
    if (!variables) return failure(ErrorKind::Usage, "Environment: " + variables.error().message);
    const auto environment = request::environmentFrom(*variables);
    if (!environment) return failure(ErrorKind::Usage, "Environment: " + environment.error().message);
    const request::ProgramRun run{.command = *command,
                                  .environment = *environment,
                                  .workingFolder = setup.program.folder.trimmed().toStdString()};
    if (!device.remote) return request::programTarget(run, request, device, installation, kWords);
    // What is wrong with the options is known here already, in the words of the controls.
    if (const auto options = request::collectOptions(request, setup.subject, device, kWords); !options)
        return std::unexpected(options.error());
    return request::remoteProgram(run, request, {*device.remote, device.onName()});
}

} // namespace

QString whyNotSampled(Subject subject, const ChosenDevice& device, bool lines) {
    const QString why = look::sentence(request::whyNotSampled(subject, device));
    return why.isEmpty() && lines ? look::sentence(request::kLinesOrSamples) : why;
}

Unavailable unavailable(const RunSetup& setup, const ChosenDevice& device) {
    const auto about = [](std::string_view control, const std::string& why) {
        return why.empty() ? QString() : look::words(control) + QLatin1Char(' ') + look::words(why);
    };
    Unavailable out;
    out.sampled = whyNotSampled(setup.subject, device, setup.lines);
    out.stalls = look::sentence(request::whyNoStalls(setup.subject, device, setup.lines));
    out.replay = about("Replay:", request::whyNoReplay(setup.subject, device, setOf(setup, device)));
    out.check = about(kWords.check, request::whyNoCheck(device, kWords));
    out.onFault = about(kWords.onFault, request::whyNoOnFault(device, kWords));
    out.timeLimit = about("The time limit", request::whyNoTimeLimit(device, kWords));
    if (setup.subject == Subject::Program)
        out.sizes = QStringLiteral("For the built-in workloads; a program takes its own arguments");
    return out;
}

QString defaultCounterSet(Subject subject, const ChosenDevice& device, bool lines) {
    return look::words(request::defaultSet(subject, device, lines));
}

Result<Target> targetOf(const RunSetup& setup, const ChosenDevice& device,
                        const instrument::launch::Installation& installation) {
    const auto request = requestOf(setup, device);
    if (!request) return std::unexpected(request.error());
    return setup.subject == Subject::Program ? programOf(setup, *request, device, installation)
                                             : suiteOf(setup, *request, device, installation);
}

QStringList filesOf(const Target& target) {
    if (target.remote) return {};
    const QDir folder(look::words(target.workingFolder.string()));
    QStringList files;
    const auto add = [&](const QString& name) {
        const QFileInfo file(folder, name);
        if (file.isFile()) files << file.absoluteFilePath();
    };
    add(look::words(target.program.string()));
    // Of its arguments scripts alone: a file of data may be what the program writes.
    for (const std::string& argument : target.arguments)
        if (argument.ends_with(".py") || argument.ends_with(".sh") || argument.ends_with(".jl"))
            add(look::words(argument));
    files.removeDuplicates();
    return files;
}

QString estimateOf(const RunSetup& setup, const ChosenDevice& device) {
    const auto request = requestOf(setup, device);
    if (!request) return look::sentence(request.error().message);
    const auto text = request::collectText(*request, setup.subject, device);
    const auto options = request::collectOptions(*request, setup.subject, device, kWords);
    return look::sentence(!text ? text.error().message : !options ? options.error().message : *text);
}

} // namespace dormer::ui::setup
