// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"

#include <chrono>

namespace dormer::cli {

/// "3 launches, 1.23 ms on the GPU", and below it the kernels that took the most time so far: share of it,
/// what bounds them, name. Of at most `most` kernels, in lines of at most `width` characters; 0 = any.
[[nodiscard]] std::vector<std::string> topKernels(const diagnosis::Diagnosis& diagnosis, std::size_t most,
                                                  std::size_t width);

/// Shows them on stderr while a program runs: on a terminal a table that is redrawn in place each second,
/// else a line every two seconds. Looking costs at most a twentieth of the time, so that whoever sends
/// records does not wait for it.
class TopKernels {
public:
    TopKernels(bool enabled, bool terminal);

    [[nodiscard]] bool due() const { return m_enabled && Clock::now() >= m_next; }
    /// Draws when it is due.
    void update(const diagnosis::Diagnosis& diagnosis);
    /// Takes the table off the terminal before something else is printed.
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    void draw(const diagnosis::Diagnosis& diagnosis);

    bool m_enabled;
    bool m_terminal;
    Clock::time_point m_next;
    std::size_t m_onScreen = 0; ///< lines
};

} // namespace dormer::cli
