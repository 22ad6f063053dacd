// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/data/json_values.h"
#include "analysis/report/report.h"
#include "analysis/session/signature_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace dormer::report {

namespace {

using nlohmann::json;

/// What a slice of the timeline is made of, by index into the session's list of its kind.
enum class Kind { Range, Launch, Transfer, Call };

struct Slice {
    std::int64_t startNs = 0, endNs = 0;
    std::uint32_t process = 0;
    Kind kind = Kind::Launch;
    std::size_t index = 0;
};

/// Times of a file may be anything: those beyond the year 2096 have no place.
constexpr std::int64_t kLatest = 4'000'000'000'000'000'000;

std::string jsonQuoted(std::string_view text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Slices of a row of the timeline have to nest. Where they overlap otherwise, they go to further rows of its
/// name.
class Rows {
public:
    struct Place {
        std::size_t thread = 0; ///< of the trace
        std::string announced;  ///< name of a row that begins here; else empty
    };
    /// Slices come by start, of equal ones the longest first.
    Place place(std::uint32_t process, const std::string& name, const Slice& slice) {
        std::vector<Row>& rows = m_rows[{process, name}];
        for (Row& row : rows) {
            while (!row.open.empty() && row.open.back() <= slice.startNs)
                row.open.pop_back();
            if (!row.open.empty() && row.open.back() < slice.endNs) continue;
            row.open.push_back(slice.endNs);
            return {row.thread, {}};
        }
        rows.push_back({++m_threads, {slice.endNs}});
        return {m_threads, rows.size() > 1 ? fmt::format("{} ({})", name, rows.size()) : name};
    }

private:
    struct Row {
        std::size_t thread = 0;
        std::vector<std::int64_t> open; ///< ends of the slices that are open, the innermost last
    };
    std::map<std::pair<std::uint32_t, std::string>, std::vector<Row>> m_rows;
    std::size_t m_threads = 0;
};

/// Times since the epoch are too large for a double's precision: they are subtracted as they are.
double lengthNs(std::int64_t start, std::int64_t end) {
    return end > start
               ? static_cast<double>(static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start))
               : 0;
}

/// Everything that has a place in time, in the order of the timeline.
std::vector<Slice> slicesOf(const session::Session& session) {
    std::vector<Slice> slices;
    const auto add = [&](Kind kind, std::size_t index, std::uint32_t process, std::int64_t start, double ns) {
        if (start <= 0 || start > kLatest) return;
        const auto length = static_cast<std::int64_t>(std::clamp(ns, 0.0, static_cast<double>(kLatest)));
        slices.push_back({start, start + length, process, kind, index});
    };
    for (std::size_t i = 0; i < session.ranges().size(); ++i) {
        const session::NvtxRange& range = session.ranges()[i];
        add(Kind::Range, i, range.process, range.startNs, lengthNs(range.startNs, range.endNs));
    }
    for (std::size_t i = 0; i < session.launches().size(); ++i) {
        const session::Launch& launch = session.launches()[i];
        add(Kind::Launch, i, launch.process, launch.startNs, launch.durationNs.value_or(0));
    }
    for (std::size_t i = 0; i < session.transfers().size(); ++i) {
        const session::Transfer& transfer = session.transfers()[i];
        for (const session::Spans::Span& span : transfer.spans.spans)
            if (transfer.startNs > 0 && transfer.startNs < kLatest && span.beginNs >= 0 &&
                span.beginNs < kLatest)
                add(Kind::Transfer, i, transfer.process, transfer.startNs + span.beginNs,
                    static_cast<double>(span.lengthNs));
        if (!transfer.spans.spans.empty()) continue;
        // Several that are kept as one, of which no more is known, reach from the first to the last.
        const double span = lengthNs(transfer.startNs, transfer.endNs);
        add(Kind::Transfer, i, transfer.process, transfer.startNs,
            transfer.count > 1 ? span : transfer.durationNs.value_or(span));
    }
    for (std::size_t i = 0; i < session.memoryCalls().size(); ++i) {
        const session::MemoryCall& call = session.memoryCalls()[i];
        // Of several only the first has a place; their sum has none.
        add(Kind::Call, i, call.process, call.startNs, call.count > 1 ? 0 : call.durationNs.value_or(0));
    }
    std::ranges::stable_sort(slices, {}, [](const Slice& s) { return std::tuple(s.startNs, -s.endNs); });
    return slices;
}

/// Row, name, category and arguments of a slice.
struct Words {
    std::string row, name;
    std::string_view category;
    std::string arguments; ///< members of an object
};

std::string nvtxMember(const std::string& path) {
    return path.empty() ? "" : fmt::format(",\"nvtx\":{}", jsonQuoted(path));
}

Words wordsOf(const diagnosis::Diagnosis& diagnosis, const Slice& slice) {
    const session::Session& session = diagnosis.session();
    switch (slice.kind) {
    case Kind::Range: {
        const std::string& path = session.ranges()[slice.index].path;
        const std::size_t last = path.rfind(" > ");
        return {"NVTX ranges", last == std::string::npos ? path : path.substr(last + 3), "nvtx",
                fmt::format("\"path\":{}", jsonQuoted(path))};
    }
    case Kind::Launch: {
        const auto at = session::LaunchIndex(slice.index);
        const session::Launch& launch = session.launch(at);
        const std::string kernel = session::shortKernelName(session.kernelOf(at).name);
        return {
            fmt::format("GPU {} stream {}", launch.device, launch.stream),
            launch.workload.empty() ? kernel : launch.workload, "kernel",
            fmt::format(R"("kernel":{},"grid":[{},{},{}],"block":[{},{},{}],"verdict":{},"origin":"{}"{})",
                        jsonQuoted(kernel), launch.grid.x, launch.grid.y, launch.grid.z, launch.block.x,
                        launch.block.y, launch.block.z, jsonQuoted(verdict::headline(diagnosis.verdict(at))),
                        toString(session.originOf(at)), nvtxMember(launch.nvtx))};
    }
    case Kind::Transfer: {
        const session::Transfer& transfer = session.transfers()[slice.index];
        const std::string_view direction = toString(transfer.direction);
        return {fmt::format("GPU {} stream {} transfers", transfer.device, transfer.stream),
                fmt::format("{}{}{}", toString(transfer.kind), direction.empty() ? "" : " ", direction),
                "transfer",
                fmt::format(R"("bytes":{},"count":{},"source":"{}","destination":"{}","duration_ns":{}{})",
                            transfer.bytes, transfer.count, toString(transfer.source),
                            toString(transfer.destination), jsonOrNull(transfer.durationNs).dump(),
                            nvtxMember(transfer.nvtx))};
    }
    case Kind::Call:
        break;
    }
    const session::MemoryCall& call = session.memoryCalls()[slice.index];
    return {"memory API calls", call.call, "memory_call",
            fmt::format(R"("bytes":{},"count":{},"memory":"{}","duration_ns":{}{})", call.bytes, call.count,
                        toString(call.memory), jsonOrNull(call.durationNs).dump(), nvtxMember(call.nvtx))};
}

/// Microseconds of the trace, which begins with its first slice.
std::string micros(std::int64_t ns) {
    return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

/// A counter's value from each step on; nothing between bursts of samples.
std::string countersOf(const session::DeviceActivity& activity, std::int64_t begin) {
    std::string out;
    const std::string name = jsonQuoted(fmt::format("GPU {} {}{}", activity.device, activity.counter,
                                                    session::isSum(activity.counter) ? " per second" : ""));
    const auto add = [&](std::int64_t at, double value) {
        out += fmt::format(R"({{"ph":"C","name":{},"cat":"device","pid":{},"ts":{},"args":{{"value":{}}}}},)"
                           "\n",
                           name, activity.process, micros(at - begin), jsonNumber(value).dump());
    };
    std::int64_t at = activity.startNs;
    for (const double value : activity.values.values) {
        if (at < begin || at > kLatest) return out;
        if (std::isfinite(value)) add(at, value);
        at += std::min(activity.stepNs, kLatest);
    }
    if (at <= kLatest) add(at, 0);
    return out;
}

std::string metadata(std::string_view what, std::uint32_t process, std::size_t thread,
                     std::string_view name) {
    return fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}},)"
                       "\n",
                       what, process, thread, jsonQuoted(name));
}

} // namespace

