// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

#include <functional>

namespace dormer::instrument::cupti::passes {

/// Counts one launch in all passes. The program's own run of it is timed; for each pass the memory is put
/// back as it was before, and the kernel launched again. What the last leaves is what the program goes on
/// with.
class LaunchReplay {
public:
    LaunchReplay(CounterBackend& counters, MemoryBackend* memory) : m_counters(counters), m_memory(memory) {}

    /// Before the program's launch, with nothing under way: saves the memory.
    [[nodiscard]] Result<void> begin();
    /// After it has ended. `again` launches it once more; false: CUDA refused.
    [[nodiscard]] Result<std::map<std::string, double>> finish(const std::function<bool()>& again);
    /// Instead of finish(), once it has ended: it was not alone, or the program has gone on since.
    void abandon();

private:
    /// A pass; true: it was the last.
    [[nodiscard]] Result<bool> repeat(const std::function<bool()>& again);

    CounterBackend& m_counters;
    MemoryBackend* m_memory; ///< null: begin() fails
    std::string m_broken;    ///< memory could not be put back: nothing more is run twice
};

} // namespace dormer::instrument::cupti::passes
