// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/line_records.h"

#include <utility>

namespace dormer::instrument::cupti::passes {

using namespace session;

void LineRecords::tell(std::uint64_t kernel, std::uint64_t launch, CountedLines counted, const Emit& emit) {
    if (m_texts)
        for (const Record& record : m_sources.named(counted.lines))
            emit(record);
    if (!counted.lines.empty() && m_codeGiven.insert(kernel).second) {
        if (counted.code && !counted.code->lines.empty()) {
            counted.code->kernel = kernel;
            emit(std::move(*counted.code));
        }
        if (!counted.limitation.empty() && !std::exchange(m_limited, true))
            emit(Note{0, "no-disassembler", counted.limitation});
    }
    emit(LaunchLines{launch, std::move(counted.lines)});
}

} // namespace dormer::instrument::cupti::passes
