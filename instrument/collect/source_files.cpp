// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/source_files.h"

#include "analysis/base/utf8.h"
#include "analysis/session/user_line.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace dormer::instrument::collect {

namespace fs = std::filesystem;
using session::LineCounts;
using session::Record;

namespace {

struct Youngest {
    const void* ownBase = nullptr; ///< where the library with this code is loaded
    std::optional<fs::file_time_type> time;
};

int lookAt(dl_phdr_info* object, std::size_t, void* data) {
    auto& youngest = *static_cast<Youngest*>(data);
    // The program itself has no name here; nor has what the kernel maps, whose address is not 0 either.
    const bool isProgram = *object->dlpi_name == '\0';
    if (!isProgram && reinterpret_cast<const void*>(object->dlpi_addr) == youngest.ownBase) return 0;
    std::error_code error;
    const fs::file_time_type time =
        fs::last_write_time(isProgram ? "/proc/self/exe" : object->dlpi_name, error);
    if (!error && (!youngest.time || time > *youngest.time)) youngest.time = time;
    return 0;
}

/// The text of a regular file of at most `most` bytes; nothing when it is none, or is not text.
std::optional<std::string> readText(const std::string& path, std::size_t most) {
    // Not blocking: a path from a program's debug information may be a pipe's.
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return std::nullopt;
    std::optional<std::string> text;
    struct stat facts {};
    if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) &&
        static_cast<std::size_t>(facts.st_size) <= most) {
        text.emplace(static_cast<std::size_t>(facts.st_size), '\0');
        std::size_t have = 0;
        while (have < text->size()) {
            const ssize_t got = read(file, text->data() + have, text->size() - have);
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) break;
            have += static_cast<std::size_t>(got);
        }
        text->resize(have);
    }
    close(file);
    if (!text || text->empty() || text->find('\0') != std::string::npos) return std::nullopt;
    return text;
}

} // namespace

std::optional<fs::file_time_type> programBuildTime() {
    Youngest youngest;
    Dl_info own{};
    if (dladdr(reinterpret_cast<const void*>(&programBuildTime), &own) != 0) youngest.ownBase = own.dli_fbase;
    dl_iterate_phdr(lookAt, &youngest);
    return youngest.time;
}

void SourceFiles::add(const std::string& path, std::vector<Record>& records) {
    if (!m_files.insert(path).second) return;
    const auto text = readText(path, std::min(kMaxFileBytes, kMaxBytes - m_bytes));
    if (!text) return;
    m_bytes += text->size();
    records.emplace_back(session::SourceFile{path, base::withValidUtf8(*text)});
    if (m_newerTold) return;
    std::error_code error;
    const fs::file_time_type changed = fs::last_write_time(path, error);
    const auto built = m_built();
    if (error || !built || changed <= *built) return;
    m_newerTold = true;
    records.emplace_back(session::Note{
        0, "source-newer",
        fmt::format("{} changed after the program was built: its lines may not be those that ran; "
                    "rebuild the program",
                    path)});
}

std::vector<Record> SourceFiles::named(std::span<const session::LineCounts> lines) {
    std::vector<Record> records;
    for (const session::LineCounts& line : lines) {
        if (line.file.empty() || !m_chains.insert({line.file, line.inlinedAt}).second) continue;
        const std::vector<session::SourceFrame> frames = session::framesOf(line);
        bool anyOwn = false;
        for (const session::SourceFrame& frame : frames) {
            if (session::isLibraryFile(frame.file)) continue;
            anyOwn = true;
            add(frame.file, records);
        }
        if (!anyOwn && !frames.empty()) add(frames.front().file, records);
    }
    return records;
}

} // namespace dormer::instrument::collect
