// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/todo.h"
#include "ui/fact_model.h"
#include "ui/session_hub.h"

#include <optional>

namespace dormer::ui {

/// Columns and rows of the to-do list. Keys stay the same for the same finding of the same group.
struct ToDoTable {
    std::vector<FactColumn> columns;
    std::vector<FactRow> rows;
};
[[nodiscard]] ToDoTable toDoTable(const std::vector<analysis::ToDo>& list);

/// Where a finding's first place is to be seen; absent without one.
[[nodiscard]] std::optional<SourcePlace> firstPlace(const analysis::Finding& finding);
[[nodiscard]] SourcePlace placeOf(const analysis::FindingPlace& place);

/// "\u2212377 \u00b5s"
[[nodiscard]] QString gainText(double ns);

} // namespace dormer::ui
