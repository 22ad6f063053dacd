// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

namespace dormer::instrument::cupti::passes {

/// One copy of the memory for all who want it as it was before the same launch.
class SharedMemoryBackend : public MemoryBackend {
public:
    explicit SharedMemoryBackend(MemoryBackend& memory) : m_memory(memory) {}

    [[nodiscard]] Result<void> save() override {
        if (m_users == 0)
            if (Result<void> saved = m_memory.save(); !saved) return saved;
        ++m_users;
        return {};
    }
    [[nodiscard]] Result<void> restore() override { return m_memory.restore(); }
    /// The last one's gives back what the first one's save() took.
    void release() override {
        if (m_users > 0 && --m_users == 0) m_memory.release();
    }

private:
    MemoryBackend& m_memory;
    int m_users = 0;
};

} // namespace dormer::instrument::cupti::passes
