// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/setup/run_setup.h"

#include <QList>

namespace dormer::ui::setup {

/// The programs profiled lately, the last first, from the user's settings.
[[nodiscard]] QList<TypedProgram> recentPrograms();
/// Puts one first; the oldest of more than eight goes.
void rememberProgram(const TypedProgram& program);

} // namespace dormer::ui::setup
