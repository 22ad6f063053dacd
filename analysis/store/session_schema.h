// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/session/record_fields.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

/// How the types of the model lie in a session file. Private to the writer and the reader.
namespace dormer::store {

struct Column {
    std::string name;
    const char* type;
    bool required; ///< NOT NULL; other columns hold NULL for what was not collected
};

/// Lists the columns of a type's fields.
class ColumnLister {
public:
    template <typename T>
    void required(const char* name, const T&) {
        add(name, typeName<T>(), true);
    }
    template <typename T>
    void known(const char* name, const T&) {
        add(name, typeName<T>(), false);
    }
    template <typename T>
    void field(const char* name, const T&) {
        if constexpr (std::is_same_v<T, session::Dim3>) {
            for (const char* axis : {"_x", "_y", "_z"})
                add(std::string(name) + axis, "INTEGER", true);
        } else {
            add(name, typeName<T>(), std::is_integral_v<T> || std::is_same_v<T, session::Origin>);
        }
    }

    std::vector<Column> columns;

private:
    template <typename T>
    static constexpr const char* typeName() {
        if constexpr (std::is_integral_v<T> || std::is_same_v<T, std::optional<std::int32_t>> ||
                      std::is_same_v<T, std::optional<std::uint32_t>> ||
                      std::is_same_v<T, std::optional<std::uint64_t>>) {
            return "INTEGER";
        } else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, std::optional<double>>) {
            return "REAL";
        } else {
            return "TEXT";
        }
    }
    void add(std::string name, const char* type, bool required) {
        columns.push_back({std::move(name), type, required});
    }
};

template <typename T>
[[nodiscard]] std::vector<Column> columnsOf() {
    ColumnLister lister;
    const T value{};
    session::visitFields(lister, value);
    if constexpr (std::is_same_v<T, session::Process>) session::visitEnd(lister, value);
    return lister.columns;
}

struct TableSpec {
    const char* name;
    const char* key; ///< INTEGER PRIMARY KEY; null when rows have no key of their own
    bool ofProcess;  ///< has the column "process"
    std::vector<Column> columns;
};

/// All tables but "counters", whose columns come as counters do.
namespace tables {
[[nodiscard]] TableSpec processes();
[[nodiscard]] TableSpec devices();
[[nodiscard]] TableSpec kernels();
[[nodiscard]] TableSpec launches();
[[nodiscard]] TableSpec lines();
[[nodiscard]] TableSpec ranges();
[[nodiscard]] TableSpec notes();
[[nodiscard]] TableSpec expectations();
[[nodiscard]] TableSpec checks();
[[nodiscard]] TableSpec ceilings();
[[nodiscard]] TableSpec workloads();
[[nodiscard]] TableSpec sweeps();
[[nodiscard]] TableSpec transfers();
[[nodiscard]] TableSpec memoryCalls();
[[nodiscard]] TableSpec deviceActivity();
[[nodiscard]] TableSpec sourceFiles();
[[nodiscard]] TableSpec kernelCode();
[[nodiscard]] TableSpec signatureCounters();
[[nodiscard]] TableSpec warpSamples();
[[nodiscard]] TableSpec unknownRecords();
} // namespace tables

/// "CREATE TABLE ..." of every table.
[[nodiscard]] std::vector<std::string> createStatements();

/// What the first hundred bytes of a file tell. Messages name the path.
struct FileHeader {
    bool isDatabase = false;
    bool isSession = false; ///< an SQLite database with our application_id
    std::int32_t version = 0;
    std::uint64_t declaredBytes = 0; ///< pages times page size; 0 when the header does not say
};
[[nodiscard]] Result<FileHeader> readFileHeader(const std::filesystem::path& path);

/// Most processes in one session: a number from a file must not make us allocate without end.
inline constexpr std::uint32_t kMaxProcesses = 65536;

} // namespace dormer::store
