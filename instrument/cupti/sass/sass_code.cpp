// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/sass_code.h"

#include <array>

namespace dormer::instrument::cupti::sass {

namespace {

/// The lowest 12 bits of an instruction, as the disassembler of CUDA 13.0 names them for sm_80 and sm_90
/// (tests/data/sass). The same operation has one opcode for each form of its operands.
struct Opcode {
    std::uint64_t bits;
    std::string_view name;
    bool hasWidth = false; ///< loads and stores say theirs in bits 73 to 75
};
constexpr std::array kOpcodes = {
    Opcode{0x980, "LD", true},     Opcode{0x981, "LDG", true}, Opcode{0x983, "LDL", true},
    Opcode{0x984, "LDS", true},    Opcode{0x985, "ST", true},  Opcode{0x986, "STG", true},
    Opcode{0x387, "STL", true},    Opcode{0x388, "STS", true}, Opcode{0x988, "STS", true},
    Opcode{0xfae, "LDGSTS", true}, Opcode{0x83b, "LDSM"},      Opcode{0x38c, "ATOMS"},
    Opcode{0x98c, "ATOMS"},        Opcode{0xf8c, "ATOMS"},     Opcode{0x38d, "ATOMS"},
    Opcode{0x9a8, "ATOMG"},        Opcode{0x3a9, "ATOMG"},     Opcode{0x98a, "ATOM"},
    Opcode{0x98e, "RED"},          Opcode{0x9a6, "RED"},       Opcode{0x947, "BRA"},
};
constexpr std::array<std::string_view, 8> kWidths = {".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ""};

} // namespace

Bytes kernelCode(Bytes cubin, std::string_view mangledName) {
    return elfSection(cubin, ".text." + std::string(mangledName));
}

std::string mnemonicAt(Bytes code, std::uint64_t pc) {
    const auto words = readAt<std::array<std::uint64_t, 2>>(code, pc);
    if (!words) return {};
    for (const Opcode& opcode : kOpcodes) {
        if (opcode.bits != ((*words)[0] & 0xfff)) continue;
        std::string name(opcode.name);
        if (opcode.hasWidth) name += kWidths[(*words)[1] >> 9 & 7];
        return name;
    }
    return {};
}

} // namespace dormer::instrument::cupti::sass
