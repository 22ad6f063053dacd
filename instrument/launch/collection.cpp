// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/collection.h"

#include "instrument/ceilings/roof_cache.h"

namespace dormer::instrument::launch {

using namespace process;

Result<CollectionEnd> runCollection(const Target& target, std::optional<store::SessionWriter> writer,
                                    const OnRecord& onRecord, std::atomic<bool>& stop) {
    CollectionEnd end;
    const auto keep = [&](const Result<void>& written) {
        if (written || end.unwritten) return;
        end.unwritten = written.error();
        stop.store(true, std::memory_order_relaxed);
    };
    const auto take = [&](const session::Record& record, std::uint32_t process) {
        if (writer && !end.unwritten) keep(writer->append(record, process));
        onRecord(record, process);
    };
    const auto ended = runTarget(
        target,
        [&](const session::Record& record, std::uint32_t process) {
            take(record, process);
            const auto* device = std::get_if<session::Device>(&record);
            if (device == nullptr || target.remote) return; // another machine sends its own roofs
            if (const auto roofs = ceilings::cachedRoofs(*device))
                for (const session::MeasuredCeiling& ceiling : ceilings::recordsOf(*roofs, device->id))
                    take(ceiling, process);
        },
        stop);
    if (writer) keep(writer->close());
    if (!ended) return std::unexpected(ended.error());
    end.target = *ended;
    return end;
}

std::vector<std::string> NoteFeed::fresh(const session::Session& session) {
    std::vector<std::string> texts;
    for (; m_seen < session.notes().size(); ++m_seen) {
        const session::Note& note = session.notes()[m_seen];
        if (m_shown.size() > kMostNotes || (m_sharesStderr && note.code.starts_with("emulator-"))) continue;
        if (!m_shown.insert(note.text).second) continue;
        texts.push_back(m_shown.size() > kMostNotes ? "more notes follow; they are not shown here"
                                                    : note.text);
    }
    return texts;
}

} // namespace dormer::instrument::launch
