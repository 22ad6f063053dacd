// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"
#include "ui/sessions/environment.h"

#include <QString>
#include <QTemporaryDir>

namespace dormer::tests {

/// An environment without a GPU: probing says so at once.
[[nodiscard]] ui::sessions::Environment withoutGpu(const QTemporaryDir& folder);
/// One made-up GPU, and the slow target in place of the workload suite.
[[nodiscard]] ui::sessions::Environment withFakeSuite(const QTemporaryDir& folder);

/// Milliseconds the slow target waits before each launch, and the code it ends with.
void setSlowTarget(int delayMs, int exitCode = 0);

/// Same processes, launches, durations and counters, in the same order.
[[nodiscard]] bool sameSession(const session::Session& a, const session::Session& b);

/// Pumps the event loop until the condition holds; false after 20 seconds.
template <typename Condition>
[[nodiscard]] bool eventually(Condition condition);

} // namespace dormer::tests

#include <QTest>

template <typename Condition>
bool dormer::tests::eventually(Condition condition) {
    // Long enough for a loaded machine; a passing test never waits for it.
    return QTest::qWaitFor(condition, 20000);
}
