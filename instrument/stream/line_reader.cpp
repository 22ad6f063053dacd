// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/stream/line_reader.h"

namespace dormer::instrument::stream {

void LineReader::feed(std::string_view bytes, const std::function<void(std::string_view)>& line) {
    const auto deliver = [&](std::string_view whole) {
        if (whole.ends_with('\r')) whole.remove_suffix(1);
        if (!whole.empty()) line(whole);
    };
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view piece = bytes.substr(0, end);
        if (!m_skipping && m_pending.size() + piece.size() > m_maxLineBytes) {
            m_skipping = true;
            m_pending.clear();
            m_pending.shrink_to_fit();
            ++m_dropped;
        }
        if (end == std::string_view::npos) {
            if (!m_skipping) m_pending += piece;
            return;
        }
        bytes.remove_prefix(end + 1);
        if (m_skipping) {
            m_skipping = false;
        } else if (m_pending.empty()) {
            deliver(piece); // the common case: no copy
        } else {
            m_pending += piece;
            // Emptied first, so that a callback that throws does not see this line again.
            const std::string whole = std::move(m_pending);
            m_pending.clear();
            deliver(whole);
        }
    }
}

} // namespace dormer::instrument::stream
