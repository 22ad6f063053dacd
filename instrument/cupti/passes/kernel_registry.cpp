// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/kernel_registry.h"

#include "analysis/base/demangle.h"

#include <algorithm>

namespace dormer::instrument::cupti::passes {

std::uint64_t KernelRegistry::number(const void* function, const std::string& mangledName,
                                     const KernelTiming* timing,
                                     const std::function<FunctionFacts()>& facts) {
    const bool ofGraph = timing != nullptr && timing->graphNode != 0;
    if (ofGraph || function == nullptr) {
        if (const auto known = m_byName.find(mangledName); known != m_byName.end()) return known->second;
    } else if (const auto known = m_byFunction.find(function); known != m_byFunction.end()) {
        return known->second;
    }
    session::Kernel kernel;
    kernel.id = m_next++;
    if (!ofGraph && function != nullptr) m_byFunction.emplace(function, kernel.id);
    m_byName.emplace(mangledName, kernel.id);
    kernel.mangledName = mangledName;
    kernel.name = base::demangled(mangledName);
    const FunctionFacts told = facts();
    kernel.maxThreadsPerBlock = told.maxThreadsPerBlock;
    if (timing != nullptr) {
        kernel.registersPerThread = timing->registersPerThread;
        kernel.staticSharedBytes = timing->staticSharedBytes;
        kernel.localBytesPerThread = timing->localBytesPerThread;
    }
    kernel.localBytesPerThread = std::max(kernel.localBytesPerThread, told.localBytesPerThread);
    m_emit(kernel);
    return kernel.id;
}

std::optional<std::uint64_t> KernelRegistry::named(const std::string& mangledName) const {
    const auto known = m_byName.find(mangledName);
    return known != m_byName.end() ? std::optional(known->second) : std::nullopt;
}

} // namespace dormer::instrument::cupti::passes
