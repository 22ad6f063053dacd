// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/instructions/fragment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

namespace dormer::emulator::instructions {
namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 11> kElements = {{
    {"f16", Kind::F16},
    {"bf16", Kind::BF16},
    {"tf32", Kind::TF32},
    {"f32", Kind::F32},
    {"f64", Kind::F64},
    {"s8", Kind::S8},
    {"u8", Kind::U8},
    {"s32", Kind::S32},
    {"e4m3", Kind::E4M3},
    {"e5m2", Kind::E5M2},
    {"u32", Kind::U32},
}};

Kind elementOf(std::string_view word) {
    const auto found = std::ranges::find(kElements, word, &std::pair<std::string_view, Kind>::first);
    return found == kElements.end() ? Kind::None : found->second;
}

/// "m16n8k16"
bool readShape(std::string_view word, FragmentShape& shape) {
    std::uint8_t* const targets[] = {&shape.m, &shape.n, &shape.k};
    const char* at = word.data();
    const char* const end = at + word.size();
    for (unsigned i = 0; i < 3; ++i) {
        if (at == end || *at != "mnk"[i]) return false;
        const auto [next, error] = std::from_chars(at + 1, end, *targets[i]);
        if (error != std::errc{}) return false;
        at = next;
    }
    return at == end;
}

bool isOneOf(const FragmentShape& s, unsigned m, unsigned n, unsigned k) {
    return s.m == m && s.n == n && s.k == k;
}

/// Shapes that PTX has for a type of A, sparse and sub-byte ones aside.
bool supported(const FragmentShape& s, Kind a) {
    if (s.wmma) {
        switch (a) {
        case Kind::F16:
        case Kind::BF16:
        case Kind::S8:
        case Kind::U8:
            return isOneOf(s, 16, 16, 16) || isOneOf(s, 32, 8, 16) || isOneOf(s, 8, 32, 16);
        case Kind::TF32:
            return isOneOf(s, 16, 16, 8);
        case Kind::F64:
            return isOneOf(s, 8, 8, 4);
        default:
            return false;
        }
    }
    switch (a) {
    case Kind::F16:
    case Kind::BF16:
        return isOneOf(s, 16, 8, 8) || isOneOf(s, 16, 8, 16);
    case Kind::TF32:
        return isOneOf(s, 16, 8, 4) || isOneOf(s, 16, 8, 8);
    case Kind::F64:
        return isOneOf(s, 8, 8, 4) || isOneOf(s, 16, 8, 4) || isOneOf(s, 16, 8, 8) || isOneOf(s, 16, 8, 16);
    case Kind::S8:
    case Kind::U8:
        return isOneOf(s, 8, 8, 16) || isOneOf(s, 16, 8, 16) || isOneOf(s, 16, 8, 32);
    case Kind::E4M3:
    case Kind::E5M2:
        return isOneOf(s, 16, 8, 16) || isOneOf(s, 16, 8, 32);
    default:
        return false;
    }
}

bool accumulates(Kind a, Kind c) {
    switch (a) {
    case Kind::F16:
        return c == Kind::F16 || c == Kind::F32;
    case Kind::E4M3:
    case Kind::E5M2:
        return c == Kind::F16 || c == Kind::F32;
    case Kind::BF16:
    case Kind::TF32:
        return c == Kind::F32;
    case Kind::F64:
        return c == Kind::F64;
    default:
        return c == Kind::S32;
    }
}

bool isByte(Kind kind) {
    return kind == Kind::S8 || kind == Kind::U8 || kind == Kind::E4M3 || kind == Kind::E5M2;
}

} // namespace

unsigned fragmentParts(const FragmentShape& shape) {
    if (isByte(shape.element)) return 4;
    return shape.element == Kind::F16 || shape.element == Kind::BF16 ? 2 : 1;
}

namespace {
/// Registers that hold each element once.
unsigned distinctRegisters(const FragmentShape& shape) {
    return shape.rows() * shape.columns() / (kLanes * fragmentParts(shape));
}
} // namespace

unsigned fragmentRegisters(const FragmentShape& shape) {
    const bool fixed = shape.wmma && shape.element == Kind::F16 && shape.matrix != FragmentMatrix::C;
    return fixed ? 8 : distinctRegisters(shape);
}

