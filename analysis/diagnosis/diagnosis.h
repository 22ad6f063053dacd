// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/group_finding.h"
#include "analysis/diagnosis/todo.h"

#include <memory>

namespace dormer::diagnosis {

/// Estimated savings by the finding that saves most; those of several findings overlap.
struct Gain {
    double ns = 0;
    std::optional<double> speedup; ///< old time / new time
};

/// What is known of a session: its groups of launches, their verdicts, findings and estimated savings, and
/// the to-do list. Everything is worked out once, when it is requested, and kept until a record that changes
/// it is followed; a launch that arrives costs the judging of its group, which looks at its other launches
/// by what is kept of them. Refers to the session. References
/// stay valid until the next record. Not thread-safe.
class Diagnosis {
public:
    explicit Diagnosis(const session::Session& session);

    [[nodiscard]] const session::Session& session() const { return m_metrics.session(); }
    [[nodiscard]] const metrics::MetricEvaluator& metrics() const { return m_metrics; }

    /// In order of first launch.
    [[nodiscard]] const std::vector<metrics::LaunchGroup>& groups() const { return m_groups.all(); }
    /// Index into groups(). Two launches are the same where it is.
    [[nodiscard]] std::size_t groupOf(session::LaunchIndex launch) const { return m_groups.groupOf(launch); }
    /// What a person reads for a launch, the label of its group.
    [[nodiscard]] const std::string& label(session::LaunchIndex launch) const {
        return groups()[groupOf(launch)].label;
    }
    [[nodiscard]] session::LaunchSignature signatureOf(session::LaunchIndex launch) const {
        return m_groups.signatureOf(launch);
    }

    [[nodiscard]] const verdict::Verdict& verdict(session::LaunchIndex launch) const;
    /// The same, but not kept when it is new: for whoever looks at each launch of a long session once.
    [[nodiscard]] verdict::Verdict judged(session::LaunchIndex launch) const;
    /// Counts per instruction that tell about a launch: its own, else those of the first of its group that
    /// has any and whose sectors per request are the same. Empty when there is none.
    [[nodiscard]] std::span<const session::LineCounts> lines(session::LaunchIndex launch) const;
    /// Of one launch, largest savings first. Not kept: a long session has to fit.
    [[nodiscard]] std::vector<findings::Finding> findings(session::LaunchIndex launch) const;
    /// Those of all its launches, largest savings first.
    [[nodiscard]] const std::vector<GroupFinding>& findingsOfGroup(std::size_t group) const;
    /// Of one launch; absent without an estimate or a duration.
    [[nodiscard]] std::optional<Gain> gain(session::LaunchIndex launch) const;
    /// Of all launches of a group, by the finding that saves most over them.
    [[nodiscard]] std::optional<Gain> gainOfGroup(std::size_t group) const;
    /// The first kMostToDos.
    [[nodiscard]] const std::vector<ToDo>& toDoList() const;

    /// Follows a record that the session has folded in; `changed` is what Session::apply returned. True when
    /// everything may be different now: a process, device, kernel or ceiling is.
    bool follow(const session::Record& record, std::optional<session::LaunchIndex> changed);
    /// More launches like this one ran than the session holds: they count in its group's calls, time and
    /// savings.
    void fold(session::LaunchIndex like, const metrics::Folded& more);
    [[nodiscard]] const std::map<session::LaunchIndex, metrics::Folded>& folds() const {
        return m_groups.folds();
    }
    /// Launches of the session and those folded.
    [[nodiscard]] std::size_t launches() const { return session().launches().size() + m_folded; }

private:
    metrics::MetricEvaluator m_metrics;
    metrics::LaunchGroups m_groups;
    std::size_t m_kernels; ///< known so far
    std::size_t m_folded = 0;
    // Kept when first requested. Pointers keep references valid while the session grows.
    struct Judged {
        session::LaunchIndex representative{};
        bool alike = false; ///< all launches do the same
        std::vector<GroupFinding> findings;
    };
    [[nodiscard]] std::unique_ptr<Judged> judgeGroup(std::size_t group) const;
    [[nodiscard]] const Traits& traits(session::LaunchIndex launch) const;
    /// Drops what is kept of one launch.
    void forget(session::LaunchIndex launch);

    mutable std::vector<std::unique_ptr<verdict::Verdict>> m_verdicts; ///< by launch
    mutable std::vector<std::unique_ptr<Judged>> m_judged;             ///< by group
    mutable std::vector<Traits> m_traits;                              ///< by launch
    mutable std::vector<bool> m_hasTraits;                             ///< by launch
    mutable std::optional<std::vector<ToDo>> m_toDo;
};

} // namespace dormer::diagnosis
