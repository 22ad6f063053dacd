// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/setup/run_setup.h"

#include <QList>

namespace dormer::ui::setup {

/// A program that was profiled, and how.
struct RecentProgram {
    TypedProgram program;
    RunOptions options;
    bool operator==(const RecentProgram&) const = default;
};

/// The programs profiled lately, the last first, from the user's settings.
[[nodiscard]] QList<RecentProgram> recentPrograms();
/// Puts one first, with the options that it ran with last; the oldest of more than eight goes.
void rememberProgram(const RecentProgram& recent);

} // namespace dormer::ui::setup
