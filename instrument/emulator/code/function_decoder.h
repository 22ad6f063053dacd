// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Private to the decoder: one function's instructions become blocks of decoded ones.

#include "instrument/emulator/accesses/memory.h"
#include "instrument/emulator/code/decode.h"
#include "instrument/emulator/code/registers.h"
#include "instrument/emulator/code/tables.h"
#include "instrument/emulator/flow/control_flow.h"
#include "instrument/emulator/flow/fused_pairs.h"
#include "instrument/emulator/operations/operations.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace dormer::emulator::code {

/// Ends decoding; becomes the Error with kernel and place.
struct NotSupported {
    std::string what;
};

/// What all functions of a kernel share while it is decoded.
struct ProgramContext {
    ptx::parser::LazyModule& module;
    program::Program& program;
    Tables tables;
    const FindVariable& findVariable;
    int computeCapabilityMajor;
    std::unordered_map<std::string, std::uint32_t> sharedOffsets;   ///< of .shared variables, by unique name
    std::unordered_map<std::string, std::uint32_t> moduleFunctions; ///< index in the module by name
    std::unordered_map<std::uint32_t, std::uint32_t> functions;     ///< module index -> index in Program
    bool usesReservedShared = false; ///< asks where the system's part of shared memory lies
};

/// Names of .shared variables are unique in their function only.
[[nodiscard]] std::string sharedName(std::uint32_t moduleFunction, const std::string& variable);

class FunctionDecoder {
public:
    FunctionDecoder(ProgramContext& context, std::uint32_t moduleFunction);
    /// Appends the function's blocks and instructions to the program. Throws NotSupported; `at` then holds
    /// the instruction.
    void decode(const ptx::Instruction*& at);

private:
    // function_decoder.cpp
    void mergeLoads();
    void layOutParameters();
    void decodeInstruction(const ptx::Instruction& instruction);
    void decodeRegisterOnly(const ptx::Instruction& instruction);
    /// Has the lanes that a .sync instruction names wait for each other before it.
    void awaitMembers(const ptx::Instruction& instruction);

    // fold_constants.cpp
    void foldConstants();
    bool tryFold(const ptx::Instruction& instruction);

    // decode_ending.cpp
    void decodeEnding(const ptx::Instruction& instruction, program::CodeBlock& block);
    void decodeBarrier(const ptx::Instruction& instruction, program::CodeBlock& block);
    void decodeCall(const ptx::Instruction& instruction, program::CodeBlock& block);
    [[nodiscard]] program::CallOperands::Place callPlace(const ptx::Operand& operand) const;
    [[nodiscard]] std::uint32_t blockOfLabel(const std::string& label) const;

    // decode_context.cpp
    bool decodeContext(const ptx::Instruction& instruction);
    void decodeStack(const ptx::Instruction& instruction);

    // decode_memory.cpp
    void decodeLoadStore(const ptx::Instruction& instruction);
    void decodeAtomic(const ptx::Instruction& instruction);
    void decodeVectorAtomic(const ptx::Instruction& instruction, std::size_t bytes);
    bool decodeCopy(const ptx::Instruction& instruction);
    /// Sets address, offset and flags of `inst`; returns the window the address leads to.
    program::Window decodeAddress(const ptx::Operand& operand, program::Window space,
                                  instructions::Inst& inst);

    // decode_special.cpp
    bool decodeSpecial(const ptx::Instruction& instruction);
    void decodeBarrierObject(const ptx::Instruction& instruction);
    void decodeFragment(const ptx::Instruction& instruction);
    void decodeMatrices(const ptx::Instruction& instruction);
    void decodeTexture(const ptx::Instruction& instruction);
    void decodeSurface(const ptx::Instruction& instruction);
    /// Begin and end of each .const variable of the module: 8 bytes per lane.
    [[nodiscard]] std::vector<instructions::Ref> constantRanges();
    void decodeAsyncStore(const ptx::Instruction& instruction);
    void decodeMovedMatrix(const ptx::Instruction& instruction);
    void emitMatrix(const ptx::Instruction& instruction, program::MatrixAccess access,
                    const ptx::Operand& address, std::vector<instructions::Ref> refs,
                    instructions::Ref stride, bool store, instructions::Handler run, unsigned widthBytes);
    instructions::Inst& appendMemory(const ptx::Instruction& instruction, counts::MemorySpace space,
                                     counts::MemoryOp op, std::uint32_t widthBytes);
    [[nodiscard]] ptx::Operand addressRegister(const ptx::Operand& operand) const;

