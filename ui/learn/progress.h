// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace dormer::ui::learn {

/// How somebody fared in a lesson; remembered in the settings.
enum class Progress { Open, Wrong, Right };

[[nodiscard]] Progress progressIn(const QString& family);
/// A right prediction stays one.
void remember(const QString& family, bool right);

} // namespace dormer::ui::learn
