// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/explain/search.h"

namespace dormer::ui::sessions {
class SessionHub;
} // namespace dormer::ui::sessions

namespace dormer::ui::explain {

/// A page of the reader: Markdown, and the heading to begin at.
struct Explanation {
    QString title;
    QString markdown; ///< empty: there is no such thing
    QString heading{};
};

/// What an address leads to, with the numbers of the launch that is selected: "metric:NAME", "finding:CODE",
/// "roof:RESOURCE", "verdict:BOUND", "doc:PAGE.md#anchor".
[[nodiscard]] Explanation explanationOf(const QString& address, const sessions::SessionHub& hub);

/// Everything that has an explanation, and the kernels of the session ("kernel:LAUNCH").
[[nodiscard]] QList<Item> explainedItems(const sessions::SessionHub& hub);

} // namespace dormer::ui::explain
