// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record_fields.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <type_traits>

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

/// Numbers; null where nothing was seen.
inline nlohmann::json jsonList(const session::Series& series) {
    nlohmann::json all = nlohmann::json::array();
    for (const double value : series.values)
        all.push_back(jsonNumber(value));
    return all;
}

/// Pairs of begin and length.
inline nlohmann::json jsonList(const session::Spans& spans) {
    nlohmann::json all = nlohmann::json::array();
    for (const session::Spans::Span& span : spans.spans)
        all.push_back({span.beginNs, span.lengthNs});
    return all;
}

template <typename T>
nlohmann::json jsonValue(const T& value) {
    if constexpr (std::is_floating_point_v<T>)
        return jsonNumber(value);
    else if constexpr (requires { jsonList(value); })
        return jsonList(value);
    else if constexpr (session::AsText<T> || std::is_same_v<T, session::Origin>)
        return std::string(toString(value));
    else if constexpr (std::is_same_v<T, session::Dim3>)
        return nlohmann::json::array({value.x, value.y, value.z});
    else
        return value;
}

template <typename T>
nlohmann::json jsonOrNull(const std::optional<T>& value) {
    return value ? jsonValue(*value) : nlohmann::json(nullptr);
}

inline nlohmann::json jsonOrNull(const std::string& text) {
    return text.empty() ? nlohmann::json(nullptr) : nlohmann::json(text);
}

template <session::AsText T>
nlohmann::json jsonOrNull(const T& value) {
    return jsonOrNull(std::string(toString(value)));
}

/// Whether zero of a number that may be unknown is null.
enum class Zero { IsNull, IsZero };

/// Visitor that makes an object of a record's fields.
class JsonFields {
public:
    JsonFields(nlohmann::json& object, Zero zero) : m_object(object), m_zero(zero) {}
    void required(const char* name, const auto& value) { m_object[name] = jsonValue(value); }
    void known(const char* name, const auto& value) {
        const bool isNull = value == 0 && m_zero == Zero::IsNull;
        m_object[name] = isNull ? nlohmann::json(nullptr) : jsonValue(value);
    }
    template <typename T>
    void field(const char* name, const T& value) {
        if constexpr (
            requires { jsonOrNull(value); } && !requires { jsonList(value); })
            m_object[name] = jsonOrNull(value);
        else
            m_object[name] = jsonValue(value);
    }

private:
    nlohmann::json& m_object;
    Zero m_zero;
};

template <typename T>
nlohmann::json recordJson(const T& record, Zero zero = Zero::IsNull) {
    nlohmann::json object = nlohmann::json::object();
    JsonFields fields(object, zero);
    session::visitFields(fields, record);
    if constexpr (requires { record.exitCode; }) session::visitEnd(fields, record);
    if constexpr (requires { record.process; }) object["process"] = record.process;
    return object;
}

} // namespace dormer::report
