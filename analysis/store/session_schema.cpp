// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_schema.h"

#include "analysis/store/session_file.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <fstream>

namespace dormer::store {

namespace tables {
TableSpec processes() {
    return {"processes", "process", false, columnsOf<session::Process>()};
}
TableSpec devices() {
    return {"devices", nullptr, true, columnsOf<session::Device>()};
}
TableSpec kernels() {
    return {"kernels", "kernel", true, columnsOf<session::Kernel>()};
}
TableSpec launches() {
    return {"launches", "launch", true, columnsOf<session::Launch>()};
}
TableSpec lines() {
    TableSpec table{"lines", nullptr, false, columnsOf<session::LineCounts>()};
    table.columns.insert(table.columns.begin(), {"launch", "INTEGER", true});
    return table;
}
TableSpec ranges() {
    return {"nvtx_ranges", nullptr, true, columnsOf<session::NvtxRange>()};
}
TableSpec notes() {
    return {"notes", nullptr, true, columnsOf<session::Note>()};
}
TableSpec expectations() {
    return {"expectations", nullptr, false, columnsOf<session::Expectation>()};
}
TableSpec checks() {
    return {"checks", nullptr, false, columnsOf<session::Check>()};
}
TableSpec ceilings() {
    return {"measured_ceilings", nullptr, true, columnsOf<session::MeasuredCeiling>()};
}
TableSpec workloads() {
    return {"workloads", nullptr, false, columnsOf<session::Workload>()};
}
TableSpec sweeps() {
    return {"sweeps", nullptr, false, columnsOf<session::Sweep>()};
}
TableSpec transfers() {
    return {"transfers", nullptr, true, columnsOf<session::Transfer>()};
}
TableSpec memoryCalls() {
    return {"memory_calls", nullptr, true, columnsOf<session::MemoryCall>()};
}
TableSpec deviceActivity() {
    return {"device_activity", nullptr, true, columnsOf<session::DeviceActivity>()};
}
TableSpec sourceFiles() {
    return {"source_files", nullptr, false, columnsOf<session::SourceFile>()};
}
TableSpec kernelCode() {
    return {"kernel_code", nullptr, true, columnsOf<session::KernelCode>()};
}
TableSpec signatureCounters() {
    return {"signature_counters", "row", true, columnsOf<session::SignatureCounter>()};
}
TableSpec warpSamples() {
    return {"warp_samples", nullptr, true, columnsOf<session::WarpSamples>()};
}
TableSpec unknownRecords() {
    return {"unknown_records", nullptr, false, {{"json", "TEXT", true}}};
}
} // namespace tables

std::vector<std::string> createStatements() {
    using namespace tables;
    std::vector<std::string> statements;
    for (const TableSpec& table :
         {processes(),   devices(),    kernels(),           launches(),    lines(),
          ranges(),      notes(),      expectations(),      checks(),      ceilings(),
          workloads(),   sweeps(),     transfers(),         memoryCalls(), deviceActivity(),
          sourceFiles(), kernelCode(), signatureCounters(), warpSamples(), unknownRecords()}) {
        std::string columns;
        const auto add = [&](const std::string& column) {
            columns += (columns.empty() ? "" : ", ") + column;
        };
        if (table.key != nullptr) add(fmt::format("{} INTEGER PRIMARY KEY", table.key));
        if (table.ofProcess) add("process INTEGER NOT NULL");
        for (const Column& column : table.columns) {
            add(fmt::format("\"{}\" {}{}", column.name, column.type, column.required ? " NOT NULL" : ""));
        }
        if (table.name == std::string_view("devices")) add("UNIQUE (process, id)");
        statements.push_back(fmt::format("CREATE TABLE {} ({})", table.name, columns));
    }
    statements.emplace_back("CREATE TABLE counters (launch INTEGER PRIMARY KEY)");
    return statements;
}

Result<FileHeader> readFileHeader(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) {
        return failure(ErrorKind::Input, fmt::format("cannot open {}: there is no such file", path.string()));
    }
    if (std::filesystem::is_directory(status)) {
        return failure(ErrorKind::Input, fmt::format("cannot open {}: it is a directory", path.string()));
    }
    if (!std::filesystem::is_regular_file(status)) { // a pipe would block for ever
        return failure(ErrorKind::Input,
                       fmt::format("cannot open {}: it is not a regular file", path.string()));
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return failure(ErrorKind::Input,
                       fmt::format("cannot open {}: {}", path.string(), std::strerror(errno)));
    }
    std::array<unsigned char, 100> bytes{};
    file.read(reinterpret_cast<char*>(bytes.data()), bytes.size());

    // https://www.sqlite.org/fileformat2.html, "The Database Header"; numbers are big-endian.
    FileHeader header;
    constexpr std::string_view kMagic{"SQLite format 3\0", 16};
    header.isDatabase = file.gcount() == static_cast<std::streamsize>(bytes.size()) &&
                        std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
    if (!header.isDatabase) return header;
    const auto number = [&](std::size_t at) {
        return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
               std::uint32_t{bytes[at + 2]} << 8 | std::uint32_t{bytes[at + 3]};
    };
    header.isSession = number(68) == static_cast<std::uint32_t>(kApplicationId);
    header.version = static_cast<std::int32_t>(number(60));
    std::uint64_t pageBytes = std::uint64_t{bytes[16]} << 8 | bytes[17];
    if (pageBytes == 1) pageBytes = 65536;
    if (number(24) == number(92)) header.declaredBytes = pageBytes * number(28);
    return header;
}

} // namespace dormer::store
