// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// PTX as it was written, names resolved and nothing interpreted: what the parser makes and the decoder
/// reads.
namespace dormer::emulator::ptx {

/// Fundamental types of the PTX ISA.
enum class Type : std::uint8_t {
    None,
    Pred,
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    BF16,
    BF16x2,
    TF32,
    F32,
    F64,
    Opaque, ///< .texref, .samplerref, .surfref
};
/// Bytes of a value in memory; 0 for None, Pred and Opaque.
[[nodiscard]] std::size_t bytesOf(Type type);

enum class Space : std::uint8_t { Generic, Register, Const, Global, Local, Param, Shared };

constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// One `.loc`: where an instruction comes from. Line 0 means the compiler gave none.
struct SourcePosition {
    std::uint32_t file = 0; ///< number of a `.file`: key of Module::files
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t inlinedAt = kNone; ///< index into Module::positions: the call this code was inlined at
    std::string function;            ///< of inlined code: mangled name; else empty
};

/// An instruction's argument.
struct Operand {
    enum class Kind : std::uint8_t {
        Register, ///< `reg`; `negated` for !%p
        Special,  ///< "%tid.x", "%laneid", "WARP_SZ": `name`
        Integer,  ///< `bits`, two's complement, as wide as the text says (64 bits)
        Float32,  ///< 0f…: `bits` holds the 32 bits
        Float64,  ///< 0d… and decimal fractions: `bits` holds the 64 bits
        Symbol,   ///< a variable, function, parameter or label without brackets, plus `offset`: `name`
        Address,  ///< [base + offset]: exactly one of `reg` and `name`, or neither for an absolute one in
                  ///< `offset`; `parts` holds the coordinates of [tex, {x, y}]
        Vector,   ///< {a, b, …}: `parts`
        Pair,     ///< a|b: `parts`, two of them
        List,     ///< (a, b): arguments of a call, `parts`
        Sink,     ///< _
    };
    Kind kind = Kind::Sink;
    bool negated = false;
    std::uint32_t reg = kNone; ///< index into Function::registers
    std::uint64_t bits = 0;
    std::int64_t offset = 0;
    std::string name; ///< unique in its function or module: the parser renames what scopes shadow
    std::vector<Operand> parts;
};

struct Instruction {
    std::string opcode; ///< "setp": the word before the first dot
    std::vector<std::string>
        modifiers;               ///< in order, without dots: {"lt", "and", "s32"}; "shared::cta" is one
    std::uint32_t guard = kNone; ///< predicate register of @p
    bool guardNegated = false;
    std::vector<Operand> operands;
    std::uint32_t position = kNone; ///< index into Module::positions
    std::uint32_t textLine = 0;     ///< line in the PTX text, from 1
};

struct Register {
    std::string name; ///< "%r5"
    Type type = Type::None;
};

/// A variable or parameter. Space says where it lives.
struct Variable {
    std::string name;
    Space space = Space::Global;
    Type type = Type::B8;
    std::uint32_t vector = 1;  ///< 2 or 4 for .v2 and .v4
    std::size_t alignment = 1; ///< never 0; the type's own where the text gives none
    std::size_t bytes = 0;     ///< whole size; 0 for an unsized array (.extern .shared)
    bool isExtern = false;
    bool isManaged = false;         ///< .attribute(.managed): __managed__
    std::vector<std::byte> initial; ///< empty, or `bytes` long
    /// Addresses inside `initial`: 8 bytes at `at` hold the address of `symbol` plus `addend`.
    struct Relocation {
        std::size_t at = 0;
        std::string symbol;
        std::int64_t addend = 0;
        bool generic = false; ///< generic(symbol)
    };
    std::vector<Relocation> relocations;
};

/// `name: .callprototype (results) _ (parameters)`: the signature of a call through a pointer.
struct Prototype {
    std::string name;
    std::vector<Variable> results, parameters; ///< most are named "_"
};

/// Kernel or device function.
struct Function {
    std::string name;
    bool isEntry = false;
    bool isExtern = false; ///< declared only (vprintf, malloc): no body
    bool noReturn = false;
    std::vector<Variable> results;    ///< of a device function
    std::vector<Variable> parameters; ///< space Param
    std::vector<Register> registers;
    std::vector<Variable> variables; ///< .local, .shared, .param and others declared in the body
    std::vector<Instruction> body;
    std::vector<std::pair<std::string, std::uint32_t>>
        labels; ///< name and index of the next instruction in body
    /// `name: .branchtargets a, b;` and `.calltargets`
    std::vector<std::pair<std::string, std::vector<std::string>>> targetLists;
    std::vector<Prototype> prototypes;                           ///< of calls through pointers
    std::array<std::optional<std::uint32_t>, 3> maxThreads;      ///< .maxntid; dimensions it leaves out are 1
    std::array<std::optional<std::uint32_t>, 3> requiredThreads; ///< .reqntid
    std::array<std::optional<std::uint32_t>, 3> requiredCluster; ///< .reqnctapercluster, in blocks
    bool explicitCluster = false; ///< .explicitcluster: only for launches with clusters
    std::optional<std::uint32_t> minBlocksPerSm, maxRegisters;
    std::uint32_t position = kNone; ///< of the first `.loc` in the body
};

/// A function as it was written, from its first directive (".visible .entry") to its closing brace.
struct FunctionText {
    std::string_view text;
    std::uint32_t line = 0;         ///< in the PTX text, of its first line, from 1
    std::uint32_t function = kNone; ///< index into Module::functions
};

struct Module {
    std::uint32_t versionMajor = 0, versionMinor = 0;
    std::string target;             ///< "sm_90", "sm_90a"
    std::uint32_t targetNumber = 0; ///< 90
    std::vector<Variable> variables;
    std::vector<Function> functions;
    std::vector<std::pair<std::string, std::string>> aliases; ///< .alias: name and the function it stands for
    std::vector<std::pair<std::uint32_t, std::string>> files; ///< .file number and path
    std::vector<SourcePosition> positions;
};

} // namespace dormer::emulator::ptx
