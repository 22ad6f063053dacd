// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/instructions/fragment.h"
#include "tests/instrument/emulator/lanes/half_table.h"
#include "tests/instrument/emulator/lanes/operation_rig.h"

#include <algorithm>
#include <map>
#include <sstream>

using namespace dormer::emulator::instructions;

using namespace dormer::emulator::test;

namespace {

dormer::emulator::ptx::Instruction parse(const std::string& text) {
    dormer::emulator::ptx::Instruction instruction;
    std::istringstream words(text);
    std::getline(words, instruction.opcode, '.');
    for (std::string word; std::getline(words, word, '.');)
        instruction.modifiers.push_back(word);
    return instruction;
}

/// Small integers fit every type exactly, so that any order of summation gives the same.
template <typename Put>
void fill(unsigned firstRegister, const FragmentShape& shape, const std::vector<double>& matrix, Put put) {
    for (unsigned reg = 0; reg < fragmentRegisters(shape); ++reg)
        for (unsigned lane = 0; lane < kLanes; ++lane)
            for (unsigned part = 0; part < fragmentParts(shape); ++part) {
                const auto [row, column] = fragmentElement(shape, lane, reg, part);
                put(firstRegister + reg, lane, part, matrix[row * shape.columns() + column]);
            }
}

void putElement(OperationRig& rig, Kind kind, unsigned reg, unsigned lane, unsigned part, double v) {
    switch (kind) {
    case Kind::F16:
        rig.part<u16>(reg)[lane * 2 + part] = u16(binary16().round(v));
        break;
    case Kind::BF16:
        rig.part<u16>(reg)[lane * 2 + part] = u16(bfloat16().round(v));
        break;
    case Kind::F64:
        rig.part<double>(reg)[lane] = v;
        break;
    case Kind::S8:
    case Kind::U8:
        rig.part<u8>(reg)[lane * 4 + part] = u8(s32(v));
        break;
    case Kind::E4M3:
        rig.part<u8>(reg)[lane * 4 + part] = u8(FormatTable(4, 3, false, 0x7F).round(v));
        break;
    case Kind::E5M2:
        rig.part<u8>(reg)[lane * 4 + part] = u8(FormatTable(5, 2, true, 0x7F).round(v));
        break;
    case Kind::S32:
        rig.part<s32>(reg)[lane] = s32(v);
        break;
    default:
        rig.part<float>(reg)[lane] = float(v);
        break;
    }
}
double getElement(OperationRig& rig, Kind kind, unsigned reg, unsigned lane, unsigned part) {
    switch (kind) {
    case Kind::F16:
        return binary16().valueOf(rig.part<u16>(reg)[lane * 2 + part]);
    case Kind::F64:
        return rig.part<double>(reg)[lane];
    case Kind::S32:
        return rig.part<s32>(reg)[lane];
    default:
        return double(rig.part<float>(reg)[lane]);
    }
}

TensorFormat formatNamed(Kind element) {
    const std::map<Kind, TensorFormat> formats = {
        {Kind::F16, TensorFormat::Fp16}, {Kind::BF16, TensorFormat::Bf16}, {Kind::TF32, TensorFormat::Tf32},
        {Kind::F64, TensorFormat::Fp64}, {Kind::E4M3, TensorFormat::Fp8},  {Kind::E5M2, TensorFormat::Fp8},
        {Kind::S8, TensorFormat::Int8},  {Kind::U8, TensorFormat::Int8}};
    return formats.at(element);
}

void checkProduct(const std::string& mnemonic, double lowest) {
    INFO(mnemonic);
    const auto operation = matrixOperation(parse(mnemonic));
    REQUIRE(operation.has_value());
    const auto [a, b, c, d, saturate] = *operation;
    std::mt19937 random(41);
    const auto matrix = [&](const FragmentShape& shape) {
        std::vector<double> values(shape.rows() * shape.columns());
        for (double& v : values)
            v = double(int(random() % 7)) + lowest;
        return values;
    };
    const auto ma = matrix(a), mb = matrix(b), mc = matrix(c);
    for (const InstructionSet isa : instructionSets()) {
        const unsigned ra = fragmentRegisters(a), rb = fragmentRegisters(b), rc = fragmentRegisters(c),
                       rd = fragmentRegisters(d);
        OperationRig rig(mnemonic, {0, 0, 0, 0}, isa);
        rig.allInMore(rd + ra + rb + rc);
        REQUIRE(rig.prepare());
        CHECK(rig.operation.tensorMacs == unsigned(a.m) * a.n * a.k);
        CHECK(rig.operation.tensorFormat == formatNamed(a.element));
        CHECK(rig.operation.work == Work::Tensor);
        const auto put = [&](const FragmentShape& shape) {
            return [&rig, &shape](unsigned reg, unsigned lane, unsigned part, double v) {
                putElement(rig, shape.element, reg, lane, part, v);
            };
        };
        fill(rd, a, ma, put(a));
        fill(rd + ra, b, mb, put(b));
        fill(rd + ra + rb, c, mc, put(c));
        rig.run();
        for (unsigned reg = 0; reg < rd; ++reg)
            for (unsigned lane = 0; lane < kLanes; ++lane)
                for (unsigned part = 0; part < fragmentParts(d); ++part) {
                    const auto [row, column] = fragmentElement(d, lane, reg, part);
                    double wanted = mc[row * d.n + column];
                    for (unsigned k = 0; k < a.k; ++k)
                        wanted += ma[row * a.k + k] * mb[k * b.n + column];
                    REQUIRE(getElement(rig, d.element, reg, lane, part) == wanted);
                }
    }
}

} // namespace

