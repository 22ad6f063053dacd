// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_sql.h"

#include <fmt/format.h>

namespace dormer::store {

std::string insertStatement(const TableSpec& table, OnConflict onConflict, std::string_view conflictKey) {
    std::string names, places, updates;
    const auto add = [&](std::string_view name, bool keepOld, bool isKey) {
        const char* separator = names.empty() ? "" : ", ";
        names += fmt::format("{}\"{}\"", separator, name);
        places += fmt::format("{}?", separator);
        if (isKey) return;
        updates += fmt::format("{}\"{}\" = ", updates.empty() ? "" : ", ", name);
        updates += keepOld ? fmt::format("coalesce(excluded.\"{0}\", \"{0}\")", name)
                           : fmt::format("excluded.\"{}\"", name);
    };
    if (table.key != nullptr) add(table.key, false, true);
    if (table.ofProcess) add("process", false, true);
    for (const Column& column : table.columns) {
        add(column.name, onConflict == OnConflict::Fill && !column.required, column.name == "id");
    }
    std::string sql = fmt::format("INSERT INTO {} ({}) VALUES ({})", table.name, names, places);
    if (onConflict != OnConflict::Fail)
        sql += fmt::format(" ON CONFLICT ({}) DO UPDATE SET {}", conflictKey, updates);
    return sql;
}

} // namespace dormer::store