    // decode_bulk.cpp
    void decodeBulkCopy(const ptx::Instruction& instruction);
    void decodeGroupMultiply(const ptx::Instruction& instruction);

    // decode_operands.cpp
    std::optional<instructions::Ref> constantSource(const ptx::Operand& operand, std::uint8_t bytes);
    [[nodiscard]] instructions::Ref registerRef(std::uint32_t reg) const;
    [[nodiscard]] std::uint8_t bytesOf(std::uint32_t reg) const {
        return registerBytes(m_function->registers[reg].type);
    }
    /// Any source: a register, a number, a special register, an address.
    instructions::Ref sourceRef(const ptx::Operand& operand, std::uint8_t bytes, bool predicate = false);
    [[nodiscard]] std::uint64_t immediateBits(const ptx::Operand& operand, std::uint8_t bytes) const;
    /// Address of a named thing, with the space it is in.
    struct SymbolPlace {
        enum class Kind { Global, Shared, Local, KernelParameter, Parameter, Function } kind = Kind::Global;
        std::uint64_t value = 0;
    };
    [[nodiscard]] SymbolPlace symbolPlace(const std::string& name) const;
    [[nodiscard]] bool isKernel() const { return m_function->isEntry; }

    /// Instructions of a block that have none of PTX, or do nothing here: a kernel's first one has the stack
    /// pointer and, since Ampere, the descriptor of memory; since Hopper arguments are loaded, which until
    /// then were operands of what uses them.
    void addSetUp(std::uint32_t b);
    /// Appends what a function begins with.
    void appendEntry(instructions::Handler run, std::uint64_t imm);
    instructions::Inst& append(const ptx::Instruction& instruction, const program::InstructionFacts& facts);
    program::InstructionFacts& addFacts(const ptx::Instruction& instruction);
    instructions::Ref* addRefs(std::vector<instructions::Ref> refs);

    ProgramContext& m_context;
    program::Program& m_program;
    std::uint32_t m_index;           ///< in the module
    const ptx::Function* m_function; ///< the module's, or m_merged
    ptx::Function m_merged;          ///< it with neighbouring loads joined
    std::vector<flow::BasicBlock> m_blocks;
    std::vector<bool> m_folded;                ///< instructions that need not run
    std::vector<instructions::Ref> m_constant; ///< registers that stand for a constant
    std::vector<std::uint32_t> m_uses;         ///< times a register is read
    std::vector<flow::Fused> m_fused;          ///< by instruction
    RegisterFrame m_frame;
    std::uint32_t m_firstBlock = 0;
    std::uint32_t m_currentBlock = 0;
    std::unordered_map<std::string, program::CallOperands::Place> m_parameterPlaces; ///< .param variables
    std::unordered_map<std::string, std::uint32_t> m_localPlaces;
    bool m_usesStack = false;       ///< alloca
    std::uint32_t m_stackPlace = 0; ///< in the frame of such a function: exec::GrowingStack
    std::unordered_map<std::string, std::uint32_t> m_labels; ///< to instruction indices
};

/// The window an access names; generic when it names none.
[[nodiscard]] program::Window windowOfAccess(const ptx::Instruction& instruction);
/// "ld.global.v4.f32"
[[nodiscard]] std::string instructionText(const ptx::Instruction& instruction);

} // namespace dormer::emulator::code
