// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/request/collect_request.h"

#include <QString>
#include <QStringList>

/// What to run and what to collect: as somebody set the controls, and as a target.
namespace dormer::ui::setup {

using instrument::request::Subject;

/// A program as somebody typed it.
struct TypedProgram {
    QString command;     ///< with its arguments, quoted as in a shell
    QString environment; ///< "NAME=value ...", quoted likewise
    QString folder;      ///< to start in; empty: where the app was started
    bool operator==(const TypedProgram&) const = default;
};

/// All that the controls say. What is empty is chosen by subject and device.
struct RunSetup {
    Subject subject = Subject::Workloads;
    QStringList workloads; ///< "family/variant"
    TypedProgram program;
    QString counterSet;
    bool lines = false;
    bool stalls = false;   ///< sample warps instead of counters
    QString kernels, nvtx; ///< regular expression, glob
    bool nvtxAllThreads = false;
    QString launches; ///< a number or "all"
    bool flushCaches = true;
    QString timeLimit; ///< seconds
    QString size;      ///< elements per workload
    QString sizes;     ///< "gpu" or "emulator": whose defaults
    QString repeat;    ///< launches per workload
};

/// Why controls can't be used with this subject on this device; empty for those that can. With counts per
/// line, nothing is sampled.
struct Unavailable {
    QString sampled, stalls, timeLimit, sizes;
};
[[nodiscard]] Unavailable unavailable(Subject subject, const instrument::launch::ChosenDevice& device,
                                      bool lines);

/// The set where nobody chose one.
[[nodiscard]] QString defaultCounterSet(Subject subject, const instrument::launch::ChosenDevice& device,
                                        bool lines);

/// What is wrong with the setup, in one line of the words on the controls, or the target to run. Decided by
/// the code that decides for the command line.
[[nodiscard]] Result<instrument::launch::Target>
targetOf(const RunSetup& setup, const instrument::launch::ChosenDevice& device,
         const instrument::launch::Installation& installation);

/// Files whose change makes another program of a target: its own, and scripts that its arguments name
/// ("train.py").
[[nodiscard]] QStringList filesOf(const instrument::launch::Target& target);

/// What a run will collect and how often launches run for it: "counter set 'memory': an uninstrumented run
/// and at most 5 replay passes".
[[nodiscard]] QString estimateOf(const RunSetup& setup, const instrument::launch::ChosenDevice& device);

/// "3 options set": how many differ from what they are at first; empty for none.
[[nodiscard]] QString changedText(const RunSetup& setup);

} // namespace dormer::ui::setup
