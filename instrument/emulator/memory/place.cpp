// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/place.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::emulator::memory {

namespace {

std::string fileOf(const ptx::Module& module, std::uint32_t number) {
    const auto found = std::ranges::find(module.files, number, [](const auto& file) { return file.first; });
    return found == module.files.end() ? std::string() : found->second;
}

std::string shortPlace(const std::string& file, std::uint32_t line) {
    return fmt::format("{}:{}", file.substr(file.find_last_of('/') + 1), line);
}

} // namespace

std::string describePlace(const ptx::Module& module, std::uint32_t position, std::uint32_t ptxLine) {
    if (position >= module.positions.size() || module.positions[position].line == 0)
        return ptxLine != 0
                   ? fmt::format("PTX line {} (no line information: compile with -lineinfo)", ptxLine)
                   : std::string();
    const ptx::SourcePosition* at = &module.positions[position];
    std::string text = shortPlace(fileOf(module, at->file), at->line);
    for (std::size_t depth = 0; at->inlinedAt < module.positions.size() && depth < 64; ++depth) {
        at = &module.positions[at->inlinedAt];
        text += " < " + shortPlace(fileOf(module, at->file), at->line);
    }
    return text;
}

} // namespace dormer::emulator::memory
