// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/recommendation_rules.h"

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/session/user_line.h"
#include "analysis/view/recommendations.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <regex>
#include <sstream>

namespace dormer::tests {

namespace {

using session::LineCounts;
using session::MemoryOperation;
using session::MemorySpace;

constexpr double kRounding = 1 + 1e-9;

double number(const std::optional<std::uint64_t>& count) {
    return static_cast<double>(count.value_or(0));
}
bool isAtomic(const LineCounts& line) {
    return line.op == MemoryOperation::Atomic || line.op == MemoryOperation::Reduction;
}
bool isGlobal(const LineCounts& line) {
    return line.space == MemorySpace::Global && !isAtomic(line);
}
bool isWasteful(const LineCounts& line) {
    return isGlobal(line) && number(line.sectors) > number(line.sectorsIdeal);
}
bool isOneSector(const LineCounts& line) {
    return isGlobal(line) && line.sectors == line.executions;
}
bool isLocal(const LineCounts& line) {
    return line.space == MemorySpace::Local && number(line.sectors) > 0;
}
bool hasPasses(const LineCounts& line) {
    return number(line.wavefronts) > number(line.wavefrontsIdeal);
}

/// What an instruction must do to be named by a finding of that code; any where the code is not here.
const std::map<std::string_view, std::function<bool(const LineCounts&)>> kOfLine = {
    {"uncoalesced-global-access", isWasteful},
    {"misaligned-global-access", isWasteful},
    {"broadcast-load", isOneSector},
    {"redundant-lanes", isOneSector},
    {"shared-bank-conflicts",
     [](const LineCounts& line) {
         return line.space == MemorySpace::Shared && !isAtomic(line) && hasPasses(line);
     }},
    {"shared-atomics-contention",
     [](const LineCounts& line) {
         return line.space == MemorySpace::Shared && isAtomic(line) && hasPasses(line);
     }},
    {"local-memory-traffic", isLocal},
    {"register-spills", isLocal},
    {"atomics-contention",
     [](const LineCounts& line) { return line.space == MemorySpace::Global && isAtomic(line); }},
    {"divergent-constant-loads",
     [](const LineCounts& line) { return line.space == MemorySpace::Constant && hasPasses(line); }},
    {"narrow-loads", [](const LineCounts& line) { return isGlobal(line) && line.widthBytes == 4U; }},
    {"redundant-warp-loads", isGlobal},
    {"divergence", [](const LineCounts& line) { return number(line.divergent) > 0; }},
};

/// What the launch's own numbers must be.
struct OfLaunch {
    const metrics::MetricEvaluator& metrics;
    session::LaunchIndex launch;

