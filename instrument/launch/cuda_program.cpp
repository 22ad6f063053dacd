// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/cuda_program.h"

#include <fmt/format.h>
#include <gelf.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

namespace dormer::instrument::launch {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kRuntime = "libcudart.so.13";

struct ElfFile {
    int fd = -1;
    Elf* elf = nullptr;
    ~ElfFile() {
        if (elf != nullptr) elf_end(elf);
        if (fd >= 0) close(fd);
    }
};

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream{text};
    for (std::string part; std::getline(stream, part, separator);)
        if (!part.empty()) parts.push_back(part);
    return parts;
}

void readDynamic(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, ProgramFacts& facts) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) return;
    const auto count = static_cast<int>(data->d_size / header.sh_entsize);
    for (int i = 0; i < count; ++i) {
        GElf_Dyn entry;
        if (gelf_getdyn(data, i, &entry) == nullptr) return;
        if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_RPATH) continue;
        const char* text = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
        if (text == nullptr) continue;
        if (entry.d_tag == DT_NEEDED)
            facts.needed.emplace_back(text);
        else
            facts.rpath = split(text, ':');
    }
}

} // namespace

namespace {

bool canRun(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

/// What the kernel would say of these only as "No such file or directory" and "Exec format error", or leave
/// to the shell. Empty for a program that can start.
std::string objection(const fs::path& program) {
    std::array<char, 256> head{}; // as much as the kernel reads of "#!" lines
    std::ifstream file(program, std::ios::binary);
    file.read(head.data(), head.size() - 1);
    const std::string_view text(head.data(), static_cast<std::size_t>(file.gcount()));
    if (text.starts_with("#!")) {
        std::istringstream words{std::string(text.substr(2, text.find('\n') - 2))};
        std::string interpreter;
        words >> interpreter;
        return canRun(interpreter) ? "" : fmt::format("its interpreter {} was not found", interpreter);
    }
    if (!text.starts_with(ELFMAG) || text.size() < sizeof(Elf64_Ehdr)) return {};
    if (text[EI_CLASS] == ELFCLASS32)
        return "it is a 32-bit program, and CUDA's libraries are 64-bit: build with -m64";
    Elf64_Ehdr header, own;
    std::memcpy(&header, text.data(), sizeof header);
    std::ifstream("/proc/self/exe", std::ios::binary).read(reinterpret_cast<char*>(&own), sizeof own);
    return header.e_machine == own.e_machine
               ? ""
               : fmt::format("it is built for another kind of CPU (ELF machine {}, here {})",
                             header.e_machine, own.e_machine);
}

Result<fs::path> unlessObjected(const fs::path& program) {
    const std::string problem = objection(program);
    if (problem.empty()) return program;
    return failure(ErrorKind::Target, fmt::format("can't start {}: {}", program.string(), problem));
}

} // namespace

Result<fs::path> findProgram(const std::string& word, const fs::path& folder) {
    if (word.find('/') != std::string::npos) {
        const fs::path file = folder / word; // of an absolute word, that word
        if (canRun(file)) return unlessObjected(file);
        return failure(ErrorKind::Target,
                       fmt::format("can't start {}: {}", file.string(),
                                   access(file.c_str(), F_OK) == 0 ? "not an executable" : "no such file"));
    }
    const char* path = std::getenv("PATH");
    for (const std::string& part : split(path != nullptr ? path : "", ':'))
        if (canRun(fs::path{part} / word)) return unlessObjected(fs::path{part} / word);
    return failure(
        ErrorKind::Target,
        fmt::format("can't start {}: it is not on the PATH (write ./{} for a file here)", word, word));
}

Result<ProgramFacts> readProgram(const fs::path& program) {
    ProgramFacts facts;
    ElfFile file;
    file.fd = open(program.c_str(), O_RDONLY | O_CLOEXEC);
    if (file.fd < 0)
        return failure(ErrorKind::Target,
                       fmt::format("can't read {}: {}", program.string(), std::strerror(errno)));
    if (elf_version(EV_CURRENT) == EV_NONE) return facts;
    file.elf = elf_begin(file.fd, ELF_C_READ, nullptr);
    if (file.elf == nullptr || elf_kind(file.elf) != ELF_K_ELF) return facts;
    facts.isElf = true;
    std::size_t names = 0;
    if (elf_getshdrstrndx(file.elf, &names) != 0) return facts;
    for (Elf_Scn* section = elf_nextscn(file.elf, nullptr); section != nullptr;
         section = elf_nextscn(file.elf, section)) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) == nullptr) continue;
        if (header.sh_type == SHT_DYNAMIC) readDynamic(file.elf, section, header, facts);
        const char* name = elf_strptr(file.elf, names, header.sh_name);
        if (name != nullptr && std::strcmp(name, ".nvFatBinSegment") == 0) facts.hasDeviceCode = true;
    }
    return facts;
}

bool needsHandles(const ProgramFacts& facts) {
    const auto begins = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::any_of(facts.needed, [&](const std::string& library) {
            return std::ranges::any_of(
                names, [&](const std::string_view name) { return library.starts_with(name); });
        });
    };
    return begins({"libcublas", "libcufft", "libcurand", "libcusparse", "libcusolver", "libcudnn",
                   "libnvrtc."}) &&
           !begins({"libasan"});
}

Result<void> checkEmulatable(const fs::path& program) {
    const Result<ProgramFacts> facts = readProgram(program);
    if (!facts) return std::unexpected(facts.error());
    const std::string name = program.filename().string();
    const auto runtime = std::ranges::find_if(
        facts->needed, [](const std::string& library) { return library.starts_with("libcudart.so"); });
    if (runtime == facts->needed.end()) {
        if (!facts->hasDeviceCode) return {};
        return failure(
            ErrorKind::Target,
            fmt::format("{} links the CUDA runtime statically, so the emulator can't replace it: build "
                        "it with nvcc -cudart shared (CMake: CUDA_RUNTIME_LIBRARY Shared)",
                        name));
    }
    if (*runtime != kRuntime)
        return failure(ErrorKind::Target,
                       fmt::format("{} is linked against {}, but the emulator replaces {}: build "
                                   "it with CUDA 13",
                                   name, *runtime, kRuntime));
    for (const std::string& folder : facts->rpath) {
        std::error_code ignored;
        if (!fs::exists(fs::path{folder} / kRuntime, ignored)) continue;
        return failure(
            ErrorKind::Target,
            fmt::format("{} loads the CUDA runtime from {} (DT_RPATH): link it with "
                        "-Wl,--enable-new-dtags, or remove the folder with patchelf --remove-rpath",
                        name, folder));
    }
    return {};
}

} // namespace dormer::instrument::launch
