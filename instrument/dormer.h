// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Instrument your own benchmark with two lines; outside Dormer they cost nothing but an NVTX range.
///
///     dormer::instrument::Session session;
///     while (session.nextPass()) {
///         dormer::instrument::Range range{"family/variant"};
///         kernel<<<grid, block>>>(...);
///     }
///
/// Outside Dormer the loop body runs once. Inside, it runs once undisturbed for durations and once more for
/// each counter pass, so the body must launch the same kernels in the same order every time. C++17, needs
/// only NVTX 3.

#include "instrument/collector_abi.h"

#include <nvtx3/nvToolsExt.h>

#include <dlfcn.h>

#include <cstdlib>

namespace dormer::instrument {

namespace detail {
/// The collector of this process, or null outside Dormer.
inline const DormerCollector* collector() {
    static const DormerCollector* const found = []() -> const DormerCollector* {
        const char* path = std::getenv(DORMER_COLLECTOR_ENV);
        if (path == nullptr || *path == '\0') return nullptr;
        void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL); // already loaded by CUDA, or a moment early
        if (library == nullptr) return nullptr;
        using Entry = const DormerCollector* (*)(uint32_t);
        const auto entry = reinterpret_cast<Entry>(dlsym(library, "dormerCollector"));
        return entry != nullptr ? entry(DORMER_COLLECTOR_ABI) : nullptr;
    }();
    return found;
}
} // namespace detail

/// True when a Dormer collector watches this process.
inline bool active() {
    return detail::collector() != nullptr;
}

/// Runs a sequence of launches as often as the collector needs. Sessions follow one another; they don't nest.
class Session {
public:
    bool nextPass() {
        ++m_pass;
        const DormerCollector* collector = detail::collector();
        return collector != nullptr ? collector->nextPass() != 0 : m_pass == 1;
    }
    /// True during the first pass: work that only has to be done once belongs there.
    [[nodiscard]] bool firstPass() const { return m_pass == 1; }

private:
    int m_pass = 0;
};

/// Names the launches made during its life: a workload for Dormer, an NVTX push/pop range for every other
/// tool.
class Range {
public:
    explicit Range(const char* name) {
        nvtxRangePushA(name);
        if (const DormerCollector* collector = detail::collector()) collector->pushWorkload(name);
    }
    ~Range() {
        if (const DormerCollector* collector = detail::collector()) collector->popWorkload();
        nvtxRangePop();
    }
    Range(const Range&) = delete;
    Range& operator=(const Range&) = delete;
};

} // namespace dormer::instrument