void writeTrace(const diagnosis::Diagnosis& diagnosis, const base::TextSink& sink) {
    const session::Session& session = diagnosis.session();
    const std::vector<Slice> slices = slicesOf(session);
    const std::int64_t begin = slices.empty() ? 0 : slices.front().startNs;
    std::string out = fmt::format(R"({{"displayTimeUnit":"ns","otherData":{{"tool":"dormer","measured":{},)"
                                  R"("begin_unix_ns":"{}"}},"traceEvents":[)"
                                  "\n",
                                  jsonQuoted(session::provenance(session)), begin);
    for (std::uint32_t process = 0; process < session.processes().size(); ++process) {
        const session::Process& each = session.processes()[process];
        out += metadata(
            "process_name", process, 0,
            fmt::format("{} {}{}{}", each.program, each.pid, each.host.empty() ? "" : " on ", each.host));
    }
    Rows rows;
    for (const Slice& slice : slices) {
        const Words words = wordsOf(diagnosis, slice);
        const Rows::Place place = rows.place(slice.process, words.row, slice);
        if (!place.announced.empty())
            out += metadata("thread_name", slice.process, place.thread, place.announced);
        out += fmt::format(
            R"({{"ph":"X","name":{},"cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}},)"
            "\n",
            jsonQuoted(words.name), words.category, slice.process, place.thread,
            micros(slice.startNs - begin), micros(slice.endNs - slice.startNs), words.arguments);
        if (out.size() < (1u << 20)) continue;
        if (!sink(out)) return;
        out.clear();
    }
    for (const session::DeviceActivity& activity : session.deviceActivity())
        out += countersOf(activity, begin);
    // The list has to end without a comma.
    out += R"({"ph":"M","name":"trace_end","pid":0,"tid":0,"args":{}}]})"
           "\n";
    sink(out);
}

} // namespace dormer::report
