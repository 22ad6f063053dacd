// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/pattern/pattern_examples.h"

#include <array>
#include <charconv>
#include <string>

namespace dormer::ui::pattern {
namespace {

access::PatternQuestion global(std::string expression, access::AccessOp op = access::AccessOp::Load) {
    access::PatternQuestion question;
    question.expression = std::move(expression);
    question.op = op;
    return question;
}

access::PatternQuestion shared(std::string expression, std::int64_t row = 0, unsigned width = 4) {
    access::PatternQuestion question;
    question.expression = std::move(expression);
    question.shared = true;
    question.rowElements = row;
    question.widthBytes = width;
    return question;
}

access::PatternQuestion onlyWhere(std::string active, access::PatternQuestion question) {
    question.active = std::move(active);
    return question;
}

access::PatternQuestion of(unsigned width, access::PatternQuestion question) {
    question.widthBytes = width;
    return question;
}

} // namespace

std::span<const PatternExample> patternExamples() {
    using access::AccessOp;
    static const std::array kExamples{
        PatternExample{"neighbours, aligned", "4 sectors, all used", global("a[tid]")},
        PatternExample{"permuted within 128 bytes", "4 sectors: the order does not matter",
                       global("a[tid ^ 5]")},
        PatternExample{"offset −2 elements", "5 sectors, 80 % used", global("a[tid - 2]")},
        PatternExample{"offset −16 elements", "4 sectors, in two lines", global("a[tid - 16]")},
        PatternExample{"one address for all", "1 sector, 12.5 % used", global("a[0]")},
        PatternExample{"every second element", "8 sectors, half used", global("a[tid * 2]")},
        PatternExample{"one element of a structure", "16 sectors: stride of 4 elements",
                       global("a[tid * 4]")},
        PatternExample{"a column of a matrix", "32 sectors, 12.5 % used", global("a[tid * 1024 + bid]")},
        PatternExample{"scattered", "fully scattered (1 sector per lane)",
                       global("a[(tid * 7919) % 65536 * 8]")},
        PatternExample{"four at once", "16 sectors (ideal)", of(16, global("a[tid]"))},
        PatternExample{"half a warp stores", "2 sectors",
                       onlyWhere("lane < 16", global("a[tid]", access::AccessOp::Store))},
        PatternExample{"shared, neighbours", "1 wavefront", shared("s[tid]")},
        PatternExample{"shared, every second word", "2-way conflict", shared("s[tid * 2]")},
        PatternExample{"shared, odd stride", "no conflict", shared("s[tid * 3]")},
        PatternExample{"column of a tile", "32-way conflict", shared("tile[lane][0]", 32)},
        PatternExample{"column of a padded tile", "no conflict", shared("tile[lane][0]", 33)},
        PatternExample{"shared, one word for all", "a broadcast: 1 wavefront", shared("s[0]")},
        PatternExample{"shared, doubles", "by half-warps: 2 wavefronts (ideal)", shared("s[tid]", 0, 8)}};
    return kExamples;
}

std::span<const ElementType> elementTypes() {
    static constexpr std::array kTypes{ElementType{"char", 1},    ElementType{"half", 2},
                                       ElementType{"float", 4},   ElementType{"double", 8},
                                       ElementType{"float4", 16}, ElementType{"double4", 32}};
    return kTypes;
}

std::optional<session::Dim3> blockFromText(std::string_view text) {
    std::string packed;
    for (const char c : text)
        if (c != ' ') packed += c;
    std::array<std::uint32_t, 3> sizes{1, 1, 1};
    const char* at = packed.data();
    const char* const end = at + packed.size();
    for (std::uint32_t& size : sizes) {
        const auto parsed = std::from_chars(at, end, size);
        if (parsed.ec != std::errc{} || size == 0) return std::nullopt;
        at = parsed.ptr;
        if (at == end) return session::Dim3{sizes[0], sizes[1], sizes[2]};
        if (*at++ != 'x') return std::nullopt;
    }
    return std::nullopt;
}

std::string blockText(session::Dim3 block) {
    std::string text = std::to_string(block.x);
    if (block.y > 1 || block.z > 1) text += "x" + std::to_string(block.y);
    if (block.z > 1) text += "x" + std::to_string(block.z);
    return text;
}

} // namespace dormer::ui::pattern
