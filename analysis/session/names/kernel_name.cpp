// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/names/kernel_aliases.h"
#include "analysis/session/names/library_names.h"
#include "analysis/session/names/name_walker.h"
#include "analysis/session/session.h"

namespace dormer::session {

std::string shortKernelName(std::string_view name) {
    if (auto alias = KernelAliases::inUse().find(name)) return std::move(*alias);
    NameWalker walker(name);
    const std::vector<std::string> parts = walker.parts();
    if (parts.empty()) return std::string(name);
    const std::string_view arguments =
        walker.templateLists().empty() ? std::string_view() : walker.templateLists().back();
    std::string result;
    if (auto known = libraryName(parts, arguments)) {
        result = std::move(*known);
    } else {
        for (const std::string& part : parts) {
            if (!result.empty()) result += "::";
            result += part;
        }
    }
    return withoutGeneratedEnd(result);
}

} // namespace dormer::session