FragmentElement fragmentElement(const FragmentShape& shape, unsigned lane, unsigned reg, unsigned part) {
    // PTX ISA, "Matrix fragments for mma.*": lanes form 8 groups of 4; a register of A or B holds neighbours
    // along k, one of the accumulators neighbours along n.
    const unsigned group = lane / 4, inGroup = lane % 4, parts = fragmentParts(shape);
    const unsigned tileRows = shape.m % 16 == 0 ? 16 : 8, blocks = tileRows / 8;
    reg %= distinctRegisters(shape);
    switch (shape.matrix) {
    case FragmentMatrix::A: {
        const unsigned perTile = blocks * shape.k / (4 * parts), tile = reg / perTile, r = reg % perTile;
        return {tile * tileRows + group + 8 * (r % blocks), inGroup * parts + part + r / blocks * 4 * parts};
    }
    case FragmentMatrix::B: {
        const unsigned perTile = shape.k / (4 * parts), tile = reg / perTile, r = reg % perTile;
        return {inGroup * parts + part + r * 4 * parts, tile * 8 + group};
    }
    case FragmentMatrix::C:
        break;
    }
    const unsigned perTile = 2 * blocks, value = reg * parts + part, tile = value / perTile,
                   v = value % perTile;
    const unsigned tilesDown = shape.m / tileRows;
    return {tile % tilesDown * tileRows + group + 8 * (v / 2), tile / tilesDown * 8 + inGroup * 2 + v % 2};
}

std::optional<FragmentShape> wmmaFragment(const ptx::Instruction& instruction) {
    const auto& words = instruction.modifiers;
    if (instruction.opcode != "wmma" || words.size() < 2) return std::nullopt;
    FragmentShape shape;
    shape.wmma = true;
    const bool store = words[0] == "store";
    if (!store && words[0] != "load") return std::nullopt;
    if (words[1] == "a")
        shape.matrix = FragmentMatrix::A;
    else if (words[1] == "b")
        shape.matrix = FragmentMatrix::B;
    else if (words[1] == (store ? "d" : "c"))
        shape.matrix = FragmentMatrix::C;
    else
        return std::nullopt;
    for (std::size_t i = 2; i < words.size(); ++i) {
        if (words[i] == "row" || words[i] == "col")
            shape.rowMajor = words[i] == "row";
        else if (const Kind element = elementOf(words[i]); element != Kind::None)
            shape.element = element;
        else if (words[i].starts_with('m') && !readShape(words[i], shape))
            return std::nullopt;
    }
    if (shape.matrix != FragmentMatrix::C)
        return supported(shape, shape.element) ? std::optional(shape) : std::nullopt;
    // The accumulators' type does not say what multiplies; the shape must fit one of those that could.
    for (const Kind a : {Kind::F16, Kind::BF16, Kind::TF32, Kind::F64, Kind::S8})
        if (accumulates(a, shape.element) && supported(shape, a)) return shape;
    return std::nullopt;
}

std::optional<MatrixOperation> matrixOperation(const ptx::Instruction& instruction) {
    const bool wmma = instruction.opcode == "wmma";
    if (!wmma && instruction.opcode != "mma") return std::nullopt;
    FragmentShape shape;
    shape.wmma = wmma;
    MatrixOperation op;
    std::vector<Kind> types;
    for (const std::string& word : instruction.modifiers) {
        if (word == "mma" || word == "sync" || word == "aligned" || word == "rn") continue;
        // In registers the layout is fixed; mma has one only, and wmma's words repeat what the loads said.
        if (word == "row" || word == "col") continue;
        if (word == "satfinite")
            op.saturate = true;
        else if (const Kind element = elementOf(word); element != Kind::None)
            types.push_back(element);
        else if (!readShape(word, shape))
            return std::nullopt;
    }
    if (types.size() == 2 && wmma) types = {types[0], Kind::F16, Kind::F16, types[1]};
    if (types.size() != 4) return std::nullopt;
    const auto with = [&](FragmentMatrix matrix, Kind element) {
        FragmentShape result = shape;
        result.matrix = matrix;
        result.element = element;
        return result;
    };
    op.d = with(FragmentMatrix::C, types[0]);
    op.a = with(FragmentMatrix::A, types[1]);
    op.b = with(FragmentMatrix::B, types[2]);
    op.c = with(FragmentMatrix::C, types[3]);
    const bool mixable =
        isByte(types[1]) && isByte(types[2]) &&
        (types[1] == Kind::S8 || types[1] == Kind::U8) == (types[2] == Kind::S8 || types[2] == Kind::U8);
    if (types[1] != types[2] && !mixable) return std::nullopt;
    if (!supported(shape, types[1]) || !accumulates(types[1], types[0]) || !accumulates(types[1], types[3]))
        return std::nullopt;
    const bool integer = types[0] == Kind::S32;
    if (op.saturate && !integer && !wmma) return std::nullopt;
    return op;
}

} // namespace dormer::emulator::instructions
