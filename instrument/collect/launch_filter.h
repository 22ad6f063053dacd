// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/demangle.h"
#include "analysis/session/launch_signature.h"
#include "instrument/stream/collect_options.h"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

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
    explicit LaunchFilter(stream::CollectOptions options) : m_options(std::move(options)) {}

    /// Why the launch gets no counters; empty when it does. Each call counts as a launch for --launches.
    [[nodiscard]] std::string whyNotCounted(const LaunchCall& call);

private:
    /// What --kernels says; nothing when the launcher does not answer.
    [[nodiscard]] std::optional<bool> keeps(const LaunchCall& call);

    stream::CollectOptions m_options;
    std::map<std::pair<std::string, std::string>, bool> m_kept; ///< by --kernels: workload and mangled name
    std::unordered_map<session::LaunchSignature, std::uint32_t, session::LaunchSignatureHash>
        m_countedOfSignature;
};

using base::demangled;

} // namespace dormer::instrument::collect
