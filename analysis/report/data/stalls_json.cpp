// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/data/json_parts.h"
#include "analysis/report/data/json_values.h"
#include "analysis/stalls/kernel_stalls.h"

namespace dormer::report {

using nlohmann::json;

namespace {

json statesJson(const session::WarpStates& states) {
    json all = json::object();
    for (const session::WarpState& each : states.states)
        all[each.state] = {{"samples", each.samples}, {"not_issued", each.notIssued}};
    return all;
}

void addPlace(json& to, const stalls::Place& place) {
    to["file"] = jsonOrNull(place.file);
    to["line"] = place.line > 0 ? json(place.line) : json(nullptr);
}

json instructionJson(const stalls::InstructionStalls& instruction) {
    json one = {{"pc", instruction.pc},
                {"instruction", jsonOrNull(instruction.text)},
                {"main_stall", jsonOrNull(instruction.mainStall)},
                {"states", statesJson(instruction.states)},
                {"waits_for", nullptr}};
    addPlace(one, instruction.place);
    if (instruction.producer) {
        one["waits_for"] = {{"pc", instruction.producer->pc}, {"instruction", instruction.producer->text}};
        addPlace(one["waits_for"], instruction.producer->place);
    }
    return one;
}

} // namespace

json stallsJson(const session::Session& session) {
    json all = json::array();
    for (std::size_t i = 0; i < session.kernels().size(); ++i) {
        if (session.warpSamples(i).empty()) continue;
        const stalls::KernelStalls kernel = stalls::kernelStalls(session, i);
        json instructions = json::array();
        for (const stalls::InstructionStalls& each : kernel.instructions)
            instructions.push_back(instructionJson(each));
        all.push_back({{"process", session.processOfKernel(i)},
                       {"kernel", session.kernels()[i].name},
                       {"samples", kernel.states.samples()},
                       {"main_stall", jsonOrNull(kernel.mainStall)},
                       {"states", statesJson(kernel.states)},
                       {"instructions", std::move(instructions)}});
    }
    return all;
}

} // namespace dormer::report
