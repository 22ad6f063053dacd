// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/stalls/sass_operands.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace dormer::stalls {

namespace {

constexpr Register kPredicates = 256, kUniforms = 512, kUniformPredicates = 768;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == ';' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

bool isWordCharacter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

struct Named {
    Register first = 0;
    bool pair = false; ///< ".64" follows
};

/// The registers a text names: "[R4.64+UR6]", "!P1", "-R3.reuse".
std::vector<Named> registersIn(std::string_view text) {
    std::vector<Named> found;
    for (std::size_t at = 0; at < text.size();) {
        if (!isWordCharacter(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && isWordCharacter(text[end]))
            ++end;
        const std::string_view word = text.substr(at, end - at);
        at = end;
        Register base = 0;
        std::string_view digits;
        if (word.starts_with("UR")) {
            base = kUniforms;
            digits = word.substr(2);
        } else if (word.starts_with("UP")) {
            base = kUniformPredicates;
            digits = word.substr(2);
        } else if (word.starts_with("R")) {
            digits = word.substr(1);
        } else if (word.starts_with("P")) {
            base = kPredicates;
            digits = word.substr(1);
        }
        Register number = 0;
        const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (digits.empty() || error != std::errc() || rest != digits.data() + digits.size() || number > 254)
            continue; // RZ, PT, a special register or a constant
        const std::string_view behind = text.substr(end);
        found.push_back({base + number, behind.starts_with(".64")});
    }
    return found;
}

std::vector<std::string_view> operandsOf(std::string_view text) {
    std::vector<std::string_view> operands;
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || (text[i] == ',' && depth == 0)) {
            if (const std::string_view operand = trimmed(text.substr(from, i - from)); !operand.empty())
                operands.push_back(operand);
            from = i + 1;
        } else if (text[i] == '[' || text[i] == '{') {
            ++depth;
        } else if (text[i] == ']' || text[i] == '}') {
            --depth;
        }
    }
    return operands;
}

bool starts(std::string_view opcode, std::initializer_list<std::string_view> names) {
    const std::string_view first = opcode.substr(0, opcode.find('.'));
    return std::ranges::find(names, first) != names.end();
}

bool has(std::string_view opcode, std::string_view suffix) {
    for (std::size_t at = opcode.find(suffix); at != std::string_view::npos;
         at = opcode.find(suffix, at + 1)) {
        const std::size_t end = at + suffix.size();
        if (end == opcode.size() || opcode[end] == '.') return true;
    }
    return false;
}

/// Consecutive registers that the data of a memory access, or a wide result, takes.
unsigned dataRegisters(std::string_view opcode) {
    if (starts(opcode, {"HMMA", "IMMA", "BMMA", "QMMA"})) return 4;
    if (has(opcode, ".128")) return 4;
    if (has(opcode, ".64") || has(opcode, ".WIDE") || starts(opcode, {"DADD", "DMUL", "DFMA", "DMMA"}))
        return 2;
    return 1;
}

bool isStore(std::string_view opcode) {
    return starts(opcode, {"ST", "STG", "STL", "STS", "RED", "REDG", "REDS", "SUST", "STAS", "UTMASTG"});
}

/// Writes predicates with its first operands only.
bool comparesOnly(std::string_view opcode) {
    return starts(opcode, {"ISETP", "FSETP", "DSETP", "HSETP2", "PLOP3", "R2P", "UISETP", "UPLOP3"});
}

bool writesNothing(std::string_view opcode) {
    return isStore(opcode) ||
           starts(opcode, {"BRA",   "BRX",       "JMP",    "EXIT",  "BAR",    "MEMBAR", "NOP",       "BSSY",
                           "BSYNC", "WARPSYNC",  "RET",    "CALL",  "ERRBAR", "DEPBAR", "LDGDEPBAR", "CCTL",
                           "YIELD", "NANOSLEEP", "LDGSTS", "BREAK", "SYNCS",  "FENCE",  "KILL"});
}

void add(std::vector<Register>& to, Register first, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        if (std::ranges::find(to, first + i) == to.end()) to.push_back(first + i);
}

} // namespace

SassOperands sassOperands(std::string_view instruction) {
    SassOperands result;
    std::string_view text = trimmed(instruction);
    if (text.empty() || text.ends_with(':') || text.front() == '.') return result;
    if (text.front() == '@') {
        const std::size_t end = std::min(text.find(' '), text.size());
        for (const Named& guard : registersIn(text.substr(1, end - 1)))
            add(result.reads, guard.first, 1);
        text = trimmed(text.substr(end));
    }
    const std::size_t end = std::min(text.find(' '), text.size());
    result.opcode = text.substr(0, end);
    const std::vector<std::string_view> operands = operandsOf(text.substr(end));
    const unsigned data = dataRegisters(result.opcode);
    std::size_t next = 0;
    if (!writesNothing(result.opcode)) {
        // Predicates that an instruction writes come first, before or after the register that it writes.
        bool wroteRegister = comparesOnly(result.opcode);
        for (; next < operands.size(); ++next) {
            const std::string_view operand = operands[next];
            const bool isPredicate = operand.starts_with('P') || operand.starts_with("UP");
            if (!isPredicate && wroteRegister) break;
            if (operand.find_first_of("[!-|~c") == 0) break;
            if (isPredicate && comparesOnly(result.opcode) && next >= 2) break;
            for (const Named& written : registersIn(operand))
                add(result.writes, written.first, isPredicate ? 1 : data);
            if (!isPredicate) wroteRegister = true;
        }
    }
    const bool wideSources = starts(result.opcode, {"DADD", "DMUL", "DFMA", "DSETP", "DMMA"});
    for (; next < operands.size(); ++next) {
        const bool isAddress = operands[next].find('[') != std::string_view::npos;
        for (const Named& read : registersIn(operands[next])) {
            unsigned count = read.pair || (isAddress && has(result.opcode, ".E")) || wideSources ? 2 : 1;
            if (!isAddress && isStore(result.opcode)) count = data;
            if (starts(result.opcode, {"HMMA", "IMMA", "BMMA", "QMMA"})) count = 4;
            add(result.reads, read.first, read.first >= kPredicates && read.first < kUniforms ? 1 : count);
        }
    }
    return result;
}

Latency latencyOf(std::string_view opcode) {
    if (starts(opcode, {"LDG", "LD", "LDL", "ATOM", "ATOMG", "TEX", "TLD", "TLD4", "TXD", "TMML", "TXQ",
                        "SULD", "SUATOM", "LDGSTS", "CCTL"}))
        return Latency::Long;
    if (starts(opcode, {"LDS",  "LDSM", "ATOMS", "MUFU",  "SHFL", "S2R",  "S2UR",   "LDC",   "I2F",  "F2I",
                        "F2F",  "I2I",  "FRND",  "POPC",  "FLO",  "BREV", "MATCH",  "VOTE",  "R2UR", "REDUX",
                        "DADD", "DMUL", "DFMA",  "DSETP", "B2R",  "CS2R", "ISBERD", "SYNCS", "AL2P", "MOVM"}))
        return Latency::Short;
    return Latency::Fixed;
}

} // namespace dormer::stalls
