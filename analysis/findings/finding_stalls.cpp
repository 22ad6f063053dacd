// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"
#include "analysis/metrics/format.h"
#include "analysis/stalls/kernel_stalls.h"
#include "analysis/stalls/state_catalogue.h"

#include <fmt/format.h>

#include <algorithm>

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

} // namespace

void checkStalls(const FindingContext& c) {
    const session::Session& session = c.metrics.session();
    if (!session.hasWarpSamples()) return;
    const std::size_t kernelIndex = session.launch(c.launch).kernel;
    const session::WarpStates sum = stalls::kernelStates(session, kernelIndex);
    if (sum.samples() < stalls::kFewestSamples) return;
    const auto all = static_cast<double>(sum.samples());
    const stalls::KernelStalls kernel = stalls::kernelStalls(session, kernelIndex);
    for (const session::WarpState& each : sum.states) {
        const FindingText* text = findStall(each.state);
        const double share = static_cast<double>(each.notIssued) / all;
        if (text == nullptr || share < kWorthwhile || followsFromBound(c.verdict, each.state)) continue;
        const stalls::StateText* state = stalls::findState(each.state);
        c.add(text->kind,
              fmt::format("In {} of {} {}samples no instruction issues, and the warp {}",
                          metrics::forPeople(share, metrics::Unit::Ratio),
                          metrics::forPeople(all, metrics::Unit::Count),
                          stalls::isModelled(session, kernelIndex) ? "modelled " : "", state->meaning),
              gainOf(c, share), placesOf(kernel, each.state));
    }
}

} // namespace dormer::findings
