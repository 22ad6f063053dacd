// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/stalls/producers.h"

#include "analysis/stalls/ptx_operands.h"

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

std::optional<std::size_t> ptxProducerOf(std::span<const session::CodeLine> code, std::size_t at,
                                         std::string_view state) {
    if (at >= code.size()) return std::nullopt;
    const bool isLong = state == "long_scoreboard", isShort = state == "short_scoreboard";
    if (!isLong && !isShort && state != "wait") return std::nullopt;
    const Latency wanted = isLong ? Latency::Long : isShort ? Latency::Short : Latency::Fixed;
    std::vector<std::string_view> reads = ptxOperands(code[at].text).reads;
    const auto isRead = [&](std::string_view name) { return std::ranges::find(reads, name) != reads.end(); };
    /// True when it is the one; else what it reads in place of what it hands on.
    const auto produces = [&](std::size_t i) {
        const PtxOperands operands = ptxOperands(code[i].text);
        if (std::ranges::none_of(operands.writes, isRead)) return false;
        if (isPassedThrough(operands.opcode)) {
            reads.insert(reads.end(), operands.reads.begin(), operands.reads.end());
            return false;
        }
        return ptxLatencyOf(operands.opcode) == wanted && !operands.opcode.starts_with("ld.param");
    };
    for (std::size_t i = at; i-- > 0;)
        if (produces(i)) return i;
    for (std::size_t i = code.size(); i-- > at;)
        if (produces(i)) return i;
    return std::nullopt;
}

} // namespace dormer::stalls
