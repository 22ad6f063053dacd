// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace dormer::store {

/// Writes the wide table "counters": one row per launch, one column a counter, added when a counter first
/// appears. Throws SQLite::Exception.
class CounterStore {
public:
    explicit CounterStore(SQLite::Database& database) : m_database(database) {}

    /// Merges values into the launch's row. False when some were dropped: names that can't be columns, or too
    /// many.
    bool put(std::int64_t launch, const std::map<std::string, double>& values);

private:
    /// False when the name can't be a column. A new one is known from now on and waits in `added` for
    /// addColumns.
    bool ensureColumn(const std::string& name, std::vector<std::string>& added);
    void addColumns(const std::vector<std::string>& names);

    SQLite::Database& m_database;
    std::unordered_set<std::string> m_columns;
    std::unordered_set<std::string> m_lowerCase;                     ///< SQLite's names don't tell case apart
    std::unordered_map<std::string, SQLite::Statement> m_statements; ///< by the names they bind
    bool m_anyRow = false;                                           ///< was written
    std::string m_key;                                               ///< kept for its memory
};

} // namespace dormer::store
