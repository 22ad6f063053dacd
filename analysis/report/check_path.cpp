// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/report.h"

#include "analysis/view/chart_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace dormer::report {

namespace {

using Writer = void (*)(const diagnosis::Diagnosis&, const base::TextSink&);

/// Lines are there when they were collected: a file has room for all.
void completeJson(const diagnosis::Diagnosis& diagnosis, const base::TextSink& sink) {
    writeJson(diagnosis, {.withLines = diagnosis.session().hasLines()}, sink);
}

void longCsv(const diagnosis::Diagnosis& diagnosis, const base::TextSink& sink) {
    writeCsv(diagnosis, CsvForm::Long, sink);
}

void markdown(const diagnosis::Diagnosis& diagnosis, const base::TextSink& sink) {
    sink(markdownText(diagnosis));
}

/// Chart a reader of a single picture wants first: the work most of the GPU time is judged by.
void defaultChart(const diagnosis::Diagnosis& diagnosis, const base::TextSink& sink) {
    sink(rooflineSvg(diagnosis, view::prevailingWork(diagnosis), verdict::MemoryLevel::Dram));
}

void page(const diagnosis::Diagnosis& diagnosis, const base::TextSink& sink) {
    const auto& processes = diagnosis.session().processes();
    const std::string program = processes.empty()
                                    ? std::string()
                                    : std::filesystem::path(processes.front().program).filename().string();
    sink(htmlReport(diagnosis, program.empty() ? "Kernel report" : program));
}

/// The first that fits is it.
constexpr std::array<std::pair<std::string_view, Writer>, 7> kFormats{{{".trace.json", writeTrace},
                                                                       {".html", page},
                                                                       {".htm", page},
                                                                       {".md", markdown},
                                                                       {".csv", longCsv},
                                                                       {".json", completeJson},
                                                                       {".svg", defaultChart}}};

Result<Writer> writerFor(const std::filesystem::path& path) {
    std::string name = path.filename().string();
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto* found = std::ranges::find_if(kFormats, [&](const auto& format) {
        return name.size() > format.first.size() && name.ends_with(format.first);
    });
    if (found == kFormats.end())
        return failure(ErrorKind::Usage,
                       fmt::format("{}: can't tell the report's format from this name: let it end in .html, "
                                   ".md, .csv, .json, .trace.json or .svg",
                                   path.string()));
    return found->second;
}

std::unexpected<Error> unwritable(const std::filesystem::path& path, int error) {
    return failure(ErrorKind::Usage,
                   fmt::format("{}: can't write the report: {}; choose another path", path.string(),
                               error ? std::strerror(error) : "write failed"));
}

} // namespace

Result<void> checkReportPath(const std::filesystem::path& path) {
    if (const auto writer = writerFor(path); !writer) return std::unexpected(writer.error());
    // Opening is the only test that knows about permissions, read-only mounts and quotas alike. An existing
    // file keeps its content; a new one goes again.
    std::error_code ignored;
    const bool existed = std::filesystem::exists(path, ignored);
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::app);
    if (!file) return unwritable(path, errno);
    file.close();
    if (!existed) std::filesystem::remove(path, ignored);
    return {};
}

Result<void> writeReport(const diagnosis::Diagnosis& diagnosis, const std::filesystem::path& path) {
    const auto writer = writerFor(path);
    if (!writer) return std::unexpected(writer.error());
    errno = 0;
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    if (!file) return unwritable(path, errno);
    (*writer)(diagnosis, [&](std::string_view text) {
        return !file.write(text.data(), static_cast<std::streamsize>(text.size())).fail();
    });
    file.close();
    if (!file) return unwritable(path, errno);
    return {};
}

} // namespace dormer::report
