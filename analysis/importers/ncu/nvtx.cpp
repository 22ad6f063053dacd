// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/ncu/nvtx.h"

#include <algorithm>

namespace dormer::importers {

std::size_t nvtxFields(std::string_view head) {
    for (const std::string_view name : {"Push/Pop_Range", "Start/Stop_Range"})
        if (const std::size_t at = head.find(name); at != std::string_view::npos)
            return static_cast<std::size_t>(std::ranges::count(head.substr(at), ':'));
    return 0;
}

std::string nvtxPath(std::string_view cell, std::size_t fields) {
    std::string path;
    std::size_t begin = cell.find('"');
    while (begin != std::string_view::npos) {
        const std::size_t end = cell.find('"', begin + 1);
        if (end == std::string_view::npos) break;
        std::string_view range = cell.substr(begin + 1, end - begin - 1);
        for (std::size_t i = 0; i < fields; ++i)
            range = range.substr(0, range.rfind(':'));                    // all of it where there is none
        range.remove_prefix(std::min(range.size(), range.find(':') + 1)); // the domain
        if (!range.empty()) path.append(path.empty() ? "" : " > ").append(range);
        begin = cell.find('"', end + 1);
    }
    return path;
}

} // namespace dormer::importers
