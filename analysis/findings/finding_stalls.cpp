// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"
#include "analysis/metrics/format.h"
#include "analysis/stalls/kernel_stalls.h"
#include "analysis/stalls/state_catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dormer::findings {

namespace {

/// Of the time; what costs less is not worth a line.
constexpr double kWorthwhile = 0.1;
constexpr std::size_t kMostPlaces = 10;

bool isOneOf(std::string_view state, std::initializer_list<std::string_view> states) {
    return std::ranges::find(states, state) != states.end();
}

/// True where warps wait for the very resource that bounds the launch: the verdict says it, and waiting less
/// would not make it faster.
bool followsFromBound(const verdict::Verdict& verdict, std::string_view state) {
    switch (verdict.bound) {
    case verdict::Bound::Unknown:
    case verdict::Bound::Latency:
        return false;
    case verdict::Bound::Memory:
        return verdict.resource == device::Resource::Shared
                   ? isOneOf(state, {"mio_throttle", "short_scoreboard"})
                   : isOneOf(state, {"long_scoreboard", "lg_throttle", "tex_throttle", "drain", "membar"});
    case verdict::Bound::Compute:
        return isOneOf(state, {"math_pipe_throttle", "gmma"});
    case verdict::Bound::Balanced:
        return !isOneOf(state, {"barrier", "branch_resolving", "no_instructions", "sleeping", "imc_miss"});
    }
    return false;
}

/// "LDG.E R2, [R4.64]: 46 % of it, for LDG.E R8, [R6.64] at a.cu:31" of the line's most stalled instruction.
std::string placeEvidence(const stalls::KernelStalls& kernel, const stalls::LineStalls& line,
                          std::string_view state, double share) {
    const auto worst = std::ranges::max_element(line.instructions, {}, [&](std::size_t i) {
        return stalls::notIssuedOf(kernel.instructions[i].states, state);
    });
    const stalls::InstructionStalls& instruction = kernel.instructions[*worst];
    std::string text = metrics::forPeople(share, metrics::Unit::Ratio) + " of it";
    if (!instruction.text.empty()) text = instruction.text + ": " + text;
    if (instruction.producer && instruction.mainStall == state) {
        text += ", for " + instruction.producer->text;
        if (instruction.producer->place != line.place)
            text += " at " + stalls::placeText(instruction.producer->place);
    }
    return text;
}

std::vector<FindingPlace> placesOf(const stalls::KernelStalls& kernel, std::string_view state) {
    const auto all = static_cast<double>(stalls::notIssuedOf(kernel.states, state));
    std::vector<FindingPlace> places;
    for (const stalls::LineStalls& line : kernel.lines) {
        const double share = static_cast<double>(stalls::notIssuedOf(line.states, state)) / all;
        if (share < kNegligible) continue;
        FindingPlace& place = places.emplace_back();
        place.file = line.place.file;
        place.line = line.place.line;
        place.pc = kernel.instructions[line.instructions.front()].pc;
        place.place = stalls::placeText(line.place);
        place.what = placeEvidence(kernel, line, state, share);
        place.share = share;
    }
    std::ranges::stable_sort(places, std::greater{}, &FindingPlace::share);
    places.resize(std::min(places.size(), kMostPlaces));
    return places;
}

/// The scheduler has nothing to issue in this share of the time because of the state. Without it, the launch
/// is faster by that at most, and by no more than until its busiest resource is at its ceiling. Absent where
/// nothing is known of these.
std::optional<double> gainOf(const FindingContext& c, double share) {
    const auto duration = c.value("duration_ns");
    if (!duration || c.verdict.bound == verdict::Bound::Unknown) return std::nullopt;
    double busiest = 0;
    for (const auto& used : c.verdict.utilization)
        busiest = std::max(busiest, used.value_or(0));
    return *duration * std::min(share, std::max(0.0, 1 - busiest));
}

/// A model tells what warps wait for, but not as well as counts tell what bounds a launch; and where there
/// are too few blocks for the GPU, every wait shows.
bool isLatencyOfWarps(const verdict::Verdict& verdict) {
    return verdict.bound == verdict::Bound::Latency &&
           (verdict.reason == verdict::LatencyReason::DependencyStalls ||
            verdict.reason == verdict::LatencyReason::LowOccupancy);
}

/// Faults that make warps wait in a state: who mends them waits less.
std::span<const FindingKind> faultsBehind(std::string_view state) {
    using enum FindingKind;
    static constexpr std::array kFar{UncoalescedAccess, MisalignedAccess, BroadcastLoads, RedundantLanes,
                                     LocalArrays,       LocalSpills,      HostMemory,     NarrowLoads,
                                     SameForAllWarps,   GlobalAtomics,    GridBarriers};
    static constexpr std::array kNear{BankConflicts, SharedLoads, SharedAtomics, ConstantLoads};
    static constexpr std::array kBarriers{GridBarriers};
    if (isOneOf(state, {"long_scoreboard", "lg_throttle"})) return kFar;
    if (isOneOf(state, {"mio_throttle", "short_scoreboard"})) return kNear;
    if (isOneOf(state, {"barrier", "membar"})) return kBarriers;
    return {};
}

/// True where waiting less would save little, since some resource is busy; where mending a fault that was
/// found before saves half as much or more; or where a fault that makes warps wait so stands at the lines
/// that wait, or at those whose results they wait for.
bool isExplained(const FindingContext& c, const stalls::KernelStalls& kernel, std::string_view state,
                 std::optional<double> gain) {
    constexpr double kMost = 0.5;
    if (gain.value_or(0) < kWorthwhile * c.value("duration_ns").value_or(0)) return true;
    for (const Finding& fault : c.out) {
        if (fault.code.starts_with("stall-")) continue;
        if (fault.gainNs.value_or(0) >= kMost * gain.value_or(0)) return true;
        if (std::ranges::none_of(faultsBehind(state), [&](FindingKind kind) {
                return findingCatalogue()[static_cast<std::size_t>(kind)].code == fault.code;
            }))
            continue;
        const auto isThere = [&](const stalls::Place& place) {
            return std::ranges::any_of(fault.places, [&](const FindingPlace& each) {
                return each.line == place.line && each.file == place.file;
            });
        };
        std::uint64_t there = 0;
        for (const stalls::InstructionStalls& each : kernel.instructions)
            if (isThere(each.place) || (each.producer && isThere(each.producer->place)))
                there += stalls::notIssuedOf(each.states, state);
        if (static_cast<double>(there) >=
            kMost * static_cast<double>(stalls::notIssuedOf(kernel.states, state)))
            return true;
    }
    return false;
}

} // namespace

