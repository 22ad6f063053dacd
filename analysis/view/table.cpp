// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/table.h"

#include "analysis/view/text.h"

#include <algorithm>

namespace dormer::view {

std::string headText(const Column& column) {
    return column.unit.empty() ? column.title : column.title + ", " + column.unit;
}

std::string foldedHead(const Column& column) {
    const std::string head = headText(column);
    std::string folded = head + '\n';
    std::size_t least = displayWidth(head);
    for (std::size_t at = head.find(' '); at != std::string::npos; at = head.find(' ', at + 1)) {
        const std::string first = head.substr(0, head[at - 1] == ',' ? at - 1 : at);
        const std::string second = head.substr(at + 1);
        const std::size_t width = std::max(displayWidth(first), displayWidth(second));
        if (width >= least) continue;
        least = width;
        folded = first + '\n' + second;
    }
    return folded;
}

} // namespace dormer::view
