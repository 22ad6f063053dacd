// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/ptx/parser/ptx_text.h"

#include <bit>
#include <cstring>

using namespace dormer::emulator::ptx;

using namespace dormer::emulator::ptx::parser;
using namespace dormer::tests;

namespace {

Variable variable(const std::string& text) {
    return parsed(text).variables.at(0);
}

template <typename T>
std::vector<T> values(const Variable& v) {
    std::vector<T> out(v.initial.size() / sizeof(T));
    std::memcpy(out.data(), v.initial.data(), out.size() * sizeof(T));
    return out;
}

} // namespace

TEST_CASE("variables have space, type, size and alignment") {
    const Variable x = variable(".visible .global .align 16 .v4 .f32 x[3];");
    CHECK(x.name == "x");
    CHECK(x.space == Space::Global);
    CHECK(x.type == Type::F32);
    CHECK(x.vector == 4);
    CHECK(x.bytes == 48);
    CHECK(x.alignment == 16);
    CHECK(x.initial.empty());
    CHECK(variable(".global .u64 p;").alignment == 8);
    CHECK(variable(".global .v2 .f32 p;").alignment == 8);
    CHECK(variable(".const .b8 c[7];").space == Space::Const);
    CHECK(variable(".global .attribute(.managed) .align 4 .u32 man;").isManaged);
    CHECK(variable(".global .b32 m[2][3];").bytes == 24);
    const Variable dynamic = variable(".extern .shared .align 16 .b8 dyn[];");
    CHECK(dynamic.isExtern);
    CHECK(dynamic.bytes == 0);
    CHECK(dynamic.alignment == 16);
    const Module two = parsed(".global .u32 a, b[2];");
    CHECK(two.variables.at(1).bytes == 8);
    CHECK(variable(".global .texref t;").type == Type::Opaque);
}

TEST_CASE("initialisers fill arrays as C does, the rest with zeros") {
    CHECK(values<std::uint32_t>(variable(".global .u32 g = 5;")) == std::vector<std::uint32_t>{5});
    CHECK(values<std::int16_t>(variable(".global .s16 g[4] = {-1, 0x7FFF};")) ==
          std::vector<std::int16_t>{-1, 0x7FFF, 0, 0});
    CHECK(values<int>(variable(".global .s32 g[2][3] = {{1, 2}, {4}};")) ==
          std::vector<int>{1, 2, 0, 4, 0, 0});
    CHECK(values<int>(variable(".global .s32 g[2][3] = {1, 2, 3, 4};")) ==
          std::vector<int>{1, 2, 3, 4, 0, 0});
    CHECK(values<int>(variable(".global .s32 g[] = {7, 8, 9};")) == std::vector<int>{7, 8, 9});
    CHECK(values<int>(variable(".global .s32 g[][2] = {{7}, {8, 9}};")) == std::vector<int>{7, 0, 8, 9});
    CHECK(values<float>(variable(".global .f32 g[3] = {0f3FC00000, 2.5, 3};")) ==
          std::vector<float>{1.5F, 2.5F, 3.0F});
    CHECK(values<double>(variable(".global .f64 g = 0d3F50624DD2F1A9FC;")) == std::vector<double>{1e-3});
    CHECK(values<float>(variable(".global .b32 g = 0f3FC00000;")) == std::vector<float>{1.5F});
}

// Lines as nvcc 13.0 writes them for int* gp1 = &g + 1, a function table and a packed structure.
TEST_CASE("initialisers hold addresses") {
    const Module m = parsed(R"(
.func (.param .b32 func_retval0) fa (.param .b32 fa_param_0);
.global .align 4 .u32 g = 5;
.global .align 8 .u64 gp1 = generic(g)+4;
.global .align 8 .u64 table[2] = {fa, g};
.global .align 1 .u8 packed[13] = {1, 0XFF(generic(g)), 0xFF00(generic(g)), 0xFF0000(generic(g)), 0xFF000000(generic(g)), 0xFF00000000(generic(g)), 0xFF0000000000(generic(g)), 0xFF000000000000(generic(g)), 0xFF00000000000000(generic(g)), 9};
)");
    const auto& pointer = m.variables.at(1).relocations;
    REQUIRE(pointer.size() == 1);
    CHECK(pointer[0].at == 0);
    CHECK(pointer[0].symbol == "g");
    CHECK(pointer[0].addend == 4);
    CHECK(pointer[0].generic);
    const auto& table = m.variables.at(2).relocations;
    REQUIRE(table.size() == 2);
    CHECK(table[0].symbol == "fa");
    CHECK_FALSE(table[0].generic);
    CHECK(table[1].at == 8);
    const Variable& packed = m.variables.at(3);
    REQUIRE(packed.relocations.size() == 1);
    CHECK(packed.relocations[0].at == 1);
    CHECK(packed.relocations[0].symbol == "g");
    CHECK(values<std::uint8_t>(packed).front() == 1);
    CHECK(values<std::uint8_t>(packed)[9] == 9);
}

TEST_CASE("a declaration and its definition are one variable") {
    const Module m = parsed(".extern .global .u32 a;\n.visible .global .u32 a = 3;\n.extern .global .u32 a;");
    REQUIRE(m.variables.size() == 1);
    CHECK_FALSE(m.variables[0].isExtern);
    CHECK(m.variables[0].initial.size() == 4);
}

TEST_CASE("wrong variables are refused with their line") {
    CHECK(refusal(".global .u32 a;\n.global .u32 a;") == "PTX line 5: 'a' is declared twice");
    CHECK(refusal(".global .u32 a[2] = {1, 2, 3};") ==
          "PTX line 4: an initialiser has more elements than the array");
    CHECK(refusal(".global .u32 a = {{1}};") != "");
    CHECK(refusal(".global .u32 a[2] = {{1}};").find("more braces") != std::string::npos);
    CHECK(refusal(".global .u64 a = nowhere;").find("'nowhere', which the initialiser of 'a' names") !=
          std::string::npos);
    CHECK(refusal(".global .u32 g; .global .u32 a = g;").find("eight bytes") != std::string::npos);
    CHECK(refusal(".global .u32 g; .global .u8 a[8] = {0xFF(g)};").find("some of its bytes") !=
          std::string::npos);
    CHECK(refusal(".global .align 3 .u32 a;").find("power of two") != std::string::npos);
    CHECK(refusal(".global a;").find("type of a variable") != std::string::npos);
    CHECK(refusal(".global .u32 .f32 a;").find("two types") != std::string::npos);
    CHECK(refusal(".global .b8 a[1099511627776][1099511627776];").find("too large") != std::string::npos);
    CHECK(refusal(".global .b8 a[1000000000] = {1};").find("too large") != std::string::npos);
    CHECK(refusal(".global .b8 a[3][0];").find("no elements") != std::string::npos);
    CHECK(refusal(".extern .global .u32 a = 1;").find("initialised") != std::string::npos);
}
