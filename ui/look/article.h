// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

class QLabel;
class QVBoxLayout;

namespace dormer::ui::look {

/// A paragraph of the details: wraps, may be selected, and never pushes the article wider than the panel.
[[nodiscard]] QLabel* paragraph(const QString& words, bool muted = false);
/// Heading of a part of the details.
void addHeading(QVBoxLayout& article, const QString& words);

} // namespace dormer::ui::look
