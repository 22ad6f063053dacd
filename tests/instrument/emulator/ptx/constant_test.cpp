// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/ptx/parser/ptx_text.h"

#include <bit>
#include <cstdint>

using namespace dormer::emulator::ptx;

using namespace dormer::emulator::ptx::parser;
using namespace dormer::tests;

namespace {

Operand constant(const std::string& text) {
    const Function f = parsedBody(".reg .b64 %x; mov.b64 %x, " + text + ";");
    return f.body.at(0).operands.at(1);
}

std::int64_t integer(const std::string& text) {
    const Operand operand = constant(text);
    CAPTURE(text);
    CHECK(operand.kind == Operand::Kind::Integer);
    return static_cast<std::int64_t>(operand.bits);
}

std::string constantRefusal(const std::string& text) {
    return refusal(".entry k() { .reg .b64 %x; mov.b64 %x, " + text + "; }");
}

} // namespace

TEST_CASE("integer literals have four bases and a suffix") {
    CHECK(integer("0") == 0);
    CHECK(integer("42") == 42);
    CHECK(integer("0x2A") == 0x2A);
    CHECK(integer("0XfF") == 255);
    CHECK(integer("052") == 052);
    CHECK(integer("0b101010") == 0b101010);
    CHECK(integer("42U") == 42);
    CHECK(integer("-1") == -1);
    CHECK(integer("-9223372036854775808") == INT64_MIN);
    CHECK(integer("0xFFFFFFFFFFFFFFFF") == -1);
    CHECK(constant("18446744073709551615").bits == UINT64_MAX);
    CHECK(constantRefusal("18446744073709551616").find("fits 64 bits") != std::string::npos);
    CHECK(constantRefusal("08").find("base 8") != std::string::npos);
    CHECK(constantRefusal("0x") != "");
}

TEST_CASE("floating-point literals keep their bits") {
    const Operand single = constant("0f3FC00000");
    CHECK(single.kind == Operand::Kind::Float32);
    CHECK(single.bits == std::bit_cast<std::uint32_t>(1.5F));
    const Operand negated = constant("-0f3FC00000");
    CHECK(negated.bits == std::bit_cast<std::uint32_t>(-1.5F));
    const Operand full = constant("0d3FF8000000000000");
    CHECK(full.kind == Operand::Kind::Float64);
    CHECK(full.bits == std::bit_cast<std::uint64_t>(1.5));
    for (const auto& [text, value] : {std::pair("1.5", 1.5), {"-2.25e-3", -2.25e-3}, {"1e5", 1e5}}) {
        const Operand decimal = constant(text);
        CHECK(decimal.kind == Operand::Kind::Float64);
        CHECK(decimal.bits == std::bit_cast<std::uint64_t>(value));
    }
    CHECK(constantRefusal("0f3FC0000").find("eight") != std::string::npos);
    CHECK(constantRefusal("0d3FF80000").find("sixteen") != std::string::npos);
}

// The host's own arithmetic is the answer: PTX's operators are C's.
TEST_CASE("constant expressions follow C") {
    CHECK(integer("(4+3)*2") == (4 + 3) * 2);
    CHECK(integer("4+3*2-1") == 4 + 3 * 2 - 1);
    CHECK(integer("10-4-3") == 10 - 4 - 3);
    CHECK(integer("-7/2") == -7 / 2);
    CHECK(integer("-7%4") == -7 % 4);
    CHECK(integer("1<<4|3&6^5") == (1 << 4 | ((3 & 6) ^ 5)));
    CHECK(integer("~0x0F") == ~0x0F);
    CHECK(integer("!5+!0") == 1);
    CHECK(integer("-16>>2") == -4);
    CHECK(integer("(.u64)-16>>60") == 15);
    CHECK(integer("1<<64") == 0);
    CHECK(integer("3<4") == 1);
    CHECK(integer("-1<1U") == 0);
    CHECK(integer("2>=3") == 0);
    CHECK(integer("1 ? 2 : 3") == 2);
    CHECK(integer("0 || 2 && 0 ? 2 : 3") == 3);
    CHECK(integer("(.s64)(1U)") == 1);
    CHECK(integer("(0-9223372036854775807-1)/-1") == INT64_MIN);
    CHECK(constantRefusal("1/0").find("divides by zero") != std::string::npos);
    CHECK(constantRefusal("1%0").find("divides by zero") != std::string::npos);
    CHECK(constantRefusal("1+0f3F800000").find("floating-point") != std::string::npos);
}

TEST_CASE("nested expressions have a limit") {
    CHECK(integer(std::string(20, '(') + "1" + std::string(20, ')')) == 1);
    CHECK(constantRefusal(std::string(100'000, '(') + "1").find("nested too deeply") != std::string::npos);
    CHECK(constantRefusal(std::string(100'000, '-') + "1").find("nested too deeply") != std::string::npos);
    std::string ternaries = "0";
    for (int i = 0; i < 1000; ++i)
        ternaries += "?1:0";
    CHECK(constantRefusal(ternaries).find("nested too deeply") != std::string::npos);
}
