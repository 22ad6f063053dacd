// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"
#include "instrument/launch/installation.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace dormer::ui::learn {

/// One of the kernels that a lesson compares.
struct Choice {
    QString workload; ///< "family/variant"
    QString variant;
    QString shows; ///< one sentence
};

/// A family of the built-in suite, as a question: which of these is the fastest?
struct Lesson {
    QString family, title;
    QString about; ///< what there is to learn, one sentence
    std::vector<Choice> choices;
    [[nodiscard]] QStringList workloads() const;
};

/// At most so many kernels are compared in a lesson.
inline constexpr std::size_t kMostChoices = 5;

/// The suite's families in its order, those that differ by one thing at a time: variants that are no points
/// of a sweep, then the first, the middle and the last point of sweeps. What computes wrong results on
/// purpose, and a family with fewer than two kernels to compare, is left out.
[[nodiscard]] std::vector<Lesson> lessonsOf(const std::vector<instrument::launch::WorkloadInfo>& suite);

/// What came of a choice.
struct Outcome {
    std::size_t choice = 0;                         ///< of the lesson
    double ns = 0;                                  ///< of its kernels, in one run of the workload
    session::LaunchIndex launch{};                  ///< the one that takes most of it
    verdict::Bound bound = verdict::Bound::Unknown; ///< of that
};

/// The choices whose kernels have a time, the fastest first. Repeated launches of a kernel count with their
/// mean, so that it does not matter how often each was repeated.
[[nodiscard]] std::vector<Outcome> outcomesOf(const Lesson& lesson, const diagnosis::Diagnosis& diagnosis);

} // namespace dormer::ui::learn
