// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/store/session_schema.h"

#include <sqlite3.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

namespace dormer::store {

/// Thrown inside the reader for anything in a file that is not as a session file has it.
struct BrokenFile : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// How much a file may make us allocate: no more text than it has bytes, whatever its pages claim.
struct ReadBudget {
    std::uint64_t textBytes = 0;
};

/// Rows of one table, in order of their key, checked cell by cell. Uses SQLite's C interface: SQLiteCpp's
/// Column shares ownership of the statement with each cell, which is felt over the millions of cells of a
/// large session.
class RowReader {
public:
    RowReader(sqlite3* database, std::string table, const std::string& sql, ReadBudget& budget);

    /// Steps to the next row. Keys must grow: pages that refer to one another in circles would repeat them.
    bool next();
    /// The first column.
    [[nodiscard]] std::int64_t key() const { return m_key; }

    // Cells of the row, one after the other from the second column; they are what a visitor of fields needs.
    template <typename T>
    void required(const char* name, T& value) {
        readCell(name, value, true);
    }
    template <typename T>
    void known(const char* name, T& value) {
        readCell(name, value, false);
    }
    template <typename T>
    void field(const char* name, T& value) {
        readCell(name, value, false);
    }
    void field(const char* name, session::Dim3& value) {
        for (std::uint32_t* axis : {&value.x, &value.y, &value.z})
            readCell(name, *axis, true);
    }

    /// A number, or nothing for NULL; `column` counts from 0.
    [[nodiscard]] std::optional<double> number(int column, const std::string& name) const;

private:
    template <typename T>
    void readCell(const char* name, T& value, bool required) {
        const int column = ++m_column;
        if (sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL) {
            if (required) fail(name, "is NULL");
        } else {
            read(name, column, value);
        }
    }
    template <std::integral T>
    void read(const char* name, int column, T& value) {
        const std::int64_t number = integer(name, column);
        if (!std::in_range<T>(number)) fail(name, "is out of range");
        value = static_cast<T>(number);
    }
    void read(const char* name, int column, bool& value);
    void read(const char* name, int column, double& value);
    void read(const char* name, int column, std::string& value);
    void read(const char* name, int column, session::Origin& value);
    void read(const char* name, int column, std::vector<std::string>& value);
    template <session::AsText T>
    void read(const char* name, int column, T& value) {
        std::string text;
        read(name, column, text);
        fromString(text, value);
    }
    template <session::AsText T>
    void read(const char* name, int column, std::vector<T>& value) {
        std::vector<std::string> texts;
        read(name, column, texts);
        value = session::parsedTexts<T>(texts);
    }
    template <typename T>
    void read(const char* name, int column, std::optional<T>& value) {
        read(name, column, value.emplace());
    }
    [[nodiscard]] std::int64_t integer(const char* name, int column) const;
    [[noreturn]] void fail(std::string_view column, std::string_view what) const;

    struct Finalizer {
        void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
    };
    std::string m_table;
    std::unique_ptr<sqlite3_stmt, Finalizer> m_statement;
    ReadBudget& m_budget;
    std::int64_t m_key = -1;
    int m_column = 0;
};

} // namespace dormer::store