void checkStalls(const FindingContext& c) {
    const session::Session& session = c.metrics.session();
    if (!session.hasWarpSamples()) return;
    const std::size_t kernelIndex = session.launch(c.launch).kernel;
    const session::WarpStates sum = stalls::kernelStates(session, kernelIndex);
    if (sum.samples() < stalls::kFewestSamples) return;
    // A launch that is over before it is under way waits for that.
    if (const auto duration = c.value("duration_ns"); duration && *duration < verdict::kTooShortNs) return;
    const bool isModelled = stalls::isModelled(session, kernelIndex);
    if (isModelled && !isLatencyOfWarps(c.verdict)) return;
    const auto all = static_cast<double>(sum.samples());
    const stalls::KernelStalls kernel = stalls::kernelStalls(session, kernelIndex);
    for (const session::WarpState& each : sum.states) {
        const FindingText* text = findStall(each.state);
        const double share = static_cast<double>(each.notIssued) / all;
        if (text == nullptr || share < kWorthwhile || followsFromBound(c.verdict, each.state)) continue;
        const std::optional<double> gain = gainOf(c, share);
        if (isModelled && isExplained(c, kernel, each.state, gain)) continue;
        const stalls::StateText* state = stalls::findState(each.state);
        c.add(text->kind,
              fmt::format("In {} of {} {}samples no instruction issues, and the warp {}",
                          metrics::forPeople(share, metrics::Unit::Ratio),
                          metrics::forPeople(all, metrics::Unit::Count), isModelled ? "modelled " : "",
                          state->meaning),
              gain, placesOf(kernel, each.state));
    }
}

} // namespace dormer::findings
