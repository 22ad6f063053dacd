// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/elf_image.h"

#include <elf.h>

#include <algorithm>

namespace dormer::instrument::cupti::sass {

std::string_view textAt(Bytes strings, std::uint64_t at) {
    if (at >= strings.size()) return {};
    const Bytes rest = strings.subspan(static_cast<std::size_t>(at));
    const auto end = std::ranges::find(rest, std::byte{0});
    if (end == rest.end()) return {};
    return {reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin())};
}

Bytes elfSection(Bytes image, std::string_view name) {
    const auto header = readAt<Elf64_Ehdr>(image, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_shentsize != sizeof(Elf64_Shdr))
        return {};
    const auto section = [&](std::uint64_t index) {
        return readAt<Elf64_Shdr>(image, header->e_shoff + index * sizeof(Elf64_Shdr));
    };
    const auto nameSection = section(header->e_shstrndx);
    if (!nameSection) return {};
    const auto names = part(image, nameSection->sh_offset, nameSection->sh_size);
    if (!names) return {};
    for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
        const auto each = section(i);
        if (!each) return {};
        if (each->sh_type != SHT_NOBITS && textAt(*names, each->sh_name) == name)
            return part(image, each->sh_offset, each->sh_size).value_or(Bytes{});
    }
    return {};
}

std::optional<std::uint32_t> elfFunctionIndex(Bytes image, std::string_view name) {
    const Bytes symbols = elfSection(image, ".symtab"), names = elfSection(image, ".strtab");
    for (std::uint32_t i = 0; i < symbols.size() / sizeof(Elf64_Sym); ++i) {
        const auto symbol = readAt<Elf64_Sym>(symbols, std::uint64_t{i} * sizeof(Elf64_Sym));
        if (symbol && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && textAt(names, symbol->st_name) == name)
            return i;
    }
    return std::nullopt;
}

} // namespace dormer::instrument::cupti::sass
