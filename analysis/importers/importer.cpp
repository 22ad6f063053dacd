// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/importer.h"

#include "analysis/base/utf8.h"
#include "analysis/importers/ncu/csv_pages.h"
#include "analysis/importers/ncu/report.h"
#include "analysis/importers/ncu/text_page.h"
#include "analysis/importers/open_questions.h"
#include "analysis/importers/parts/csv_rows.h"
#include "analysis/importers/traces/nsys_database.h"
#include "analysis/importers/traces/torch_trace.h"

#include <fmt/format.h>

#include <fstream>

namespace dormer::importers {

namespace {

/// Files are read whole: what is larger is no report of a profiler, or not to be held in memory.
constexpr std::uintmax_t kMostBytes = std::uintmax_t{4} << 30U;

Result<std::string> bytesOf(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return failure(ErrorKind::Input, "is a folder");
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) return failure(ErrorKind::Input, error.message());
    if (size > kMostBytes) return failure(ErrorKind::Input, "is larger than 4 GiB");
    std::ifstream file(path, std::ios::binary);
    std::string bytes(size, '\0');
    if (!file.read(bytes.data(), static_cast<std::streamsize>(size)) && size > 0)
        return failure(ErrorKind::Input, "can't be read");
    return bytes;
}

Result<void> importBytes(std::string bytes, SessionBuilder& builder) {
    if (bytes.empty()) return failure(ErrorKind::Input, "is empty");
    if (bytes.starts_with("\x1F\x8B"))
        return failure(ErrorKind::Input, "is compressed: unpack it with gunzip first");
    if (bytes.starts_with("version https://git-lfs"))
        return failure(ErrorKind::Input,
                       "is a Git LFS pointer, not the file itself: fetch it with 'git lfs pull'");
    if (isNcuReport(bytes)) return importNcuReport(bytes, builder);
    const std::string text = textOf(std::move(bytes));
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && text[first] == '{') return importTorchTrace(text, builder);
    if (isNcuCsv(text)) return importNcuCsv(text, builder);
    if (importNcuText(text, builder)) return {};
    if (text.find("ERR_NVGPUCTRPERM") != std::string::npos)
        return failure(ErrorKind::Input,
                       "holds no kernel: ncu had no permission to read counters (ERR_NVGPUCTRPERM)");
    return failure(ErrorKind::Input,
                   "is nothing that can be imported: ncu's CSV and text pages and .ncu-rep, nsys' .sqlite, "
                   "PyTorch's traces can be");
}

} // namespace

Result<session::Session> importFile(const std::filesystem::path& path) {
    const auto withName = [&](const Error& error) {
        return failure(error.kind, fmt::format("{}: {}", path.string(), error.message));
    };
    Result<std::string> bytes = bytesOf(path);
    if (!bytes) return withName(bytes.error());
    SessionBuilder builder;
    const bool database = bytes->starts_with("SQLite format 3");
    const auto imported =
        database ? importNsysDatabase(path, builder) : importBytes(std::move(*bytes), builder);
    if (!imported) return withName(imported.error());
    if (builder.session().launches().empty())
        return failure(ErrorKind::Input, fmt::format("{}: no kernel is in it", path.string()));
    builder.note(0, "imported",
                 fmt::format("Imported from {}", base::withValidUtf8(path.filename().string())));
    addOpenQuestions(builder);
    return builder.take();
}

} // namespace dormer::importers
