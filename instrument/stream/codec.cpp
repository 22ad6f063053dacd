// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/stream/codec.h"

#include "analysis/session/record_fields.h"
#include "instrument/stream/field_codec.h"

#include <fmt/format.h>

#include <array>

namespace dormer::instrument::stream {

namespace {

using namespace session;

/// Field "record" of each kind, by its place in the variant.
constexpr std::array<const char*, std::variant_size_v<Record>> kKinds{"process_start",
                                                                      "process_end",
                                                                      "device",
                                                                      "kernel",
                                                                      "launch",
                                                                      "launch_counters",
                                                                      "launch_lines",
                                                                      "nvtx_range",
                                                                      "note",
                                                                      "expectation",
                                                                      "check",
                                                                      "progress",
                                                                      "ceiling",
                                                                      "workload",
                                                                      "sweep",
                                                                      "transfer",
                                                                      "memory_call",
                                                                      "source_file",
                                                                      "kernel_code",
                                                                      "signature_counter",
                                                                      "warp_samples",
                                                                      "device_activity",
                                                                      ""};

template <typename Visitor>
void visitRecord(Visitor& v, Either<ProcessStart> auto& start) {
    visitFields(v, start.process);
}
template <typename Visitor>
void visitRecord(Visitor& v, Either<ProcessEnd> auto& end) {
    visitEnd(v, end);
}
void visitRecord(FieldWriter& v, const LaunchCounters& counters) {
    v.required("launch", counters.launch);
    if (!counters.complete) v.required("complete", false);
}
void visitRecord(FieldReader& v, LaunchCounters& counters) {
    v.required("launch", counters.launch);
    v.field("complete", counters.complete);
}
template <typename Visitor>
void visitRecord(Visitor& v, Either<LaunchLines> auto& lines) {
    v.required("launch", lines.launch);
}
template <typename Visitor, typename T>
void visitRecord(Visitor& v, T& value) {
    visitFields(v, value);
}

void putCounters(Json& json, const std::map<std::string, double>& values) {
    Json object = Json::object();
    auto& fields = object.get_ref<Json::object_t&>();
    fields.reserve(values.size());
    for (const auto& [name, value] : values) {
        if (std::isfinite(value)) fields.emplace_back(name, Json(value));
    }
    json.get_ref<Json::object_t&>().emplace_back("values", std::move(object));
}

/// Empty, or what is wrong.
std::string getCounters(const ParsedJson& json, std::map<std::string, double>& values) {
    const auto at = json.find("values");
    if (at == json.end() || !at->is_object()) return "field 'values' is not an object";
    for (const auto& [name, value] : at->get_ref<const ParsedJson::object_t&>()) {
        if (value.is_null()) continue; // how some writers spell NaN: not collected
        if (!value.is_number()) return fmt::format("counter '{}' is not a number", name);
        values.insert_or_assign(values.end(), name, value.get<double>());
    }
    return {};
}

void putLines(Json& json, const std::vector<LineCounts>& lines) {
    Json all = Json::array();
    for (const LineCounts& line : lines) {
        Json object = Json::object();
        FieldWriter writer{object};
        visitFields(writer, line);
        all.push_back(std::move(object));
    }
    json.get_ref<Json::object_t&>().emplace_back("lines", std::move(all));
}

/// Empty, or what is wrong.
std::string getLines(const ParsedJson& json, std::vector<LineCounts>& lines) {
    const auto at = json.find("lines");
    if (at == json.end() || !at->is_array()) return "field 'lines' is not an array";
    lines.reserve(at->size());
    for (const ParsedJson& object : *at) {
        if (!object.is_object()) return "field 'lines' is not an array of objects";
        FieldReader reader{object};
        visitFields(reader, lines.emplace_back());
        if (!reader.problem().empty()) return "of a line, " + reader.problem();
    }
    return {};
}

template <typename T>
Result<Record> parseAs(const ParsedJson& json, const char* kind) {
    T value;
    FieldReader reader{json};
    visitRecord(reader, value);
    std::string problem = reader.problem();
    if constexpr (std::is_same_v<T, LaunchCounters>) {
        if (problem.empty()) problem = getCounters(json, value.values);
    }
    if constexpr (std::is_same_v<T, LaunchLines>) {
        if (problem.empty()) problem = getLines(json, value.lines);
    }
    if (!problem.empty()) return failure(ErrorKind::Input, fmt::format("record '{}': {}", kind, problem));
    return Record(std::move(value));
}

/// Parses the kind that `kind` names, or keeps the line.
template <std::size_t Index = 0>
Result<Record> parseKind(const ParsedJson& json, std::string_view kind, std::string_view line) {
    if constexpr (Index + 1 < std::variant_size_v<Record>) {
        if (kind == kKinds[Index])
            return parseAs<std::variant_alternative_t<Index, Record>>(json, kKinds[Index]);
        return parseKind<Index + 1>(json, kind, line);
    } else {
        return Record(Unknown{std::string(line)});
    }
}

} // namespace

std::string formatRecord(const Record& record) {
    if (const auto* unknown = std::get_if<Unknown>(&record)) return unknown->json;
    Json json = Json::object();
    auto& fields = json.get_ref<Json::object_t&>();
    fields.reserve(24);
    fields.emplace_back("record", Json(kKinds[record.index()]));
    if (std::holds_alternative<ProcessStart>(record)) fields.emplace_back("schema", Json(kStreamSchema));
    std::visit(
        [&]<typename T>(const T& value) {
            if constexpr (!std::is_same_v<T, Unknown>) {
                FieldWriter writer{json};
                visitRecord(writer, value);
                if constexpr (std::is_same_v<T, LaunchCounters>) putCounters(json, value.values);
                if constexpr (std::is_same_v<T, LaunchLines>) putLines(json, value.lines);
            }
        },
        record);
    return dump(json);
}

Result<Record> parseRecord(std::string_view line) {
    const ParsedJson json = ParsedJson::parse(line, nullptr, false);
    if (json.is_discarded()) return failure(ErrorKind::Input, "the line is not JSON");
    if (!json.is_object()) return failure(ErrorKind::Input, "the line is not a JSON object");
    const auto kind = json.find("record");
    if (kind == json.end() || !kind->is_string()) {
        return failure(ErrorKind::Input, "the line has no field 'record' that names its kind");
    }
    return parseKind(json, kind->get_ref<const std::string&>(), line);
}

} // namespace dormer::instrument::stream
