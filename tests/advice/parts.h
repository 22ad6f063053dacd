// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/cli_process.h"

#include <map>
#include <string>

namespace dormer::tests {

/// Parts of a program by name: from `// part: NAME` to the next.
inline std::map<std::string, std::string> partsOf(const std::string& file) {
    constexpr std::string_view kMark = "// part: ";
    const std::string text = readFile(DORMER_SOURCE_DIR "/tests/advice/" + file);
    std::map<std::string, std::string> parts;
    for (std::size_t at = text.find(kMark); at != std::string::npos;) {
        const std::size_t end = text.find('\n', at), next = text.find(kMark, end);
        parts[text.substr(at + kMark.size(), end - at - kMark.size())] = text.substr(end, next - end);
        at = next;
    }
    return parts;
}

} // namespace dormer::tests
