// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/bulk/group_multiply.h"

#include "instrument/emulator/bulk/group_multiply_table.h"
#include "instrument/emulator/operations/operations.h"

#include <array>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

namespace dormer::emulator::bulk {

using instructions::Kind;

namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 9> kTypes = {{{"f16", Kind::F16},
                                                                      {"bf16", Kind::BF16},
                                                                      {"tf32", Kind::TF32},
                                                                      {"f32", Kind::F32},
                                                                      {"e4m3", Kind::E4M3},
                                                                      {"e5m2", Kind::E5M2},
                                                                      {"s8", Kind::S8},
                                                                      {"u8", Kind::U8},
                                                                      {"s32", Kind::S32}}};

bool isFloat8(Kind kind) {
    return kind == Kind::E4M3 || kind == Kind::E5M2;
}
bool isInteger8(Kind kind) {
    return kind == Kind::S8 || kind == Kind::U8;
}

bool belongTogether(const GroupShape& s) {
    switch (s.a) {
    case Kind::F16:
        return s.b == Kind::F16 && (s.d == Kind::F16 || s.d == Kind::F32);
    case Kind::BF16:
    case Kind::TF32:
        return s.b == s.a && s.d == Kind::F32;
    default:
        break;
    }
    if (isFloat8(s.a)) return isFloat8(s.b) && (s.d == Kind::F16 || s.d == Kind::F32);
    return isInteger8(s.a) && isInteger8(s.b) && s.d == Kind::S32;
}

/// "m64n128k16"
bool readShape(std::string_view word, unsigned& n, unsigned& k) {
    if (!word.starts_with("m64n")) return false;
    const char* const end = word.data() + word.size();
    const auto [afterN, wrongN] = std::from_chars(word.data() + 4, end, n);
    if (wrongN != std::errc{} || afterN == end || *afterN != 'k') return false;
    const auto [afterK, wrongK] = std::from_chars(afterN + 1, end, k);
    return wrongK == std::errc{} && afterK == end;
}

} // namespace

std::optional<GroupShape> groupShape(const ptx::Instruction& instruction) {
    GroupShape shape;
    unsigned n = 0, k = 0;
    std::vector<Kind> types;
    for (const std::string& word : instruction.modifiers) {
        if (word == "mma_async" || word == "sync" || word == "aligned") continue;
        if (word == "satfinite") {
            shape.flags |= GroupShape::kSaturates;
            continue;
        }
        bool known = readShape(word, n, k);
        for (const auto& [name, kind] : kTypes)
            if (word == name) {
                types.push_back(kind);
                known = true;
            }
        if (!known) return std::nullopt;
    }
    if (types.size() != 3 || n < 8 || n > 256 || n % 8 != 0) return std::nullopt;
    shape.columns = static_cast<std::uint16_t>(n);
    shape.d = types[0];
    shape.a = types[1];
    shape.b = types[2];
    if (!belongTogether(shape) || k != shape.depth()) return std::nullopt;
    return shape;
}

instructions::Handler groupMultiply(const GroupShape& shape) {
    return operations::machineInstructionSet() == operations::InstructionSet::Avx512
               ? v4::groupMultiplyHandler(shape)
               : v3::groupMultiplyHandler(shape);
}

} // namespace dormer::emulator::bulk
