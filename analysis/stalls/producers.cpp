// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/stalls/producers.h"

#include "analysis/stalls/sass_operands.h"

#include <algorithm>

namespace dormer::stalls {

namespace {

constexpr std::uint64_t kInstructionBytes = 16; // since Volta

bool isInstruction(const session::CodeLine& line) {
    return !sassOperands(line.text).opcode.empty();
}

} // namespace

std::optional<std::size_t> producerOf(std::span<const session::CodeLine> code, std::size_t at,
                                      std::string_view state) {
    if (at >= code.size()) return std::nullopt;
    if (state == "wait") {
        for (std::size_t i = at; i-- > 0;) // a listing may hold a part of the code only
            if (isInstruction(code[i]))
                return code[i].pc + kInstructionBytes == code[at].pc ? std::optional(i) : std::nullopt;
        return std::nullopt;
    }
    if (state != "long_scoreboard" && state != "short_scoreboard") return std::nullopt;
    const Latency wanted = state == "long_scoreboard" ? Latency::Long : Latency::Short;
    const std::vector<Register> reads = sassOperands(code[at].text).reads;
    const auto produces = [&](std::size_t i) {
        const SassOperands operands = sassOperands(code[i].text);
        return latencyOf(operands.opcode) == wanted &&
               std::ranges::any_of(operands.writes, [&](Register written) {
                   return std::ranges::find(reads, written) != reads.end();
               });
    };
    for (std::size_t i = at; i-- > 0;)
        if (produces(i)) return i;
    for (std::size_t i = code.size(); i-- > at;)
        if (produces(i)) return i;
    return std::nullopt;
}

} // namespace dormer::stalls
