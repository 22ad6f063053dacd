// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/setup/run_options.h"

namespace dormer::ui::setup {
namespace {

const QString kCounterSet = QStringLiteral("counterSet");

/// Calls `visit` with the name and the place of each.
template <typename Options, typename Visit>
void eachOption(Options& options, Visit visit) {
    visit(kCounterSet, options.counterSet);
    visit(QStringLiteral("lines"), options.lines);
    visit(QStringLiteral("stalls"), options.stalls);
    visit(QStringLiteral("kernels"), options.kernels);
    visit(QStringLiteral("nvtx"), options.nvtx);
    visit(QStringLiteral("nvtxAllThreads"), options.nvtxAllThreads);
    visit(QStringLiteral("launches"), options.launches);
    visit(QStringLiteral("replay"), options.replay);
    visit(QStringLiteral("budget"), options.budget);
    visit(QStringLiteral("flushCaches"), options.flushCaches);
    visit(QStringLiteral("check"), options.check);
    visit(QStringLiteral("onFault"), options.onFault);
    visit(QStringLiteral("timeLimit"), options.timeLimit);
    visit(QStringLiteral("size"), options.size);
    visit(QStringLiteral("sizes"), options.sizes);
    visit(QStringLiteral("repeat"), options.repeat);
}

QVariantMap valuesOf(const RunOptions& options) {
    QVariantMap values;
    eachOption(options, [&](const QString& name, const auto& value) { values.insert(name, value); });
    return values;
}

} // namespace

QVariantMap changesOf(const RunOptions& options) {
    static const QVariantMap first = valuesOf(RunOptions());
    QVariantMap changes = valuesOf(options);
    changes.removeIf([](const auto& each) { return first.value(each.key()) == each.value(); });
    return changes;
}

RunOptions optionsFrom(const QVariantMap& changes) {
    RunOptions options;
    eachOption(options, [&]<typename Value>(const QString& name, Value& value) {
        if (changes.contains(name)) value = changes.value(name).value<Value>();
    });
    return options;
}

QString changedText(const RunOptions& options) {
    QVariantMap changes = changesOf(options);
    changes.remove(kCounterSet);
    if (changes.isEmpty()) return {};
    return QStringLiteral("%1 %2 set")
        .arg(changes.size())
        .arg(changes.size() == 1 ? QLatin1String("option") : QLatin1String("options"));
}

} // namespace dormer::ui::setup
