// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/stalls/ptx_operands.h"

#include <algorithm>
#include <array>

namespace dormer::stalls {

namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t;";
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

bool isNameCharacter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

void addRegisters(std::vector<std::string_view>& to, std::string_view text) {
    for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at)) {
        std::size_t end = at + 1;
        while (end < text.size() && isNameCharacter(text[end]))
            ++end;
        const std::string_view name = text.substr(at, end - at);
        if (std::ranges::find(to, name) == to.end()) to.push_back(name);
        at = end;
    }
}

std::string_view firstWord(std::string_view opcode) {
    return opcode.substr(0, opcode.find('.'));
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

bool has(std::string_view opcode, std::string_view part) {
    return opcode.find(part) != std::string_view::npos;
}

bool writesNothing(std::string_view opcode) {
    return isOneOf(firstWord(opcode), {"st",       "red",          "bra",   "brx",       "bar",
                                       "barrier",  "ret",          "exit",  "membar",    "fence",
                                       "prefetch", "prefetchu",    "cp",    "trap",      "call",
                                       "sust",     "sured",        "wgmma", "nanosleep", "griddepcontrol",
                                       "discard",  "applypriority"});
}

} // namespace

PtxOperands ptxOperands(std::string_view instruction) {
    PtxOperands result;
    std::string_view text = trimmed(instruction);
    if (text.empty() || text.ends_with(':') || isOneOf(text.substr(0, 1), {".", "{", "}", "/", "("}))
        return result;
    if (text.front() == '@') {
        const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
        addRegisters(result.reads, text.substr(0, end));
        text = trimmed(text.substr(end));
    }
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    result.opcode = text.substr(0, end);
    std::string_view rest = text.substr(end);
    if (!writesNothing(result.opcode)) {
        // The first operand is what it writes: a register, two by "|", or several in braces.
        std::size_t comma = 0;
        for (int depth = 0; comma < rest.size() && (rest[comma] != ',' || depth > 0); ++comma)
            depth += rest[comma] == '{' ? 1 : rest[comma] == '}' ? -1 : 0;
        addRegisters(result.writes, rest.substr(0, comma));
        rest = rest.substr(comma);
    }
    addRegisters(result.reads, rest);
    return result;
}

Latency ptxLatencyOf(std::string_view opcode) {
    const std::string_view word = firstWord(opcode);
    if (isOneOf(word, {"tex", "tld4", "suld"})) return Latency::Long;
    if (isOneOf(word, {"ld", "ldu", "atom"})) {
        if (has(opcode, ".param")) return Latency::Fixed;
        return has(opcode, ".shared") || has(opcode, ".const") ? Latency::Short : Latency::Long;
    }
    if (isOneOf(word, {"shfl", "vote", "match", "redux", "ldmatrix", "movmatrix", "sin", "cos", "ex2", "lg2",
                       "tanh", "rcp", "rsqrt", "sqrt", "popc", "clz", "bfind", "brev"}))
        return Latency::Short;
    if (word == "div" && has(opcode, ".f")) return Latency::Short;
    if (word == "cvt") return has(opcode, ".f") || has(opcode, ".bf") ? Latency::Short : Latency::Fixed;
    return Latency::Fixed;
}

bool isPassedThrough(std::string_view opcode) {
    return isOneOf(firstWord(opcode), {"mov", "cvta"}) ||
           isOneOf(opcode, {"cvt.u64.u32", "cvt.s64.s32", "cvt.u32.u64", "add.s64", "mul.wide.u32",
                            "mul.wide.s32", "shl.b64"});
}

} // namespace dormer::stalls
