// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/utf8.h"
#include "analysis/session/session.h"
#include "analysis/store/session_schema.h"

#include <SQLiteCpp/Statement.h>

#include <cmath>

namespace dormer::store {

/// What an INSERT does when its key is there already.
enum class OnConflict {
    Fail,
    Replace, ///< all columns take the new values
    Fill,    ///< columns that may be NULL keep what they held where the new value is NULL
};
/// "INSERT INTO table (...) VALUES (?, ...)" with key and process first, where the table has them.
[[nodiscard]] std::string insertStatement(const TableSpec& table, OnConflict onConflict = OnConflict::Fail,
                                          std::string_view conflictKey = {});

/// Visitor that binds fields to the parameters of such a statement, in order.
class FieldBinder {
public:
    explicit FieldBinder(SQLite::Statement& statement) : m_statement(statement) {}

    void required(const char*, const auto& value) { bind(value); }
    void known(const char*, const auto& value) {
        if (value != 0) {
            bind(value);
        } else {
            skip();
        }
    }
    void field(const char*, const std::string& value) {
        if (value.empty()) {
            skip();
        } else {
            bind(value);
        }
    }
    template <session::AsText T>
    void field(const char* name, const T& value) {
        field(name, std::string(toString(value)));
    }
    template <typename T>
    void field(const char*, const std::optional<T>& value) {
        if (value) {
            bind(*value);
        } else {
            skip();
        }
    }
    void field(const char*, const session::Dim3& value) {
        for (const std::uint32_t axis : {value.x, value.y, value.z})
            bind(axis);
    }
    void field(const char*, session::Origin value) { bind(std::string(session::toString(value))); }
    void field(const char*, const std::vector<std::string>& value) {
        if (value.empty()) {
            skip();
        } else {
            bind(nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
        }
    }
    template <session::AsText T>
    void field(const char* name, const std::vector<T>& value) {
        field(name, session::textsOf(value));
    }
    template <typename T>
    requires std::is_arithmetic_v<T>
    void field(const char*, const T& value) { bind(value); }

    /// Integers above 2^63 - 1 can't be stored; the codec lets none in.
    template <std::integral T>
    void bind(T value) {
        if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) {
            if (value > static_cast<T>(std::numeric_limits<std::int64_t>::max())) m_overflow = true;
        }
        m_statement.bind(++m_index, static_cast<std::int64_t>(value));
    }
    void bind(double value) {
        if (std::isfinite(value)) {
            m_statement.bind(++m_index, value);
        } else {
            skip();
        }
    }
    void bind(const std::string& value) {
        if (base::validUtf8Prefix(value) == value.size()) {
            m_statement.bind(++m_index, value);
        } else {
            m_statement.bind(++m_index, base::withValidUtf8(value));
        }
    }
    template <session::AsText T>
    void bind(const T& value) {
        bind(std::string(toString(value)));
    }
    [[nodiscard]] bool overflow() const { return m_overflow; }

private:
    void skip() { m_statement.bind(++m_index); } // NULL

    SQLite::Statement& m_statement;
    int m_index = 0;
    bool m_overflow = false;
};

} // namespace dormer::store
