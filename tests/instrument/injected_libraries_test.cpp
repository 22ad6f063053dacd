// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"

#include <gelf.h>

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <vector>

namespace {

/// Names of the libraries a library asks the dynamic linker for.
std::vector<std::string> neededBy(const char* path) {
    std::vector<std::string> names;
    elf_version(EV_CURRENT);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    REQUIRE(fd >= 0);
    Elf* elf = elf_begin(fd, ELF_C_READ, nullptr);
    REQUIRE(elf != nullptr);
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNAMIC) continue;
        Elf_Data* data = elf_getdata(section, nullptr);
        for (std::size_t i = 0; i < data->d_size / header.sh_entsize; ++i) {
            GElf_Dyn entry;
            gelf_getdyn(data, static_cast<int>(i), &entry);
            if (entry.d_tag == DT_NEEDED)
                names.emplace_back(elf_strptr(elf, header.sh_link, entry.d_un.d_val));
        }
    }
    elf_end(elf);
    close(fd);
    return names;
}

/// Bytes of variables by thread, which each thread of the program gets with its stack.
std::size_t threadBytesOf(const char* path) {
    std::size_t bytes = 0, count = 0;
    elf_version(EV_CURRENT);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    REQUIRE(fd >= 0);
    Elf* elf = elf_begin(fd, ELF_C_READ, nullptr);
    REQUIRE(elf != nullptr);
    REQUIRE(elf_getphdrnum(elf, &count) == 0);
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr && header.p_type == PT_TLS)
            bytes += header.p_memsz;
    }
    elf_end(elf);
    close(fd);
    return bytes;
}

} // namespace

TEST_CASE("Threads of foreign programs, which may have small stacks, get few variables of ours") {
    CHECK(threadBytesOf(DORMER_COLLECTOR_LIBRARY) < 4096);
    CHECK(threadBytesOf(DORMER_EMULATOR_CUDART) < 4096);
}

TEST_CASE("What goes into foreign programs needs none of the libraries Dormer is built on") {
    const char* library = GENERATE(DORMER_COLLECTOR_LIBRARY, DORMER_EMULATOR_CUDART);
    const std::vector<std::string> needed = neededBy(library);
    CAPTURE(library);
    CHECK_FALSE(needed.empty());
    for (const std::string& name : needed) {
        CAPTURE(name);
        for (const std::string_view ours :
             {"libstdc++", "libfmt", "libre2", "libutf8proc", "libsqlite3", "libSQLiteCpp"})
            CHECK_FALSE(name.starts_with(ours));
    }
}
