// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/lines/checkpoint.h"
#include "instrument/cupti/passes/backends.h"

#include <functional>
#include <memory>
#include <set>

namespace dormer::instrument::cupti {

/// Counts per instruction of launches of a foreign program: each is run once more before it runs, patched,
/// with the context's memory saved before and put back after, so that the program's own launch stays as it
/// is.
class LineReplay {
public:
    /// In the current context, of that device.
    [[nodiscard]] static Result<std::unique_ptr<LineReplay>> create(int device, bool rangeProfilerEnabled);

    /// `launch` launches the kernel; false: CUDA refused.
    [[nodiscard]] Result<passes::CountedLines> count(const std::function<bool()>& launch);

private:
    LineReplay(std::unique_ptr<passes::LineBackend> lines, std::unique_ptr<Checkpoint> memory)
        : m_lines(std::move(lines)), m_memory(std::move(memory)) {}
    [[nodiscard]] Result<passes::CountedLines> countPatched(const std::function<bool()>& launch);

    std::unique_ptr<passes::LineBackend> m_lines;
    std::unique_ptr<Checkpoint> m_memory;
    std::string m_broken; ///< memory could not be put back: nothing more is run twice
};

} // namespace dormer::instrument::cupti
