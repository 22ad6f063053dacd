// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace dormer::instrument::stream {

/// Cuts a byte stream into lines as pieces arrive. A line longer than the limit is dropped whole and counted,
/// so that a runaway target can't exhaust memory.
class LineReader {
public:
    explicit LineReader(std::size_t maxLineBytes = std::size_t{8} << 20) : m_maxLineBytes(maxLineBytes) {}

    /// Calls `line` for each line completed by these bytes, without its line end. Empty lines are skipped.
    void feed(std::string_view bytes, const std::function<void(std::string_view)>& line);
    /// What is left when the stream ended in mid-line: the mark of a target that was killed.
    [[nodiscard]] const std::string& unfinished() const { return m_pending; }
    [[nodiscard]] std::size_t droppedLines() const { return m_dropped; }

private:
    std::size_t m_maxLineBytes;
    std::string m_pending;
    bool m_skipping = false;
    std::size_t m_dropped = 0;
};

} // namespace dormer::instrument::stream
