// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/runtime/executor.h"
#include "instrument/emulator/runtime/failure.h"

#include <driver_types.h>

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>

namespace dormer::emulator::runtime {

/// Oldest compute capability CUDA 13 compiles for. PTX for it runs on older chips of the emulator too, which
/// no program could run on otherwise.
inline constexpr std::uint32_t kOldestPtx = 75;

/// A kernel of the program, as its host code knows it. Loaded at its first use.
struct Function {
    std::string name; ///< mangled
    std::size_t binary = 0;
    const program::Kernel* kernel = nullptr;  ///< null until loaded
    std::optional<int> maxDynamicSharedBytes; ///< set by cudaFuncSetAttribute
    int carveout = -1;                        ///< percent; -1: the driver's choice
    bool nonPortableClusters = false;
    session::Dim3 cluster{0, 0, 0}; ///< set by cudaFuncSetAttribute, in blocks; zeros: not set
    int clusterPolicy = 0;          ///< cudaClusterSchedulingPolicy: a preference, kept only
};

/// A __device__, __constant__ or __managed__ variable.
struct Symbol {
    std::string name;
    std::size_t binary = 0;
    std::size_t bytes = 0;
    void** managedPointer = nullptr; ///< host variable that holds the address of a managed one
    std::uint64_t address = 0;       ///< 0 until loaded
};

/// The fat binaries a program registered, and what is in them. PTX is unpacked and parsed at a binary's first
/// use, so that starting a program costs next to nothing. The caller holds the runtime's lock.
class ModuleTable {
public:
    /// `executor` is requested at the first use. `computeCapability`: 90.
    ModuleTable(std::function<Executor&()> executor, std::string chipName, std::uint32_t computeCapability);

    /// `wrapper` is what __cudaRegisterFatBinary gets; it must stay until forget().
    std::size_t registerBinary(const void* wrapper);
    /// A library loaded at run time: PTX text or a fat binary, copied. Unlike registered ones it is read at
    /// once.
    [[nodiscard]] Outcome<std::size_t> loadLibrary(const void* code);
    void registerFunction(std::size_t binary, const void* hostFunction, const char* name);
    void registerSymbol(std::size_t binary, const void* hostVariable, const char* name, std::size_t bytes,
                        void** managedPointer);
    /// False when there is none.
    bool forget(std::size_t binary);
    /// Gives managed variables their address: host code may touch them before any kernel ran.
    [[nodiscard]] Outcome<void> loadManaged(std::size_t binary);

    /// By host function, or by the cudaKernel_t this table handed out. Loaded.
    [[nodiscard]] Outcome<Function*> function(const void* hostFunctionOrHandle);
    /// The same without loading it.
    [[nodiscard]] Outcome<Function*> handle(const void* hostFunction);
    [[nodiscard]] Outcome<Symbol*> symbol(const void* hostVariable);
    /// Of a library.
    [[nodiscard]] Outcome<Function*> functionByName(std::size_t binary, const std::string& name);
    [[nodiscard]] Outcome<engine::Engine::VariablePlace> variableByName(std::size_t binary,
                                                                        const std::string& name);

private:
    struct Binary;
    struct Code {
        std::string ptx;
        std::vector<program::CubinKernel> kernels;
    };
    [[nodiscard]] Outcome<Code> codeOf(const Binary& binary) const;
    [[nodiscard]] Outcome<engine::Module*> load(std::size_t index);
    [[nodiscard]] Outcome<void> load(Function& function);

    std::function<Executor&()> m_executor;
    std::string m_chipName;
    std::uint32_t m_computeCapability;
    std::vector<std::shared_ptr<Binary>> m_binaries;                        ///< null once forgotten
    std::unordered_map<const void*, std::shared_ptr<Function>> m_functions; ///< by host function
    std::unordered_map<const void*, std::shared_ptr<Function>> m_handles;   ///< by Function address
    std::unordered_map<const void*, Symbol> m_symbols;
};

} // namespace dormer::emulator::runtime
