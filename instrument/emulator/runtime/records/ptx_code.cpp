// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/records/ptx_code.h"

#include "analysis/base/utf8.h"
#include "analysis/session/kernel_code.h"

#include <map>

namespace dormer::emulator::runtime {

namespace {

constexpr std::size_t kMaxLines = 50'000, kMaxBytes = std::size_t{4} << 20;

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// Source positions by line of the PTX text.
using Positions = std::map<std::uint32_t, const ptx::SourcePosition*>;

Positions positionsOf(const ptx::Function& function, const ptx::Module& module) {
    Positions positions;
    for (const ptx::Instruction& instruction : function.body)
        if (instruction.position < module.positions.size())
            positions.emplace(instruction.textLine, &module.positions[instruction.position]);
    return positions;
}

} // namespace

session::KernelCode ptxCode(const program::Kernel& kernel) {
    const ptx::Module& module = kernel.source();
    const std::map<std::uint32_t, std::string> files(module.files.begin(), module.files.end());
    session::KernelCode code;
    code.language = session::CodeLanguage::Ptx;
    std::size_t bytes = 0;
    for (const ptx::FunctionText& function : kernel.texts()) {
        if (function.function >= module.functions.size()) continue;
        const Positions positions = positionsOf(module.functions[function.function], module);
        std::string_view rest = function.text;
        for (std::uint32_t number = function.line; !rest.empty(); ++number) {
            const std::size_t end = rest.find('\n');
            const std::string_view text = trimmed(rest.substr(0, end));
            rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
            if (text.empty() || text.starts_with(".loc\t") || text.starts_with(".loc ") ||
                text.starts_with(".file"))
                continue;
            bytes += text.size();
            if (code.lines.size() == kMaxLines || bytes > kMaxBytes) return code;
            std::string_view file;
            std::uint32_t line = 0;
            if (const auto at = positions.find(number); at != positions.end()) {
                const auto named = files.find(at->second->file);
                if (named != files.end()) {
                    file = named->second;
                    line = at->second->line;
                }
            }
            session::addCodeLine(code, number, file, line, base::withValidUtf8(text));
        }
    }
    return code;
}

} // namespace dormer::emulator::runtime
