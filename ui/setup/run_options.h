// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QVariantMap>

namespace dormer::ui::setup {

/// How to collect, as somebody set the controls. What is empty is chosen by subject and device.
struct RunOptions {
    QString counterSet;
    bool lines = false;
    bool stalls = false;   ///< sample warps instead of counters
    QString kernels, nvtx; ///< regular expression, glob
    bool nvtxAllThreads = false;
    QString launches; ///< a number or "all"
    QString replay;   ///< "none" or "kernel"
    QString budget;   ///< "60", "60s" or "2m"
    bool flushCaches = true;
    QString check;     ///< "race", "init", "race,init" or "none"
    QString onFault;   ///< "continue"
    QString timeLimit; ///< seconds
    QString size;      ///< elements per workload
    QString sizes;     ///< "gpu" or "emulator": whose defaults
    QString repeat;    ///< launches per workload
    bool operator==(const RunOptions&) const = default;
};

/// Those that differ from what they are at first, by name: what settings keep.
[[nodiscard]] QVariantMap changesOf(const RunOptions& options);
/// The other way round; names that are unknown are skipped.
[[nodiscard]] RunOptions optionsFrom(const QVariantMap& changes);

/// "3 options set": how many differ from what they are at first, the counter set aside; empty for none.
[[nodiscard]] QString changedText(const RunOptions& options);

} // namespace dormer::ui::setup
