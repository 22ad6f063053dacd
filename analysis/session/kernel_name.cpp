// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/name_walker.h"
#include "analysis/session/session.h"

#include <algorithm>

namespace dormer::session {

std::string shortKernelName(std::string_view name) {
    std::vector<std::string> parts = NameWalker(name).parts();
    if (parts.empty()) return std::string(name);
    // Of the CUDA libraries only the outermost name tells something: what lies between is versions and
    // details.
    const auto isLibrary = [](const std::string& part) { return part == "cub" || part == "thrust"; };
    auto library = std::find_if(parts.begin(), parts.end() - 1, isLibrary);
    if (library == parts.end() - 1 && parts.front() == "cuda") library = parts.begin();
    if (library != parts.end() - 1) {
        auto last = parts.end() - 1;
        if (last - library > 1 && last->starts_with("operator")) --last;
        parts.erase(library + 1, last);
        parts.erase(parts.begin(), library);
    }
    std::string result;
    for (const std::string& part : parts) {
        if (!result.empty()) result += "::";
        result += part;
    }
    return result;
}

} // namespace dormer::session
