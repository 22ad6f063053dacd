// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/call_graph.h"

#include <elf.h>

#include <algorithm>
#include <set>

namespace dormer::instrument::cupti::sass {

namespace {

struct Call {
    std::uint32_t caller = 0, callee = 0; ///< numbers in the symbol table
};

std::vector<Call> callsIn(Bytes image) {
    const Bytes section = elfSection(image, ".nv.callgraph");
    std::vector<Call> calls(section.size() / sizeof(Call));
    if (!calls.empty()) std::memcpy(calls.data(), section.data(), calls.size() * sizeof(Call));
    return calls;
}

} // namespace

std::vector<std::string> callersOf(Bytes image, std::string_view callee) {
    std::vector<std::string> names;
    const auto called = elfFunctionIndex(image, callee);
    if (!called) return names;
    const std::vector<Call> calls = callsIn(image);
    std::set<std::uint32_t> reached{*called};
    // Graphs are small, and few calls deep.
    for (std::size_t before = 0; before != reached.size();) {
        before = reached.size();
        for (const Call& call : calls)
            if (reached.contains(call.callee)) reached.insert(call.caller);
    }
    reached.erase(*called);
    const Bytes symbols = elfSection(image, ".symtab"), texts = elfSection(image, ".strtab");
    for (const std::uint32_t index : reached)
        if (const auto symbol = readAt<Elf64_Sym>(symbols, std::uint64_t{index} * sizeof(Elf64_Sym)))
            if (const std::string_view name = textAt(texts, symbol->st_name); !name.empty())
                names.emplace_back(name);
    return names;
}

} // namespace dormer::instrument::cupti::sass
