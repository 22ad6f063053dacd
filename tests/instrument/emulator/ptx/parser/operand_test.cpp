// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/ptx/parser/ptx_text.h"

using namespace dormer::emulator::ptx;

using namespace dormer::emulator::ptx::parser;
using namespace dormer::tests;
using Kind = Operand::Kind;
using Modifiers = std::vector<std::string>;

namespace {

constexpr const char* kRegisters = ".reg .pred %p<4>; .reg .b32 %r<10>; .reg .f32 %f<10>; .reg .b64 %rd<10>; "
                                   ".shared .align 4 .b8 tile[64]; .param .b32 p0;";

struct Parsed {
    Function function;
    [[nodiscard]] const Instruction& instruction() const { return function.body.at(0); }
    [[nodiscard]] const Operand& operand(std::size_t i) const { return instruction().operands.at(i); }
    [[nodiscard]] std::string reg(const Operand& o) const {
        return o.kind == Kind::Register || o.kind == Kind::Address ? function.registers.at(o.reg).name
                                                                   : "none";
    }
};

Parsed one(const std::string& text) {
    Parsed out{parsedBody(kRegisters + text)};
    CHECK(out.function.body.size() == 1);
    return out;
}

std::string operandRefusal(const std::string& text) {
    return refusal(".entry k() {" + (kRegisters + text) + "}");
}

} // namespace

TEST_CASE("opcodes split at their dots") {
    CHECK(one("ret;").instruction().opcode == "ret");
    CHECK(one("ld.global.nc.L1::no_allocate.v2.u32 {%r1, %r2}, [%rd1];").instruction().modifiers ==
          Modifiers{"global", "nc", "L1::no_allocate", "v2", "u32"});
    CHECK(one("cvt.rn.f32.s32 %f1, %r1;").instruction().modifiers == Modifiers{"rn", "f32", "s32"});
    CHECK(one("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, "
              "{%r5,%r6}, "
              "{%f1,%f2,%f3,%f4};")
              .instruction()
              .modifiers.at(2) == "m16n8k16");
    const Parsed sync = one("bar.sync 0, 128;");
    CHECK(sync.operand(1).bits == 128);
}

TEST_CASE("guards are predicates, negated or not") {
    const Parsed plain = one("@%p1 bra L; L:");
    CHECK(plain.function.registers.at(plain.instruction().guard).name == "%p1");
    CHECK_FALSE(plain.instruction().guardNegated);
    CHECK(one("@!%p2 exit;").instruction().guardNegated);
    CHECK(one("exit;").instruction().guard == kNone);
    CHECK(operandRefusal("@%r1 exit;").find("no predicate") != std::string::npos);
    CHECK(operandRefusal("@%p9 exit;") == "PTX line 4: '%p9' is not declared");
}

TEST_CASE("operands of every kind") {
    const Parsed add = one("add.s32 %r1, %r2, -4;");
    CHECK(add.reg(add.operand(0)) == "%r1");
    CHECK(add.reg(add.operand(1)) == "%r2");
    CHECK(static_cast<std::int64_t>(add.operand(2).bits) == -4);

    const Parsed special = one("mov.u32 %r1, %tid.x;");
    CHECK(special.operand(1).kind == Kind::Special);
    CHECK(special.operand(1).name == "%tid.x");
    CHECK(one("mov.u32 %r1, WARP_SZ;").operand(1).kind == Kind::Special);
    CHECK(one("mov.u32 %r1, %envreg3;").operand(1).name == "%envreg3");

    const Parsed pair = one("setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;");
    CHECK(pair.operand(0).kind == Kind::Pair);
    CHECK(pair.reg(pair.operand(0).parts.at(1)) == "%p2");
    CHECK(pair.operand(3).negated);
    CHECK(one("setp.lt.s32 _|%p2, %r1, %r2;").operand(0).parts.at(0).kind == Kind::Sink);

    const Parsed unpack = one("mov.b64 {%r1, _}, %rd1;");
    CHECK(unpack.operand(0).kind == Kind::Vector);
    CHECK(unpack.operand(0).parts.at(1).kind == Kind::Sink);
    CHECK(one("mul.f32 %f1, %f2, 0f3F000000;").operand(2).kind == Kind::Float32);

    const Parsed symbol = one("mov.u32 %r1, tile+8;");
    CHECK(symbol.operand(1).kind == Kind::Symbol);
    CHECK(symbol.operand(1).name == "tile");
    CHECK(symbol.operand(1).offset == 8);
}

TEST_CASE("addresses have a register, a name or nothing as their base") {
    const Parsed plain = one("ld.global.f32 %f1, [%rd1];");
    CHECK(plain.operand(1).kind == Kind::Address);
    CHECK(plain.reg(plain.operand(1)) == "%rd1");
    CHECK(plain.operand(1).offset == 0);
    CHECK(one("ld.global.f32 %f1, [%rd1+16];").operand(1).offset == 16);
    CHECK(one("ld.global.f32 %f1, [%rd1+-16];").operand(1).offset == -16);
    CHECK(one("ld.global.f32 %f1, [%rd1-16];").operand(1).offset == -16);
    const Parsed named = one("st.shared.f32 [tile+(4+3)*4], %f1;");
    CHECK(named.operand(0).name == "tile");
    CHECK(named.operand(0).reg == kNone);
    CHECK(named.operand(0).offset == 28);
    const Parsed absolute = one("ld.global.f32 %f1, [256];");
    CHECK(absolute.operand(1).offset == 256);
    CHECK(absolute.operand(1).name.empty());
    const Parsed texture = one("tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd4, {%f5, %f6}];");
    CHECK(texture.reg(texture.operand(1)) == "%rd4");
    REQUIRE(texture.operand(1).parts.size() == 2);
    CHECK(texture.reg(texture.operand(1).parts[1]) == "%f6");
    const Parsed copy = one("cp.async.ca.shared.global [%r1], [%rd1+4], 16, 8;");
    CHECK(copy.operand(0).kind == Kind::Address);
    CHECK(copy.operand(3).bits == 8);
}

TEST_CASE("registers and names that nobody declared are refused") {
    CHECK(operandRefusal("add.s32 %r1, %r10, 1;") == "PTX line 4: '%r10' is not declared");
    CHECK(operandRefusal("add.s32 %r1, %r01, 1;") == "PTX line 4: '%r01' is not declared");
    CHECK(operandRefusal("add.s32 %r1, %nothing, 1;") == "PTX line 4: '%nothing' is not declared");
    CHECK(operandRefusal("\nbra nowhere;\n") == "PTX line 5: 'nowhere' is not declared");
    CHECK(operandRefusal("ld.shared.u32 %r1, [nowhere];") == "PTX line 4: 'nowhere' is not declared");
    CHECK(operandRefusal("mov.u32 %r1, tile.x;").find("','") == std::string::npos);
    CHECK(operandRefusal("add.s32 %r1, %r2 %r3;").find("'%r3' where ';' should come") != std::string::npos);
    CHECK(operandRefusal("add.s32 %r1, %r2,;").find("an operand") != std::string::npos);
    CHECK(operandRefusal("add..s32 %r1, %r2;").find("ends with a dot") != std::string::npos);
    CHECK(operandRefusal("mov.u32 %r1, !tile;").find("negation") != std::string::npos);
    CHECK(operandRefusal("ld.global.u32 %r1, [%rd1;").find("']'") != std::string::npos);
    CHECK(operandRefusal("mov.b32 %r1, \x01;").find("0x01") != std::string::npos);
}
