// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/demangle.h"
#include "analysis/session/model.h"
#include "instrument/stream/collect_options.h"

#include <map>
#include <optional>
#include <regex>
#include <string>

namespace dormer::instrument::collect {

/// A launch as the collector sees it.
struct LaunchCall {
    const void* function = nullptr; ///< CUfunction or CUkernel; identity of the kernel within the process
    std::string mangledName;
    std::uint32_t correlationId = 0;
    session::Dim3 grid, block;
    std::uint64_t dynamicSharedBytes = 0;
    const void* stream = nullptr; ///< the program's handle of it
    std::string workload, nvtx;
    std::uint64_t run = 0; ///< of the workload, see workloadRun()
};

/// The options' say in which launches get counters: --set none, --kernels, --nvtx, --launches.
class LaunchFilter {
public:
    explicit LaunchFilter(const stream::CollectOptions& options);

    /// Why the launch gets no counters; empty when it does. Each call counts as a launch for --launches.
    [[nodiscard]] std::string whyNotCounted(const LaunchCall& call);
    /// What is wrong with the options, in one line; empty when nothing is.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

private:
    stream::CollectOptions m_options;
    std::optional<std::regex> m_kernels;
    std::string m_problem;
    std::map<std::string, std::uint32_t> m_countedOfSignature;
};

using base::demangled;

/// `pattern` with '*' and '?', against the whole text.
[[nodiscard]] bool globMatches(const std::string& pattern, const std::string& text);

} // namespace dormer::instrument::collect
