// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/catch.h"

#include <gelf.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <set>
#include <string>

namespace {

/// Names a library defines for others.
std::set<std::string> exportsOf(const char* path) {
    std::set<std::string> names;
    elf_version(EV_CURRENT);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    REQUIRE(fd >= 0);
    Elf* elf = elf_begin(fd, ELF_C_READ, nullptr);
    REQUIRE(elf != nullptr);
    for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
         section = elf_nextscn(elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNSYM) continue;
        Elf_Data* data = elf_getdata(section, nullptr);
        for (std::size_t i = 0; i < data->d_size / header.sh_entsize; ++i) {
            GElf_Sym symbol;
            gelf_getsym(data, static_cast<int>(i), &symbol);
            if (symbol.st_shndx != SHN_UNDEF) names.insert(elf_strptr(elf, header.sh_link, symbol.st_name));
        }
    }
    elf_end(elf);
    close(fd);
    return names;
}

} // namespace

TEST_CASE("The drop-in exports what the real runtime and driver do, and our two entries") {
    const std::set<std::string> real = exportsOf(DORMER_REAL_CUDART);
    std::set<std::string> ours = exportsOf(DORMER_EMULATOR_CUDART);
    CHECK(real.size() > 400);
    for (const std::string& name : real) {
        CAPTURE(name);
        CHECK(ours.contains(name));
    }
    for (const std::string& name : real)
        ours.erase(name);
    // The driver's functions are found here through an empty libcuda.so.1; the linker's stand-in lists them.
    const std::set<std::string> driver = exportsOf(DORMER_REAL_CUDA);
    CHECK(driver.size() > 600);
    for (const std::string& name : driver) {
        CAPTURE(name);
        CHECK((ours.erase(name) == 1 || !name.starts_with("cu")));
    }
    CHECK(ours == std::set<std::string>{"InitializeInjectionNvtx2", "dormerCollector"});
}
