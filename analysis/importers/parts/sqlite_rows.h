// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dormer::importers {

/// Rows of a table whose columns differ from version to version: columns by name, absent ones read as 0 or
/// "". Only real tables are read: a view of an untrusted file may run for ever. Throws SQLite::Exception.
class SqliteRows {
public:
    /// `columns`: those that are wanted. Without the table there are no rows.
    SqliteRows(SQLite::Database& database, const std::string& table, const std::vector<std::string>& columns);

    [[nodiscard]] bool next() { return m_statement && m_statement->executeStep(); }
    [[nodiscard]] bool has(const std::string& column) const { return m_places.contains(column); }
    [[nodiscard]] std::int64_t integer(const std::string& column) const;
    [[nodiscard]] std::string text(const std::string& column) const;

private:
    std::unordered_map<std::string, int> m_places;
    std::unique_ptr<SQLite::Statement> m_statement;
};

} // namespace dormer::importers
