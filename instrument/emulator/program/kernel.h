// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/module.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// A kernel as its callers see it: what the module and the cubin say of it.
namespace dormer::emulator::program {

/// What the cubin beside the PTX says of a kernel.
struct CubinKernel {
    std::string name; ///< mangled
    std::uint32_t registersPerThread = 0;
    std::uint64_t staticSharedBytes = 0;
    std::uint64_t localBytesPerThread = 0;
};

/// One parameter of a kernel: where it lies in the parameter buffer.
struct ParameterPlace {
    std::size_t offset = 0, bytes = 0;
};

struct KernelFacts {
    std::string name; ///< mangled
    std::uint32_t registersPerThread = 0;
    bool registersEstimated = false; ///< no cubin told them
    std::uint64_t staticSharedBytes = 0;
    std::uint64_t localBytesPerThread = 0;
    std::uint32_t maxThreadsPerBlock = 1024;   ///< by .maxntid, .reqntid and registers
    std::array<std::uint32_t, 3> cluster = {}; ///< __cluster_dims__(x, y, z); 0: none
    bool needsCluster = false;                 ///< only for launches that name a cluster size
    bool readsClock = false;                   ///< %clock, %globaltimer and their like
    std::uint32_t ptxTarget = 0;               ///< 90
    std::vector<ParameterPlace> parameters;
    std::size_t parameterBytes = 0;
};

class Kernel {
public:
    virtual ~Kernel() = default;
    [[nodiscard]] virtual const KernelFacts& facts() const = 0;
    [[nodiscard]] virtual const ptx::Module& source() const = 0;
    /// The kernel and the functions it may call, as they were written; valid as long as the engine.
    [[nodiscard]] virtual std::vector<ptx::FunctionText> texts() const { return {}; }
};

} // namespace dormer::emulator::program
