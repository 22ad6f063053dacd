// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/todo.h"
#include "ui/sessions/session_hub.h"
#include "ui/tables/fact_model.h"

#include <optional>

namespace dormer::ui::todo {

/// Columns and rows of the to-do list. Keys stay the same for the same finding of the same group.
struct ToDoTable {
    std::vector<tables::FactColumn> columns;
    std::vector<tables::FactRow> rows;
};
[[nodiscard]] ToDoTable toDoTable(const std::vector<diagnosis::ToDo>& list);

/// Where a finding's first place is to be seen; absent without one.
[[nodiscard]] std::optional<sessions::SourcePlace> firstPlace(const findings::Finding& finding);
[[nodiscard]] sessions::SourcePlace placeOf(const findings::FindingPlace& place);

/// "\u2212377 \u00b5s"
[[nodiscard]] QString gainText(double ns);

} // namespace dormer::ui::todo
