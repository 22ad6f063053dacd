// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

#include <functional>
#include <memory>

namespace dormer::instrument::cupti {

/// Counts per instruction of launches of a foreign program: each is run once more after it has run, patched,
/// with the context's memory as it was before.
class LineReplay {
public:
    /// In the current context, of that device. `memory` saves and restores what the context has.
    [[nodiscard]] static Result<std::unique_ptr<LineReplay>> create(int device, bool rangeProfilerEnabled,
                                                                    passes::MemoryBackend& memory);

    /// Before the program's launch, with nothing under way: saves the memory.
    [[nodiscard]] Result<void> begin();
    /// After it has ended. `again` launches it once more; false: CUDA refused.
    [[nodiscard]] Result<passes::CountedLines> finish(const std::function<bool()>& again);
    /// Instead of finish().
    void abandon() { m_memory.release(); }

private:
    LineReplay(std::unique_ptr<passes::LineBackend> lines, passes::MemoryBackend& memory)
        : m_lines(std::move(lines)), m_memory(memory) {}
    [[nodiscard]] Result<passes::CountedLines> countPatched(const std::function<bool()>& again);
    [[nodiscard]] std::unexpected<Error> broken(const std::string& why);

    std::unique_ptr<passes::LineBackend> m_lines;
    passes::MemoryBackend& m_memory;
    std::string m_broken; ///< memory could not be put back: nothing more is run twice
};

} // namespace dormer::instrument::cupti
