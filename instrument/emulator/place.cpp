// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/place.h"

#include <fmt/format.h>

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

namespace dormer::emulator {

namespace {

std::string fileOf(const ptx::Module& module, std::uint32_t number) {
    const auto found = std::ranges::find(module.files, number, [](const auto& file) { return file.first; });
    return found == module.files.end() ? std::string() : found->second;
}

std::string shortPlace(const std::string& file, std::uint32_t line) {
    return fmt::format("{}:{}", file.substr(file.find_last_of('/') + 1), line);
}

} // namespace

std::string demangle(const std::string& mangled) {
    int status = 0;
    char* text = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    if (status != 0 || text == nullptr) return mangled;
    std::string name(text);
    std::free(text); // NOLINT: __cxa_demangle hands over malloc'ed memory
    return name;
}

Place placeOf(const ptx::Module& module, std::uint32_t position) {
    Place place;
    if (position >= module.positions.size()) return place;
    const ptx::SourcePosition* at = &module.positions[position];
    place.file = fileOf(module, at->file);
    place.line = at->line;
    if (!at->function.empty()) place.function = demangle(at->function);
    for (std::size_t depth = 0; at->inlinedAt < module.positions.size() && depth < 64; ++depth) {
        at = &module.positions[at->inlinedAt];
        if (!place.inlinedAt.empty()) place.inlinedAt += " < ";
        place.inlinedAt += fmt::format("{}:{}", fileOf(module, at->file), at->line);
    }
    return place;
}

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

} // namespace dormer::emulator
