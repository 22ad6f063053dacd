// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/stalls/kernel_stalls.h"

#include "analysis/session/kernel_code.h"
#include "analysis/stalls/producers.h"
#include "analysis/stalls/state_catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace dormer::stalls {

using session::WarpState;
using session::WarpStates;

std::string mainStallOf(const WarpStates& states) {
    const WarpState* most = nullptr;
    for (const WarpState& each : states.states)
        if (!isEligible(each.state) && each.samples > 0 && (most == nullptr || each.samples > most->samples))
            most = &each;
    return most != nullptr ? most->state : "";
}

namespace {

Place placeOf(const session::KernelCode& code, const session::CodeLine& line) {
    return {std::string(session::fileOf(code, line)), line.line};
}

/// PTX ends its instructions with a semicolon, which stands in the way of what is said of them.
std::string instructionText(const session::CodeLine& line) {
    return line.text.ends_with(';') ? line.text.substr(0, line.text.size() - 1) : line.text;
}

/// Without samples where the state was not seen.
WarpState find(const WarpStates& states, std::string_view state) {
    const auto at = std::ranges::find(states.states, state, &WarpState::state);
    return at != states.states.end() ? *at : WarpState{};
}

} // namespace

bool isModelled(const session::Session& session, std::size_t kernel) {
    return session.processes()[session.processOfKernel(kernel)].origin == session::Origin::Emulated;
}

std::size_t sampledAs(const session::Session& session, std::size_t kernel) {
    if (!session.hasWarpSamples() || !session.warpSamples(kernel).empty()) return kernel;
    const std::vector<session::Kernel>& kernels = session.kernels();
    for (std::size_t i = 0; i < kernels.size(); ++i)
        if (kernels[i].mangledName == kernels[kernel].mangledName && !session.warpSamples(i).empty() &&
            isModelled(session, i) == isModelled(session, kernel))
            return i;
    return kernel;
}

std::string placeText(const Place& place) {
    if (place.line == 0) return "(no line information)";
    return fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

std::uint64_t stalledSamples(const WarpStates& states) {
    std::uint64_t sum = 0;
    for (const WarpState& each : states.states)
        if (!isEligible(each.state)) sum += each.samples;
    return sum;
}

std::uint64_t issuedSamples(const WarpStates& states) {
    std::uint64_t sum = 0;
    for (const WarpState& each : states.states)
        if (issues(each.state)) sum += each.samples;
    return sum;
}

std::uint64_t samplesOf(const WarpStates& states, std::string_view state) {
    return find(states, state).samples;
}

std::uint64_t notIssuedOf(const WarpStates& states, std::string_view state) {
    return find(states, state).notIssued;
}

WarpStates kernelStates(const session::Session& session, std::size_t kernel) {
    WarpStates sum;
    for (const auto& [pc, states] : session.warpSamples(sampledAs(session, kernel)))
        sum.add(states);
    return sum;
}

KernelStalls kernelStalls(const session::Session& session, std::size_t kernel) {
    KernelStalls result;
    result.kernel = kernel;
    const std::size_t sampled = sampledAs(session, kernel);
    static const session::KernelCode kNotListed;
    const session::KernelCode* listed = session.codeOf(sampled);
    const session::KernelCode& code = listed != nullptr ? *listed : kNotListed;
    std::map<Place, LineStalls> lines;
    for (const auto& [pc, states] : session.warpSamples(sampled)) {
        InstructionStalls& each = result.instructions.emplace_back();
        each.pc = pc;
        each.states = states;
        each.mainStall = mainStallOf(states);
        // Labels have the pc of the instruction behind them.
        auto at = std::ranges::find(code.lines, pc, &session::CodeLine::pc);
        while (at != code.lines.end() && at->pc == pc && at->text.ends_with(':'))
            ++at;
        if (at != code.lines.end() && at->pc == pc) {
            each.text = instructionText(*at);
            each.place = placeOf(code, *at);
            const auto find = code.language == session::CodeLanguage::Ptx ? ptxProducerOf : producerOf;
            if (const auto producer =
                    find(code.lines, static_cast<std::size_t>(at - code.lines.begin()), each.mainStall)) {
                const session::CodeLine& line = code.lines[*producer];
                each.producer = {line.pc, instructionText(line), placeOf(code, line)};
            }
        }
        LineStalls& line = lines[each.place];
        line.states.add(states);
        line.instructions.push_back(result.instructions.size() - 1);
        result.states.add(states);
    }
    result.mainStall = mainStallOf(result.states);
    for (auto& [place, line] : lines) {
        line.place = place;
        line.mainStall = mainStallOf(line.states);
        std::ranges::stable_sort(line.instructions, std::greater{}, [&](std::size_t i) {
            return stalledSamples(result.instructions[i].states);
        });
        result.lines.push_back(std::move(line));
    }
    std::ranges::stable_sort(result.lines, std::greater{},
                             [](const LineStalls& line) { return stalledSamples(line.states); });
    return result;
}

const LineStalls* worstLine(const KernelStalls& kernel, std::string_view state) {
    const auto worst = std::ranges::max_element(
        kernel.lines, {}, [&](const LineStalls& line) { return samplesOf(line.states, state); });
    return worst != kernel.lines.end() && samplesOf(worst->states, state) > 0 ? &*worst : nullptr;
}

} // namespace dormer::stalls
