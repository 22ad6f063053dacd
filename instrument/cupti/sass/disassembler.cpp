// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/disassembler.h"

#include "instrument/cupti/sass/helper_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace dormer::instrument::cupti::sass {

namespace fs = std::filesystem;

namespace {

/// A cubin as a file, as long as this lives.
class CubinFile {
public:
    explicit CubinFile(Bytes cubin) {
        std::error_code error;
        const fs::path folder = fs::temp_directory_path(error);
        m_path = (error ? fs::path("/tmp") : folder) / "dormer-XXXXXX.cubin";
        const int file = mkostemps(m_path.data(), 6, O_CLOEXEC);
        if (file < 0) {
            m_path.clear();
            return;
        }
        bool written = true;
        for (std::size_t at = 0; written && at < cubin.size();) {
            const ssize_t count = write(file, cubin.data() + at, cubin.size() - at);
            if (count < 0 && errno == EINTR) continue;
            written = count > 0;
            at += written ? static_cast<std::size_t>(count) : 0;
        }
        close(file);
        m_complete = written;
    }
    CubinFile(const CubinFile&) = delete;
    CubinFile& operator=(const CubinFile&) = delete;
    ~CubinFile() {
        if (!m_path.empty()) unlink(m_path.c_str());
    }
    /// Empty when it could not be written.
    [[nodiscard]] std::string path() const { return m_complete ? m_path : ""; }

private:
    std::string m_path;
    bool m_complete = false;
};

bool isProgram(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

} // namespace

fs::path findDisassembler(const fs::path& toolkitLibrary) {
    std::vector<fs::path> folders;
    // CUPTI is in extras/CUPTI/lib64, targets/x86_64-linux/lib, or lib of a toolkit's folder.
    for (fs::path at = toolkitLibrary.parent_path(); at.has_relative_path(); at = at.parent_path())
        folders.push_back(at / "bin");
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
            folders.push_back(fs::path(value) / "bin");
    if (const char* path = std::getenv("PATH"); path != nullptr) {
        std::string_view rest = path;
        while (!rest.empty()) {
            const std::string_view folder = rest.substr(0, rest.find(':'));
            rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
            if (folder.starts_with('/')) folders.emplace_back(folder);
        }
    }
    folders.emplace_back("/usr/local/cuda/bin");
    for (const fs::path& folder : folders)
        if (fs::path program = folder / "nvdisasm"; isProgram(program)) return program;
    return {};
}

Result<std::vector<SassLine>> disassemble(const fs::path& nvdisasm, Bytes cubin,
                                          const std::string& mangledName, std::chrono::milliseconds limit) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point deadline = Clock::now() + limit;
    const CubinFile file(cubin);
    if (file.path().empty())
        return failure(ErrorKind::Target, "no folder for temporary files can be written (TMPDIR)");
    const auto listed = [&](std::vector<std::string> arguments) -> Result<std::vector<SassLine>> {
        arguments.push_back(file.path());
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
        const Result<std::string> listing = runHelper(nvdisasm, arguments, left);
        if (!listing) return std::unexpected(listing.error());
        std::vector<SassLine> lines = parseListing(*listing, mangledName);
        if (lines.empty())
            return failure(ErrorKind::Target,
                           fmt::format("{} lists no function {}", nvdisasm.string(), mangledName));
        return lines;
    };
    if (const auto index = elfFunctionIndex(cubin, mangledName)) {
        auto lines = listed({"-c", "-fun", std::to_string(*index)});
        if (lines || Clock::now() >= deadline) return lines;
    }
    return listed({"-c"});
}

Result<std::string> listing(const fs::path& nvdisasm, Bytes cubin, std::chrono::milliseconds limit) {
    const CubinFile file(cubin);
    if (file.path().empty())
        return failure(ErrorKind::Target, "no folder for temporary files can be written (TMPDIR)");
    return runHelper(nvdisasm, {"-c", file.path()}, limit);
}

} // namespace dormer::instrument::cupti::sass
