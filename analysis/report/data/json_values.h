// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record_fields.h"

#include <nlohmann/json.hpp>

#include <cmath>

/// How values stand in the JSON (docs/json.md): what is unknown is null.
namespace dormer::report {

/// Whole numbers go out as integers: counts read better as 524288 than as 524288.0. Past 2^53 a double is
/// no longer exact and stays one.
inline nlohmann::json jsonNumber(double value) {
    if (!std::isfinite(value)) return nullptr;
    if (value == std::floor(value) && std::abs(value) < 9007199254740992.0)
        return static_cast<std::int64_t>(value);
    return value;
}

template <typename T>
nlohmann::json jsonOrNull(const std::optional<T>& value) {
    if (!value) return nullptr;
    if constexpr (std::is_floating_point_v<T>)
        return jsonNumber(*value);
    else
        return *value;
}

inline nlohmann::json jsonOrNull(const std::string& text) {
    return text.empty() ? nlohmann::json(nullptr) : nlohmann::json(text);
}

template <session::AsText T>
nlohmann::json jsonOrNull(const T& value) {
    return jsonOrNull(std::string(toString(value)));
}

/// Visitor that makes an object of a record's fields.
class JsonFields {
public:
    explicit JsonFields(nlohmann::json& object) : m_object(object) {}
    void required(const char* name, const auto& value) { m_object[name] = value; }
    void required(const char* name, const session::AsText auto& value) { m_object[name] = toString(value); }
    void known(const char* name, const auto& value) {
        m_object[name] = value != 0 ? nlohmann::json(value) : nlohmann::json(nullptr);
    }
    template <typename T>
    void field(const char* name, const T& value) {
        if constexpr (requires { jsonOrNull(value); })
            m_object[name] = jsonOrNull(value);
        else
            m_object[name] = value;
    }

private:
    nlohmann::json& m_object;
};

template <typename T>
nlohmann::json recordJson(const T& record) {
    nlohmann::json object = nlohmann::json::object();
    JsonFields fields(object);
    session::visitFields(fields, record);
    if constexpr (requires { record.process; }) object["process"] = record.process;
    return object;
}

} // namespace dormer::report
