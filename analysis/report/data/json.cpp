// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/lines/line_class.h"
#include "analysis/metrics/predicted_range.h"
#include "analysis/report/data/json_parts.h"
#include "analysis/report/data/json_values.h"
#include "analysis/verdict/verify.h"

#include <fmt/format.h>

namespace dormer::report {

namespace {

using nlohmann::json;

json number(double value) {
    return jsonNumber(value);
}

json orNull(const auto& value) {
    return jsonOrNull(value);
}

json dimJson(session::Dim3 dim) {
    return json::array({dim.x, dim.y, dim.z});
}

json rangeJson(const session::Launch& launch) {
    const auto range = metrics::predictedRange(launch);
    return range ? json::array({number(range->fromNs), number(range->toNs)}) : json(nullptr);
}

json verdictJson(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                 const verdict::Verdict& verdict) {
    json all = json::object();
    for (int i = 0; i < device::kResourceCount; ++i) {
        const auto& utilization = verdict.utilization[static_cast<std::size_t>(i)];
        if (utilization)
            all[std::string(device::toString(static_cast<device::Resource>(i)))] = number(*utilization);
    }
    const bool known = verdict.bound != verdict::Bound::Unknown;
    return {{"bound", verdict::toString(verdict.bound)},
            {"level", known ? json(device::toString(verdict.resource)) : json(nullptr)},
            {"utilization", known ? orNull(verdict.highest()) : json(nullptr)},
            {"utilizations", std::move(all)},
            {"working_sms", verdict.workingSms},
            {"l2_utilization_practical", orNull(verdict.practicalL2)},
            {"reason", verdict.reason == verdict::LatencyReason::None
                           ? json(nullptr)
                           : json(verdict::toString(verdict.reason))},
            {"headline", verdict::headline(verdict)},
            {"work", verdict::toString(verdict.work)},
            {"intensity", orNull(verdict.intensity)},
            {"ridge", orNull(verdict.ridge)},
            {"textbook", verdict.textbook ? json(verdict::toString(*verdict.textbook)) : json(nullptr)},
            {"evidence", verdict::evidence(metrics, launch, verdict)}};
}

json placesJson(const std::vector<findings::FindingPlace>& places) {
    json all = json::array();
    for (const findings::FindingPlace& place : places)
        all.push_back({{"file", orNull(place.file)},
                       {"line", place.line > 0 ? json(place.line) : json(nullptr)},
                       {"pc", place.pc},
                       {"place", place.place},
                       {"chain", orNull(place.chain)},
                       {"what", orNull(place.what)},
                       {"change", orNull(place.change)},
                       {"share", number(place.share)}});
    return all;
}

json findingJson(const findings::Finding& finding) {
    return {{"code", finding.code},
            {"title", finding.title},
            {"nsight_rule", orNull(finding.rule)},
            {"evidence", finding.evidence},
            {"advice", finding.advice},
            {"gain_ns", orNull(finding.gainNs)},
            {"places", placesJson(finding.places)}};
}

json findingsJson(const std::vector<findings::Finding>& found) {
    json all = json::array();
    for (const findings::Finding& finding : found)
        all.push_back(findingJson(finding));
    return all;
}

/// Gains here are those of all launches of a group, where a finding's is of one.
json toDoJson(const diagnosis::Diagnosis& diagnosis) {
    json all = json::array();
    for (const diagnosis::ToDo& item : diagnosis.toDoList())
        all.push_back({{"subject", item.subject},
                       {"launch", item.launch ? json(session::raw(*item.launch)) : json(nullptr)},
                       {"launches", item.launches},
                       {"scope", orNull(item.scope)},
                       {"gain_ns", orNull(item.gainNs)},
                       {"share", item.gainNs ? number(item.share) : json(nullptr)},
                       {"finding", findingJson(item.finding)}});
    return all;
}

json linesJson(std::span<const session::LineCounts> lines) {
    json all = json::array();
    for (const session::LineCounts& line : lines) {
        json& one = all.emplace_back(recordJson(line));
        one["class"] = orNull(lines::classText(line));
    }
    return all;
}

json deviceJson(const session::Device& device) {
    json object = recordJson(device, Zero::IsZero);
    object["name"] = device.name; // never null
    return object;
}

json processJson(const session::Process& process) {
    json object = recordJson(process, Zero::IsZero);
    object["host"] = process.host; // never null
    object["program"] = process.program;
    return object;
}

json placeOfDevice(const session::Session& session, session::LaunchIndex launch) {
    const session::Device* device = session.deviceOf(launch);
    return device == nullptr ? json(nullptr) : json(device - session.devices().data());
}

json practicalJson(const session::Device& device, const device::Ceiling& ceiling) {
    if (ceiling.measured) return nullptr;
    const auto roof =
        device::practicalRoof(device, ceiling.resource, ceiling.perSecond, device::maximumClocks(device));
    return roof ? number(roof->perSecond) : json(nullptr);
}

json ceilingsJson(const session::Session& session) {
    json all = json::array();
    for (std::size_t i = 0; i < session.devices().size(); ++i)
        for (const device::Ceiling& ceiling : device::ceilings(session, session.devices()[i])) {
            all.push_back({{"device", i},
                           {"resource", device::toString(ceiling.resource)},
                           {"per_second", number(ceiling.perSecond)},
                           {"practical_per_second", practicalJson(session.devices()[i], ceiling)},
                           {"measured", ceiling.measured},
                           {"clock_hz", ceiling.clockHz > 0 ? number(ceiling.clockHz) : json(nullptr)},
                           {"source", ceiling.source}});
            if (ceiling.resource == device::Resource::Tensor)
                all.back()["format"] = device::title(ceiling.format);
        }
    return all;
}

json sessionFacts(const metrics::MetricEvaluator& metrics) {
    const session::Session& session = metrics.session();
    json processes = json::array(), notes = json::array(), checks = json::array(), answers = json::array();
    for (const session::Process& process : session.processes())
        processes.push_back(processJson(process));
    for (const session::Note& note : session.notes())
        notes.push_back({{"process", note.process}, {"code", note.code}, {"text", note.text}});
    for (const session::Check& check : session.checks())
        checks.push_back({{"workload", check.workload}, {"passed", check.passed}, {"detail", check.detail}});
    for (const verdict::Answer& answer : verdict::verify(metrics))
        answers.push_back({{"workload", answer.workload},
                           {"what", answer.what},
                           {"reported", answer.reported},
                           {"held", answer.held}});
    return {{"provenance", session::provenance(session)},
            {"launches", session.launches().size()},
            {"processes", std::move(processes)},
            {"notes", std::move(notes)},
            {"checks", std::move(checks)},
            {"known_answers", std::move(answers)}};
}

/// Null where zero means that it is not known.
template <typename T>
json knownOrNull(T value) {
    return value != 0 ? json(value) : json(nullptr);
}

template <typename T>
json recordsJson(const std::vector<T>& records) {
    json all = json::array();
    for (const T& record : records)
        all.push_back(recordJson(record));
    return all;
}

json sessionHead(const diagnosis::Diagnosis& diagnosis) {
    const session::Session& session = diagnosis.session();
    json devices = json::array();
    for (const session::Device& device : session.devices())
        devices.push_back(deviceJson(device));
    return {{"schema", kJsonSchema},
            {"session", sessionFacts(diagnosis.metrics())},
            {"devices", std::move(devices)},
            {"ceilings", ceilingsJson(session)},
            {"workloads", recordsJson(session.workloads())},
            {"stalls", stallsJson(session)},
            {"sweeps", sweepsJson(diagnosis)}};
}

} // namespace

json documentHead(const diagnosis::Diagnosis& diagnosis) {
    json document = sessionHead(diagnosis);
    document["todo"] = toDoJson(diagnosis);
    return document;
}

json launchFacts(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex index, bool withLines) {
    const metrics::MetricEvaluator& metrics = diagnosis.metrics();
    const session::Session& session = diagnosis.session();
    const session::Launch& launch = session.launch(index);
    const session::Kernel& kernel = session.kernelOf(index);
    const verdict::Verdict verdict = diagnosis.judged(index);
    json document = {{"id", session::raw(index)},
                     {"process", launch.process},
                     {"pid", session.processes()[launch.process].pid},
                     {"program", session.processes()[launch.process].program},
                     {"device", launch.device},
                     {"device_index", placeOfDevice(session, index)},
                     {"kernel", kernel.name.empty() ? kernel.mangledName : kernel.name},
                     {"workload", orNull(launch.workload)},
                     {"nvtx", orNull(launch.nvtx)},
                     {"grid", dimJson(launch.grid)},
                     {"block", dimJson(launch.block)},
                     {"registers_per_thread", kernel.registersPerThread},
                     {"static_shared_bytes", kernel.staticSharedBytes},
                     {"dynamic_shared_bytes", launch.dynamicSharedBytes},
                     {"stream", launch.stream},
                     {"graph_node", orNull(launch.graphNode)},
                     {"start_ns", launch.startNs},
                     {"origin", session::toString(session.originOf(index))},
                     {"duration_ns", orNull(launch.durationNs)},
                     {"duration_range_ns", rangeJson(launch)},
                     {"call_ns", orNull(launch.callNs)},
                     {"called_ns", knownOrNull(launch.calledNs)},
                     {"waited_until_ns", knownOrNull(launch.waitedUntilNs)},
                     {"duration_factor", knownOrNull(launch.durationFactor)},
                     {"counted", launch.counted},
                     {"not_counted", orNull(launch.notCounted)},
                     {"counters", json::object()},
                     {"metrics", json::object()},
                     {"verdict", verdictJson(metrics, index, verdict)},
                     {"work_parts", workPartsJson(metrics, index)},
                     {"findings", findingsJson(diagnosis.findings(index))}};
    if (withLines) document["lines"] = linesJson(session.lines(index));
    return document;
}

nlohmann::json launchJson(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex index, bool withLines) {
    json document = launchFacts(diagnosis, index, withLines);
    const session::CounterTable& counters = diagnosis.session().counters();
    for (std::size_t column = 0; column < counters.names().size(); ++column)
        if (const auto value = counters.get(index, column))
            document["counters"][counters.names()[column]] = number(*value);
    for (const metrics::Metric& metric : metrics::metricCatalogue())
        if (const auto value = diagnosis.metrics().value(index, metric))
            document["metrics"][std::string(metric.name)] = number(*value);
    return document;
}

nlohmann::json sweepsDocument(const diagnosis::Diagnosis& diagnosis) {
    return sessionHead(diagnosis);
}

nlohmann::json transfersDocument(const diagnosis::Diagnosis& diagnosis) {
    json document = sessionHead(diagnosis);
    for (const char* rest : {"workloads", "sweeps"})
        document.erase(rest);
    document["transfers"] = recordsJson(diagnosis.session().transfers());
    document["memory_calls"] = recordsJson(diagnosis.session().memoryCalls());
    return document;
}

} // namespace dormer::report
