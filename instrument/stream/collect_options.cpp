// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/stream/collect_options.h"

#include "analysis/metrics/counter_sets.h"
#include "instrument/stream/field_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dormer::instrument::stream {

namespace {

template <typename Visitor, typename Options>
void visitOptions(Visitor& v, Options& o) {
    v.field("set", o.counterSet);
    v.field("kernels", o.kernels);
    v.field("nvtx", o.nvtx);
    v.field("nvtx_all_threads", o.nvtxAllThreads);
    v.field("launches", o.launches);
    v.field("replay", o.replay);
    v.field("budget_seconds", o.budgetSeconds);
    v.field("lines", o.lines);
    v.field("stalls", o.stalls);
    v.field("device", o.device);
    v.field("every_launch", o.everyLaunch);
    v.field("chip", o.chip);
    v.field("check", o.check);
    v.field("on_fault", o.onFault);
    v.known("time_limit_seconds", o.timeLimitSeconds);
}

constexpr std::array<std::pair<Replay, std::string_view>, 3> kReplays{
    {{Replay::Auto, "auto"}, {Replay::None, "none"}, {Replay::Kernel, "kernel"}}};

} // namespace

std::string_view toString(Replay replay) {
    return std::ranges::find(kReplays, replay, &std::pair<Replay, std::string_view>::first)->second;
}

bool fromString(std::string_view text, Replay& replay) {
    const auto* found = std::ranges::find(kReplays, text, &std::pair<Replay, std::string_view>::second);
    if (found == kReplays.end()) return false;
    replay = found->first;
    return true;
}

bool checksFor(std::string_view check, std::string_view name) {
    while (!check.empty()) {
        const std::size_t comma = std::min(check.find(','), check.size());
        if (check.substr(0, comma) == name) return true;
        check.remove_prefix(std::min(comma + 1, check.size()));
    }
    return false;
}

std::string toJson(const CollectOptions& options) {
    Json json = Json::object();
    FieldWriter writer{json};
    visitOptions(writer, options);
    json["flush_caches"] = options.flushCaches; // said either way: they are on by default
    json["sources"] = options.sources;
    return dump(json);
}

Result<CollectOptions> collectOptionsFromJson(std::string_view text) {
    const ParsedJson json = ParsedJson::parse(text, nullptr, false);
    if (!json.is_object()) {
        return failure(ErrorKind::Usage, fmt::format("{} does not hold a JSON object", kOptionsEnv));
    }
    CollectOptions options;
    FieldReader reader{json};
    visitOptions(reader, options);
    reader.field("flush_caches", options.flushCaches);
    reader.field("sources", options.sources);
    if (!reader.problem().empty()) {
        return failure(ErrorKind::Usage, fmt::format("{}: {}", kOptionsEnv, reader.problem()));
    }
    if (options.counterSet != "none" && options.counterSet != kSampledSet &&
        !metrics::findCounterSet(options.counterSet)) {
        std::string names = "none";
        for (const metrics::CounterSet& set : metrics::counterSets())
            names += fmt::format(", {}", set.name);
        return failure(ErrorKind::Usage,
                       fmt::format("unknown counter set '{}' (available: {})", options.counterSet, names));
    }
    return options;
}

} // namespace dormer::instrument::stream
