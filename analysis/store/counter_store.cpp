// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/counter_store.h"

#include "analysis/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::store {

bool CounterStore::ensureColumn(const std::string& name, std::vector<std::string>& added) {
    if (m_columns.contains(name)) return true;
    if (!session::isCounterName(name) || m_columns.size() >= session::kMaxCounters) return false;
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    if (lower == "launch" || !m_lowerCase.insert(lower).second) return false;
    m_columns.insert(name);
    added.push_back(name);
    return true;
}

void CounterStore::addColumns(const std::vector<std::string>& names) {
    if (names.empty()) return;
    // Each ALTER TABLE writes the whole definition again: of a thousand columns that takes seconds.
    if (!m_anyRow) {
        std::string columns;
        for (const std::string& name : names)
            columns += fmt::format(", \"{}\" REAL", name);
        m_database.exec("DROP TABLE counters");
        m_database.exec(fmt::format("CREATE TABLE counters (launch INTEGER PRIMARY KEY{})", columns));
        return;
    }
    for (const std::string& name : names)
        m_database.exec(fmt::format("ALTER TABLE counters ADD COLUMN \"{}\" REAL", name));
}

bool CounterStore::put(std::int64_t launch, const std::map<std::string, double>& values) {
    bool all = true;
    m_key.clear();
    std::vector<std::string> added;
    for (const auto& [name, value] : values) {
        if (!std::isfinite(value)) continue;
        if (ensureColumn(name, added)) {
            m_key.append(name).push_back(' ');
        } else {
            all = false;
        }
    }
    if (m_key.empty()) return all;
    addColumns(added);

    auto at = m_statements.find(m_key);
    if (at == m_statements.end()) {
        std::string names, places, updates;
        for (const auto& [name, value] : values) {
            if (!std::isfinite(value) || !m_columns.contains(name)) continue;
            names += fmt::format(", \"{}\"", name);
            places += ", ?";
            updates += fmt::format("{0}\"{1}\" = excluded.\"{1}\"", updates.empty() ? "" : ", ", name);
        }
        // Launches of one collection carry few different sets of counters; ratios over nothing vary them a
        // little.
        if (m_statements.size() >= 64) m_statements.clear();
        const std::string sql =
            fmt::format("INSERT INTO counters (launch{}) VALUES (?{}) ON CONFLICT (launch) DO UPDATE SET {}",
                        names, places, updates);
        at = m_statements.emplace(m_key, SQLite::Statement(m_database, sql)).first;
    }
    SQLite::Statement& insert = at->second;
    insert.bind(1, launch);
    int index = 1;
    for (const auto& [name, value] : values) {
        if (std::isfinite(value) && m_columns.contains(name)) insert.bind(++index, value);
    }
    insert.exec();
    insert.reset();
    m_anyRow = true;
    return all;
}

} // namespace dormer::store
