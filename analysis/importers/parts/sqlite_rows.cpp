// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/parts/sqlite_rows.h"

#include "analysis/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::importers {

SqliteRows::SqliteRows(SQLite::Database& database, const std::string& table,
                       const std::vector<std::string>& columns) {
    SQLite::Statement isTable(database, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? AND "
                                        "sql NOT LIKE 'CREATE VIRTUAL%'");
    isTable.bind(1, table);
    if (!isTable.executeStep()) return;
    SQLite::Statement info(database, fmt::format("PRAGMA table_info(\"{}\")", table));
    std::string wanted;
    while (info.executeStep()) {
        const std::string name = info.getColumn(1).getString();
        if (std::ranges::find(columns, name) == columns.end() || m_places.contains(name)) continue;
        wanted += fmt::format("{}\"{}\"", wanted.empty() ? "" : ", ", name);
        m_places.emplace(name, static_cast<int>(m_places.size()));
    }
    if (!wanted.empty())
        m_statement = std::make_unique<SQLite::Statement>(
            database, fmt::format("SELECT {} FROM \"{}\"", wanted, table));
}

std::int64_t SqliteRows::integer(const std::string& column) const {
    const auto place = m_places.find(column);
    return place == m_places.end() ? 0 : m_statement->getColumn(place->second).getInt64();
}

std::string SqliteRows::text(const std::string& column) const {
    const auto place = m_places.find(column);
    return place == m_places.end() ? std::string()
                                   : base::withValidUtf8(m_statement->getColumn(place->second).getString());
}

} // namespace dormer::importers
