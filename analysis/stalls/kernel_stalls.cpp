// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/stalls/kernel_stalls.h"

#include "analysis/session/kernel_code.h"
#include "analysis/stalls/producers.h"
#include "analysis/stalls/state_catalogue.h"

#include <algorithm>
#include <map>

namespace dormer::stalls {

using session::WarpState;
using session::WarpStates;

namespace {

std::string mainStallOf(const WarpStates& states) {
    const WarpState* most = nullptr;
    for (const WarpState& each : states.states)
        if (!isEligible(each.state) && each.samples > 0 && (most == nullptr || each.samples > most->samples))
            most = &each;
    return most != nullptr ? most->state : "";
}

Place placeOf(const session::CodeLine& line) {
    return {std::string(line.file), line.line};
}

} // namespace

std::uint64_t stalledSamples(const WarpStates& states) {
    std::uint64_t sum = 0;
    for (const WarpState& each : states.states)
        if (!isEligible(each.state)) sum += each.samples;
    return sum;
}

std::uint64_t samplesOf(const WarpStates& states, std::string_view state) {
    const auto at = std::ranges::find(states.states, state, &WarpState::state);
    return at != states.states.end() ? at->samples : 0;
}

KernelStalls kernelStalls(const session::Session& session, std::size_t kernel) {
    KernelStalls result;
    result.kernel = kernel;
    const session::KernelCode* listed = session.codeOf(kernel);
    std::vector<session::CodeLine> code;
    if (listed != nullptr) code = session::codeLines(*listed);
    std::map<Place, LineStalls> lines;
    for (const auto& [pc, states] : session.warpSamples(kernel)) {
        InstructionStalls& each = result.instructions.emplace_back();
        each.pc = pc;
        each.states = states;
        each.mainStall = mainStallOf(states);
        // Labels have the pc of the instruction behind them.
        auto at = std::ranges::find(code, pc, &session::CodeLine::pc);
        while (at != code.end() && at->pc == pc && at->text.ends_with(':'))
            ++at;
        if (at != code.end() && at->pc == pc) {
            each.text = at->text;
            each.place = placeOf(*at);
            if (const auto producer =
                    producerOf(code, static_cast<std::size_t>(at - code.begin()), each.mainStall)) {
                const session::CodeLine& line = code[*producer];
                each.producer = {line.pc, std::string(line.text), placeOf(line)};
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

} // namespace dormer::stalls
