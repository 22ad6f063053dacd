// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"
#include "instrument/cupti/passes/backends.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace dormer::instrument::cupti::passes {

/// Numbers the kernels of a process and announces each once.
class KernelRegistry {
public:
    using Emit = std::function<void(const session::Record&)>;
    explicit KernelRegistry(Emit emit) : m_emit(std::move(emit)) {}

    /// Number of a kernel that was launched: by its function (CUfunction or CUkernel) where that is known,
    /// else, as for nodes of graphs, by its name; a node may hold the same kernel under another handle.
    /// `facts` and `timing` (null: never timed) complete what is announced of a new one.
    std::uint64_t number(const void* function, const std::string& mangledName, const KernelTiming* timing,
                         const std::function<FunctionFacts()>& facts);

    /// Number of the first kernel of that mangled name; absent when none was announced.
    [[nodiscard]] std::optional<std::uint64_t> named(const std::string& mangledName) const;

private:
    Emit m_emit;
    std::uint64_t m_next = 0;
    std::map<const void*, std::uint64_t> m_byFunction;
    std::map<std::string, std::uint64_t> m_byName;
};

} // namespace dormer::instrument::cupti::passes
