// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/remote_stream.h"

#include "instrument/stream/codec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace dormer::instrument::launch {

namespace {

constexpr char kProcess = '#';
/// Processes are numbered as they come, and one that said nothing readable leaves a gap. A number out of the
/// blue would make as many processes.
constexpr std::uint32_t kMostAhead = 1024;
constexpr const char* kBegin = "joined_start";
constexpr const char* kEnd = "joined_end";

std::string lineOf(const nlohmann::json& json) {
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

/// The line as one of the two that are not records; null otherwise.
nlohmann::json frameOf(std::string_view line, const char* kind) {
    if (line.find(kind) == std::string_view::npos) return {}; // most lines are records: not parsed twice
    nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || json.value("record", nlohmann::json()) != kind) return {};
    return json;
}

template <typename T>
std::optional<T> field(const nlohmann::json& json, const char* name) {
    const auto at = json.find(name);
    if (at == json.end()) return std::nullopt;
    try {
        return at->get<T>();
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

JoinedEnd endOf(const nlohmann::json& json) {
    if (const auto problem = field<std::string>(json, "error")) {
        const int kind = field<int>(json, "error_kind").value_or(0);
        const bool known =
            kind >= static_cast<int>(ErrorKind::GateFailed) && kind <= static_cast<int>(ErrorKind::Input);
        return failure(known ? static_cast<ErrorKind>(kind) : ErrorKind::Target, *problem);
    }
    TargetEnd end;
    end.exitCode = field<std::int32_t>(json, "exit_code");
    end.signal = field<std::int32_t>(json, "signal");
    end.stopped = field<bool>(json, "stopped").value_or(false);
    end.emulated = field<bool>(json, "emulated").value_or(false);
    end.badLines = field<std::size_t>(json, "bad_lines").value_or(0);
    return end;
}

} // namespace

std::string JoinedWriter::begin() {
    return lineOf({{"record", kBegin}, {"schema", kJoinedSchema}, {"tool_version", DORMER_VERSION}});
}

std::string JoinedWriter::record(const session::Record& record, std::uint32_t process) {
    std::string text;
    if (m_process != process) text = fmt::format("{}{}\n", kProcess, process);
    m_process = process;
    return text + stream::formatRecord(record) + '\n';
}

std::string JoinedWriter::end(const JoinedEnd& end) {
    nlohmann::json json{{"record", kEnd}};
    if (!end) {
        json["error"] = end.error().message;
        json["error_kind"] = static_cast<int>(end.error().kind);
        return lineOf(json);
    }
    if (end->exitCode) json["exit_code"] = *end->exitCode;
    if (end->signal) json["signal"] = *end->signal;
    if (end->stopped) json["stopped"] = true;
    if (end->emulated) json["emulated"] = true;
    if (end->badLines > 0) json["bad_lines"] = end->badLines;
    return lineOf(json);
}

JoinedReader::Part JoinedReader::bad() {
    ++m_badLines;
    return Nothing{};
}

JoinedReader::Part JoinedReader::take(std::string_view line) {
    if (!m_begun) {
        const nlohmann::json begin = frameOf(line, kBegin);
        if (begin.is_null()) return Nothing{};
        m_begun = true;
        return Begin{field<int>(begin, "schema").value_or(0),
                     field<std::string>(begin, "tool_version").value_or("")};
    }
    if (line.starts_with(kProcess)) {
        std::uint32_t process = 0;
        const auto [end, error] = std::from_chars(line.data() + 1, line.data() + line.size(), process);
        if (error != std::errc{} || end != line.data() + line.size() || process >= m_processes + kMostAhead)
            return bad();
        m_process = process;
        m_processes = std::max(m_processes, process + 1);
        return Nothing{};
    }
    if (const nlohmann::json end = frameOf(line, kEnd); !end.is_null()) return endOf(end);
    Result<session::Record> record = stream::parseRecord(line);
    if (!record) return bad();
    return Line{std::move(*record), m_process};
}

} // namespace dormer::instrument::launch
