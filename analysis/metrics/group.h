// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/launch_signature.h"
#include "analysis/session/session.h"

#include <map>

namespace dormer::metrics {

/// Launches of one signature.
struct LaunchGroup {
    /// Short name of the kernel, with what tells it from others of the workload (session::instanceNames).
    std::string kernel;
    std::string
        label; ///< the workload, with `kernel` added where it runs several; without a workload `kernel`
    std::vector<session::LaunchIndex> launches; ///< in launch order
    std::size_t folded = 0;                     ///< more of them, of which only counts and times are kept
    double foldedNs = 0;                        ///< their times
    double totalNs = 0;                         ///< of all
    session::LaunchIndex representative{};      ///< the counted launch of median duration
    [[nodiscard]] std::size_t calls() const { return launches.size() + folded; }
};

/// Launches of which only number and time are known, beside one that they are like.
struct Folded {
    std::size_t launches = 0;
    double ns = 0;
};

/// The launches of a session by signature. Follows a session that grows; what changed in it must be said.
/// Not thread-safe.
class LaunchGroups {
public:
    explicit LaunchGroups(const session::Session& session) : m_session(&session) {}

    /// In order of first launch. Linear in the launches that are new and in the groups that changed.
    [[nodiscard]] const std::vector<LaunchGroup>& all() const;
    /// Index into all(). Two launches are the same where it is.
    [[nodiscard]] std::size_t groupOf(session::LaunchIndex launch) const;
    [[nodiscard]] session::LaunchSignature signatureOf(session::LaunchIndex launch) const;

    /// Duration, counters or configuration of a launch changed.
    void update(session::LaunchIndex launch);
    /// A device or kernel changed: launches may belong elsewhere.
    void reset();
    /// More launches like this one ran than the session holds.
    void fold(session::LaunchIndex like, const Folded& more);
    [[nodiscard]] const std::map<session::LaunchIndex, Folded>& folds() const { return m_folds; }

private:
    /// The different kernels of a workload's groups; of "" those launched outside of workloads.
    struct WorkloadKernels {
        std::map<std::uint64_t, std::string> names;
        bool stale = true; ///< there are more kernels since the names were made
    };

    void add(session::LaunchIndex launch) const;
    void addAll() const;
    void touch(std::size_t group) const;
    void refresh(std::size_t group) const;
    void nameKernels() const;
    [[nodiscard]] std::uint64_t firstKernelOfName(std::size_t kernel) const;

    const session::Session* m_session;
    // Worked out when requested.
    mutable std::vector<LaunchGroup> m_groups;
    mutable std::unordered_map<session::LaunchSignature, std::size_t, session::LaunchSignatureHash> m_places;
    mutable std::vector<std::size_t> m_groupOf;       ///< by launch
    mutable std::vector<std::size_t> m_stale;         ///< groups whose numbers are old
    mutable std::vector<bool> m_isStale;              ///< by group
    mutable std::vector<std::uint64_t> m_firstOfName; ///< by kernel
    mutable std::unordered_map<std::string, std::uint64_t> m_kernelNamed;
    mutable std::unordered_map<std::string, WorkloadKernels> m_kernelsOf; ///< by workload
    mutable bool m_namesStale = false;                                    ///< of some workload
    std::map<session::LaunchIndex, Folded> m_folds;
};

/// The counted launch of median duration, or of all where none is counted; of an even number the shorter of
/// the two in the middle. Linear in launches, of which there is one.
[[nodiscard]] session::LaunchIndex medianLaunch(const session::Session& session,
                                                const std::vector<session::LaunchIndex>& launches);

/// Indices of the `most` groups that took the most time, the longest first.
[[nodiscard]] std::vector<std::size_t> longestFirst(std::span<const LaunchGroup> groups,
                                                    std::size_t most = static_cast<std::size_t>(-1));

} // namespace dormer::metrics