    [[nodiscard]] double value(std::string_view metric) const {
        return metrics.value(launch, metric).value_or(std::nan(""));
    }
    [[nodiscard]] double executed(const std::string& op) const {
        return metrics.session()
            .counter(launch, "smsp__sass_thread_inst_executed_op_" + op + "_pred_on.sum")
            .value_or(0);
    }
    [[nodiscard]] bool holds(std::string_view code) const {
        const session::Device* device = metrics.session().deviceOf(launch);
        if (code == "small-grid") return value("grid_blocks") < device->smCount;
        if (code == "partial-wave") return value("waves") < 1;
        if (code == "tail-effect") return value("waves") > 1 && value("waves") != std::floor(value("waves"));
        if (code == "low-occupancy") return value("theoretical_occupancy") < 0.5;
        if (code == "occupancy-gap")
            return value("achieved_occupancy") < value("theoretical_occupancy") && value("waves") >= 1;
        if (code == "divergence") return value("threads_per_warp") < 32 && value("block_threads") >= 24;
        if (code == "partial-warps") return value("block_threads") < 32;
        if (code == "fp64-on-weak-chip") return value("flops_fp64") > 0;
        if (code == "unfused-multiply-add")
            return (executed("fadd") > 0 && executed("fmul") > 0) ||
                   (executed("dadd") > 0 && executed("dmul") > 0);
        if (code == "tensor-cores-idle") return value("tensor_instructions") == 0;
        if (code == "shared-load-bound") return value("shared_load_instructions") > 0;
        if (code == "host-memory-access") return value("duration_ns") > 0;
        return true;
    }
};

/// "tile" of "pad `tile[32][32]` to ...": the first name between backticks.
std::string firstName(const std::string& change) {
    const std::size_t open = change.find('`');
    if (open == std::string::npos) return {};
    std::size_t begin = open + 1;
    while (begin < change.size() && std::isalpha(static_cast<unsigned char>(change[begin])) == 0 &&
           change[begin] != '_' && change[begin] != '`')
        ++begin;
    std::size_t end = begin;
    while (end < change.size() &&
           (std::isalnum(static_cast<unsigned char>(change[end])) != 0 || change[end] == '_'))
        ++end;
    return change.substr(begin, end - begin);
}

bool isOfGlobal(std::string_view code) {
    return code == "uncoalesced-global-access" || code == "misaligned-global-access" ||
           code == "broadcast-load" || code == "redundant-warp-loads";
}

/// "float name[" between the line and the beginning of its function, which nothing but a brace begins a line
/// of: the array is no global memory.
bool isOwnArray(const std::string& text, unsigned line, const std::string& name) {
    std::istringstream lines(text);
    const std::regex declaration("(?:float|double|int|unsigned|char|short)\\s+" + name + "\\[");
    bool found = false;
    std::string each;
    for (unsigned at = 1; at <= line && std::getline(lines, each); ++at) {
        if (each.starts_with('}')) found = false;
        found = found || std::regex_search(each, declaration);
    }
    return found;
}

bool isInCode(const session::Session& session, session::LaunchIndex launch,
              const findings::FindingPlace& place) {
    const session::KernelCode* code = session.codeOf(session.launch(launch).kernel);
    return code != nullptr && std::ranges::any_of(code->lines, [&](const session::CodeLine& line) {
               return place.line > 0 ? line.line == place.line && session::fileOf(*code, line) == place.file
                                     : line.pc == place.pc;
           });
}

void checkPlaces(const diagnosis::Diagnosis& diagnosis, session::LaunchIndex launch,
                 const findings::Finding& finding) {
    const auto condition = kOfLine.find(finding.code);
    double share = 0;
    for (const findings::FindingPlace& place : finding.places) {
        INFO(place.place << ": " << place.what << "; " << place.change);
        share += place.share;
        CHECK((place.share > 0 && place.share <= kRounding));
        bool found = place.file.empty() && finding.code == "fp64-on-weak-chip";
        // What warps wait at is an instruction of the code, access or not.
        if (finding.code.starts_with("stall-")) found = isInCode(diagnosis.session(), launch, place);
        for (const LineCounts& line : diagnosis.lines(launch)) {
            const session::SourceFrame frame = session::userFrame(line);
            const bool here = place.file.empty() ? line.pc == place.pc
                                                 : frame.file == place.file && frame.line == place.line;
            found = found || (here && (condition == kOfLine.end() || condition->second(line)));
        }
        // Conversions are no accesses: they stand in the code alone.
        CHECK((found || finding.code == "fp64-on-weak-chip"));
        const std::string* text = diagnosis.session().sourceText(place.file);
        const std::string name = firstName(place.change);
        if (text != nullptr && !name.empty() && !place.change.starts_with("write ")) {
            INFO(name);
            // A call that is advised need not be there yet.
            CHECK((text->find(name) != std::string::npos || name.starts_with("__")));
            CHECK_FALSE((isOfGlobal(finding.code) && isOwnArray(*text, place.line, name)));
        }
    }
    CHECK(share <= kRounding);
}

} // namespace

std::size_t checkRecommendations(const session::Session& session) {
    const diagnosis::Diagnosis diagnosis(session);
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const session::LaunchIndex launch{i};
        const OfLaunch of{diagnosis.metrics(), launch};
        double last = 1e300;
        for (const findings::Finding& finding : diagnosis.findings(launch)) {
            INFO("launch " << i << ", " << diagnosis.label(launch) << ", " << finding.code << ": "
                           << finding.evidence);
            ++count;
            CHECK(of.holds(finding.code));
            const double gain = finding.gainNs.value_or(0);
            CHECK((!finding.gainNs || gain > 0));
            CHECK(gain <= of.metrics.value(launch, "duration_ns").value_or(0) * kRounding);
            CHECK(gain <= last);
            last = gain;
            checkPlaces(diagnosis, launch, finding);
        }
    }
    std::vector<double> groupNs(diagnosis.groups().size());
    for (std::uint32_t i = 0; i < session.launches().size(); ++i)
        groupNs[diagnosis.groupOf(session::LaunchIndex{i})] +=
            diagnosis.metrics().value(session::LaunchIndex{i}, "duration_ns").value_or(0);
    double last = 1e300;
    for (const view::Recommendation& each : view::recommendations(diagnosis)) {
        INFO(each.kernel << ": " << each.title);
        const double gain = each.item.gainNs.value_or(0);
        CHECK(gain <= last);
        last = gain;
        CHECK((each.item.share >= 0 && each.item.share <= 1));
        CHECK_FALSE(each.advice.empty());
        if (each.item.launch) CHECK(gain <= groupNs[diagnosis.groupOf(*each.item.launch)] * kRounding);
    }
    return count;
}

} // namespace dormer::tests