TEST_CASE("mma of all types and shapes") {
    for (const std::string types : {"f32.f16.f16.f32", "f16.f16.f16.f16", "f32.bf16.bf16.f32"})
        for (const std::string shape : {"m16n8k8", "m16n8k16"})
            checkProduct("mma.sync.aligned." + shape + ".row.col." + types, -3);
    for (const std::string shape : {"m16n8k4", "m16n8k8"})
        checkProduct("mma.sync.aligned." + shape + ".row.col.f32.tf32.tf32.f32", -3);
    for (const std::string shape : {"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"})
        checkProduct("mma.sync.aligned." + shape + ".row.col.f64.f64.f64.f64", -3);
    for (const std::string shape : {"m8n8k16", "m16n8k16", "m16n8k32"}) {
        checkProduct("mma.sync.aligned." + shape + ".row.col.s32.s8.s8.s32", -3);
        checkProduct("mma.sync.aligned." + shape + ".row.col.satfinite.s32.u8.s8.s32", 0);
    }
    checkProduct("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", -3);
}

TEST_CASE("wmma of all types and shapes") {
    for (const std::string shape : {"m16n16k16", "m32n8k16", "m8n32k16"}) {
        checkProduct("wmma.mma.sync.aligned.row.col." + shape + ".f32.f32", -3);
        checkProduct("wmma.mma.sync.aligned.col.row." + shape + ".f16.f16", -3);
        checkProduct("wmma.mma.sync.aligned.row.row." + shape + ".f32.f16", -3);
        checkProduct("wmma.mma.sync.aligned.row.col." + shape + ".f32.bf16.bf16.f32", -3);
        checkProduct("wmma.mma.sync.aligned.row.col." + shape + ".s32.s8.s8.s32", -3);
        checkProduct("wmma.mma.sync.aligned.row.col." + shape + ".s32.u8.u8.s32.satfinite", 0);
    }
    checkProduct("wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", -3);
    checkProduct("wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64", -3);
}

