// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/atomic_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

namespace dormer::findings {

namespace {

using Operation = AtomicKind::Operation;
using Type = AtomicKind::Type;

/// Parts between dots in lower case, of the instruction's first word.
std::vector<std::string> partsOf(std::string_view instruction) {
    std::vector<std::string> parts(1);
    for (const char c : instruction.substr(0, instruction.find_first_of(" ;"))) {
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return parts;
}

} // namespace

AtomicKind atomicKindOf(std::string_view instruction) {
    static constexpr std::pair<std::string_view, Operation> kOperations[] = {
        {"add", Operation::Add},       {"min", Operation::Min},
        {"max", Operation::Max},       {"and", Operation::And},
        {"or", Operation::Or},         {"xor", Operation::Xor},
        {"inc", Operation::Wrap},      {"dec", Operation::Wrap},
        {"exch", Operation::Exchange}, {"cas", Operation::CompareAndSwap},
        {"popc", Operation::Add}};
    static constexpr std::pair<std::string_view, Type> kTypes[] = {
        {"f32", Type::Float},     {"f64", Type::Double},   {"f16", Type::Half},      {"f16x2", Type::Half},
        {"bf16", Type::Half},     {"bf16x2", Type::Half},  {"u32", Type::Integer32}, {"s32", Type::Integer32},
        {"b32", Type::Integer32}, {"32", Type::Integer32}, {"u64", Type::Integer64}, {"s64", Type::Integer64},
        {"b64", Type::Integer64}, {"64", Type::Integer64}};
    AtomicKind kind;
    const std::vector<std::string> parts = partsOf(instruction);
    for (const std::string& part : parts) {
        if (const auto* at =
                std::ranges::find(kOperations, part, &std::pair<std::string_view, Operation>::first);
            at != std::end(kOperations) && kind.operation == Operation::Unknown)
            kind.operation = at->second;
        if (const auto* at = std::ranges::find(kTypes, part, &std::pair<std::string_view, Type>::first);
            at != std::end(kTypes) && kind.type == Type::Unknown)
            kind.type = at->second;
    }
    // Machine code names no type for 32-bit integers.
    const bool machine =
        !instruction.empty() && std::isupper(static_cast<unsigned char>(instruction[0])) != 0;
    if (machine && kind.type == Type::Unknown && kind.operation != Operation::Unknown)
        kind.type = Type::Integer32;
    return kind;
}

bool AtomicKind::combines() const {
    return operation != Operation::Unknown && operation != Operation::Exchange &&
           operation != Operation::CompareAndSwap && operation != Operation::Wrap && type != Type::Unknown;
}

bool AtomicKind::isCount() const {
    return operation == Operation::Add && (type == Type::Integer32 || type == Type::Integer64);
}

std::string AtomicKind::name() const {
    static constexpr std::string_view kNames[] = {
        "unknown operations", "additions",         "minima",         "maxima", "ands", "ors", "xors",
        "exchanges",          "compare-and-swaps", "wrapping counts"};
    static constexpr std::string_view kOf[] = {"",       "32-bit integer ", "64-bit integer ",
                                               "float ", "double ",         "half "};
    const std::string_view name = kNames[static_cast<std::size_t>(operation)];
    return combines() ? fmt::format("{}{}", kOf[static_cast<std::size_t>(type)], name) : std::string(name);
}

std::string AtomicKind::combination() const {
    static constexpr std::string_view kReduce[] = {"", "add", "min", "max", "and", "or", "xor"};
    const std::string_view verb = operation == Operation::Add ? "add them up" : "combine them";
    if (type == Type::Integer32)
        return fmt::format("{} with __reduce_{}_sync", verb, kReduce[static_cast<std::size_t>(operation)]);
    return fmt::format("{} with __shfl_down_sync", verb);
}

} // namespace dormer::findings
