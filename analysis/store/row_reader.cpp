// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/row_reader.h"

#include "analysis/base/utf8.h"
#include "analysis/session/session.h"

#include <fmt/format.h>

namespace dormer::store {

RowReader::RowReader(sqlite3* database, std::string table, const std::string& sql, ReadBudget& budget)
    : m_table(std::move(table)), m_budget(budget) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr) !=
        SQLITE_OK) {
        throw BrokenFile(sqlite3_errmsg(database));
    }
    m_statement.reset(statement);
}

bool RowReader::next() {
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_DONE) return false;
    if (code != SQLITE_ROW) throw BrokenFile(sqlite3_errmsg(sqlite3_db_handle(m_statement.get())));
    const std::int64_t key = sqlite3_column_int64(m_statement.get(), 0);
    if (key <= m_key) throw BrokenFile(fmt::format("rows of table {} are out of order", m_table));
    m_key = key;
    m_column = 0;
    return true;
}

std::optional<double> RowReader::number(int column, const std::string& name) const {
    // Type and value by one lookup of the column. Such a value needs the connection's mutex, if there is one:
    // sessions are opened without.
    sqlite3_value* const cell = sqlite3_column_value(m_statement.get(), column);
    switch (sqlite3_value_type(cell)) {
    case SQLITE_NULL:
        return std::nullopt;
    case SQLITE_FLOAT:
    case SQLITE_INTEGER:
        return sqlite3_value_double(cell);
    default:
        fail(name, "is not a number");
    }
}

std::int64_t RowReader::integer(const char* name, int column) const {
    if (sqlite3_column_type(m_statement.get(), column) != SQLITE_INTEGER) fail(name, "is not a whole number");
    return sqlite3_column_int64(m_statement.get(), column);
}

void RowReader::read(const char* name, int column, bool& value) {
    const std::int64_t number = integer(name, column);
    if (number != 0 && number != 1) fail(name, "is neither 0 nor 1");
    value = number == 1;
}

void RowReader::read(const char* name, int column, double& value) {
    value = number(column, name).value_or(0);
    if (!std::isfinite(value)) fail(name, "is not finite");
}

void RowReader::read(const char* name, int column, std::string& value) {
    if (sqlite3_column_type(m_statement.get(), column) != SQLITE_TEXT) fail(name, "is not text");
    const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column));
    if (bytes == nullptr) throw std::bad_alloc();
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column));
    if (size > m_budget.textBytes) fail(name, "holds more text than the file has bytes");
    m_budget.textBytes -= size;
    const std::string_view text(bytes, size);
    if (base::validUtf8Prefix(text) == size) {
        value = text;
    } else {
        value = base::withValidUtf8(text);
    }
}

void RowReader::read(const char* name, int column, session::Origin& value) {
    std::string text;
    read(name, column, text);
    const auto origin = session::originFromString(text);
    if (!origin) fail(name, "is none of measured, emulated, imported");
    value = *origin;
}

void RowReader::read(const char* name, int column, std::vector<std::string>& value) {
    std::string text;
    read(name, column, text);
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const auto isString = [](const nlohmann::json& item) { return item.is_string(); };
    if (!json.is_array() || !std::ranges::all_of(json, isString))
        fail(name, "is not a JSON array of strings");
    value = json.get<std::vector<std::string>>();
}

void RowReader::fail(std::string_view column, std::string_view what) const {
    throw BrokenFile(fmt::format("{} of row {} of table {} {}", column, m_key, m_table, what));
}

} // namespace dormer::store