TEST_CASE("Fragments of m16n8k16 lie as the PTX ISA draws them") {
    // Row and column of a0..a7, b0..b3, c0..c3 in lane 13: groupID 3, threadID_in_group 1.
    const FragmentShape a{FragmentMatrix::A, 16, 8, 16, Kind::F16},
        b{FragmentMatrix::B, 16, 8, 16, Kind::F16}, c{FragmentMatrix::C, 16, 8, 16, Kind::F32};
    const std::pair<unsigned, unsigned> wantedA[] = {{3, 2},  {3, 3},  {11, 2},  {11, 3},
                                                     {3, 10}, {3, 11}, {11, 10}, {11, 11}};
    const std::pair<unsigned, unsigned> wantedB[] = {{2, 3}, {3, 3}, {10, 3}, {11, 3}};
    const std::pair<unsigned, unsigned> wantedC[] = {{3, 2}, {3, 3}, {11, 2}, {11, 3}};
    const auto at = [](const FragmentShape& s, unsigned reg, unsigned part) {
        const auto [row, column] = fragmentElement(s, 13, reg, part);
        return std::pair{row, column};
    };
    for (unsigned i = 0; i < 8; ++i)
        CHECK(at(a, i / 2, i % 2) == wantedA[i]);
    for (unsigned i = 0; i < 4; ++i) {
        CHECK(at(b, i / 2, i % 2) == wantedB[i]);
        CHECK(at(c, i, 0) == wantedC[i]);
    }
}

TEST_CASE("wmma loads and stores cover every element") {
    const std::vector<std::pair<std::string, unsigned>> registers = {
        // Counts of registers from the PTX ISA, "Matrix fragments for wmma".
        {"load.a.sync.aligned.row.m16n16k16.global.f16", 8},
        {"load.b.sync.aligned.col.m32n8k16.f16", 8},
        {"load.a.sync.aligned.row.m8n32k16.bf16", 2},
        {"load.a.sync.aligned.row.m32n8k16.bf16", 8},
        {"load.b.sync.aligned.row.m16n16k16.shared.bf16", 4},
        {"load.c.sync.aligned.row.m16n16k16.f32", 8},
        {"load.c.sync.aligned.row.m8n32k16.f16", 4},
        {"store.d.sync.aligned.row.m32n8k16.global.f32", 8},
        {"load.a.sync.aligned.row.m16n16k8.tf32", 4},
        {"load.b.sync.aligned.col.m16n16k8.tf32", 4},
        {"load.a.sync.aligned.row.m8n8k4.f64", 1},
        {"store.d.sync.aligned.row.m8n8k4.f64", 2},
        {"load.a.sync.aligned.row.m32n8k16.u8", 4},
        {"load.b.sync.aligned.row.m32n8k16.s8", 1},
        {"load.c.sync.aligned.row.m16n16k16.s32", 8}};
    for (const auto& [text, count] : registers) {
        INFO(text);
        const auto shape = wmmaFragment(parse("wmma." + text));
        REQUIRE(shape.has_value());
        CHECK(fragmentRegisters(*shape) == count);
        CHECK(shape->rowMajor == (text.find(".row.") != std::string::npos));
        std::vector<unsigned> seen(shape->rows() * shape->columns());
        for (unsigned reg = 0; reg < count; ++reg)
            for (unsigned lane = 0; lane < kLanes; ++lane)
                for (unsigned part = 0; part < fragmentParts(*shape); ++part) {
                    const auto [row, column] = fragmentElement(*shape, lane, reg, part);
                    REQUIRE(row < shape->rows());
                    REQUIRE(column < shape->columns());
                    ++seen[row * shape->columns() + column];
                }
        CHECK(std::ranges::count(seen, seen[0]) == long(seen.size()));
        CHECK(seen[0] >= 1);
    }
}

TEST_CASE("Integer sums saturate or wrap as asked") {
    for (const InstructionSet isa : instructionSets())
        for (const bool saturate : {false, true}) {
            OperationRig rig(std::string("mma.sync.aligned.m8n8k16.row.col") +
                                 (saturate ? ".satfinite" : "") + ".s32.s8.s8.s32",
                             {0, 0, 0, 0}, isa);
            rig.allInMore(2 + 1 + 1 + 2);
            REQUIRE(rig.prepare());
            for (unsigned i = 0; i < kLanes; ++i) {
                rig.part<u32>(2)[i] = rig.part<u32>(3)[i] = 0x7F7F7F7F;
                rig.part<u32>(4)[i] = rig.part<u32>(5)[i] = 0x7FFFFFF0;
            }
            rig.run();
            const s32 wrapped = s32(0x7FFFFFF0u + 16 * 127 * 127);
            CHECK(rig.part<s32>(0)[5] == (saturate ? 0x7FFFFFFF : wrapped));
        }
}

