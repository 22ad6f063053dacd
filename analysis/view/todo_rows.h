// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/diagnosis/diagnosis.h"

namespace dormer::view {

/// One item of the to-do list in words, the same in the terminal, in Markdown and on the page. Not escaped.
struct ToDoRow {
    std::string title;   ///< "Uncoalesced global access"
    std::string subject; ///< "vector_sum/uncoalesced"
    std::string place;   ///< of the worst line, "vector_sum.cu:41"; empty without one
    std::string gain;    ///< "−3.85 ms"; a dash where no estimate is honest
    std::string share;   ///< of the session's time, "6.3 %"; empty without a gain
    std::string what;    ///< of that line, else the finding's evidence
    std::string change;  ///< at that line, else the finding's advice; a sentence
};

[[nodiscard]] ToDoRow toDoRow(const diagnosis::ToDo& item);

/// What stands where the list is empty.
inline constexpr std::string_view kNothingToDo = "Nothing to do: the counters collected show no fault.";
/// Why items name no lines and how to get them; empty when the session has lines, or can't have them.
[[nodiscard]] std::string whyNoPlaces(const session::Session& session);

} // namespace dormer::view
