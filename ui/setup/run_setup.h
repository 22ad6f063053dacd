// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/request/collect_request.h"
#include "ui/setup/run_options.h"

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

/// All that the controls say.
struct RunSetup : RunOptions {
    Subject subject = Subject::Workloads;
    QStringList workloads; ///< "family/variant"
    TypedProgram program;
};

/// Why controls can't be used with this setup on this device; empty for those that can.
struct Unavailable {
    QString sampled, stalls, replay, check, onFault, timeLimit, sizes;
};
[[nodiscard]] Unavailable unavailable(const RunSetup& setup, const instrument::launch::ChosenDevice& device);
/// Why nothing is sampled: with counts per line, or where the device can't.
[[nodiscard]] QString whyNotSampled(Subject subject, const instrument::launch::ChosenDevice& device,
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
/// ("train.py"). None of a program on another machine.
[[nodiscard]] QStringList filesOf(const instrument::launch::Target& target);

/// What a run will collect and how often launches run for it: "counter set 'memory': an uninstrumented run
/// and at most 5 replay passes".
[[nodiscard]] QString estimateOf(const RunSetup& setup, const instrument::launch::ChosenDevice& device);

} // namespace dormer::ui::setup
