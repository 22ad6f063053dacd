// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"
#include "instrument/collect/source_files.h"
#include "instrument/cupti/passes/backends.h"

#include <functional>
#include <set>

namespace dormer::instrument::cupti::passes {

/// Tells the counts of launches' instructions, with the source files and the code they lie in, each once.
class LineRecords {
public:
    using Emit = std::function<void(const session::Record&)>;
    /// `sources`: the text of source files is told too.
    explicit LineRecords(bool sources) : m_texts(sources) {}

    /// True until a kernel's code was told: making it takes time.
    [[nodiscard]] bool needsCode(std::uint64_t kernel) const { return !m_codeGiven.contains(kernel); }
    /// `kernel`, `launch`: their numbers, which are told already.
    void tell(std::uint64_t kernel, std::uint64_t launch, CountedLines counted, const Emit& emit);

private:
    bool m_texts;
    bool m_limited = false; ///< why a part is missing was told
    collect::SourceFiles m_sources;
    std::set<std::uint64_t> m_codeGiven; ///< kernels
};

} // namespace dormer::instrument::cupti::passes