TEST_CASE("Matrix shapes that PTX lacks are refused") {
    for (const std::string text :
         {"mma.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32",
          "mma.sync.aligned.m16n8k16.row.col.f32.bf16.f16.f32",
          "mma.sync.aligned.m16n8k16.row.col.f16.bf16.bf16.f16",
          "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "wmma.mma.sync.aligned.row.col.m16n16k16",
          "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc"})
        CHECK(refused(text, {0, 0, 0, 0}));
}

TEST_CASE("8-bit formats multiply as all values that they have") {
    // OCP 8-bit floating point specification: E4M3 has one NaN of each sign and no infinities.
    const auto valueOf = [](bool e4m3, unsigned bits) {
        const unsigned mantissaBits = e4m3 ? 3 : 2, magnitude = bits & 0x7F;
        const int bias = e4m3 ? 7 : 15;
        const unsigned exponent = magnitude >> mantissaBits,
                       mantissa = magnitude & ((1u << mantissaBits) - 1);
        double value = exponent == 0 ? std::ldexp(mantissa, 1 - bias - int(mantissaBits))
                                     : std::ldexp(mantissa + (1u << mantissaBits),
                                                  int(exponent) - bias - int(mantissaBits));
        if (e4m3 ? magnitude == 0x7F : exponent == 31 && mantissa != 0) value = std::nan("");
        if (!e4m3 && magnitude == 0x7C) value = HUGE_VAL;
        return (bits & 0x80) != 0 ? -value : value;
    };
    const FragmentShape a{FragmentMatrix::A, 16, 8, 16, Kind::E4M3},
        b{FragmentMatrix::B, 16, 8, 16, Kind::E4M3}, d{FragmentMatrix::C, 16, 8, 16, Kind::F32};
    for (const InstructionSet isa : instructionSets())
        for (const bool e4m3 : {true, false})
            for (const unsigned first : {0u, 128u}) {
                const std::string type = e4m3 ? "e4m3" : "e5m2";
                OperationRig rig("mma.sync.aligned.m16n8k16.row.col.f32." + type + "." + type + ".f32",
                                 {0, 0, 0, 0}, isa);
                rig.allInMore(4 + 2 + 1 + 4);
                REQUIRE(rig.prepare());
                // Rows of A hold the patterns in their first 8 columns; B is 1 on its diagonal.
                const u8 one = e4m3 ? 0x38 : 0x3C;
                for (unsigned lane = 0; lane < kLanes; ++lane)
                    for (unsigned part = 0; part < 4; ++part) {
                        for (unsigned reg = 0; reg < 2; ++reg) {
                            const auto [row, k] = fragmentElement(a, lane, reg, part);
                            rig.part<u8>(4 + reg)[lane * 4 + part] = k < 8 ? u8(first + row * 8 + k) : u8(0);
                        }
                        const auto [k, column] = fragmentElement(b, lane, 0, part);
                        rig.part<u8>(6)[lane * 4 + part] = k == column ? one : u8(0);
                    }
                for (unsigned reg = 0; reg < 4; ++reg)
                    std::fill_n(rig.part<float>(7 + reg), kLanes, 0.0F);
                rig.run();
                for (unsigned reg = 0; reg < 4; ++reg)
                    for (unsigned lane = 0; lane < kLanes; ++lane) {
                        const auto [row, column] = fragmentElement(d, lane, reg, 0);
                        const double wanted = valueOf(e4m3, first + row * 8 + column);
                        // An infinity or NaN times 0 spoils the other columns of its row.
                        bool spoiled = false;
                        for (unsigned k = 0; k < 8; ++k)
                            spoiled |= k != column && !std::isfinite(valueOf(e4m3, first + row * 8 + k));
                        const float found = rig.part<float>(reg)[lane];
                        CAPTURE(type, row, column);
                        if (spoiled || std::isnan(wanted))
                            CHECK(std::isnan(found));
                        else
                            CHECK(double(found) == wanted);
                    }
            }
}
