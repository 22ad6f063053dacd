// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record_fields.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <concepts>
#include <limits>

/// Visitors (analysis/record_fields.h) that write fields to a JSON object and read them back. Private to this
/// folder.
namespace dormer::instrument::stream {

/// Fields keep their order, so that a line can be read by people.
using Json = nlohmann::ordered_json;
/// Lines come from strangers: looking fields up must stay fast however many there are.
using ParsedJson = nlohmann::json;

/// One line; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] inline std::string dump(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

class FieldWriter {
public:
    explicit FieldWriter(Json& object) : m_object(object.get_ref<Json::object_t&>()) {}

    void required(const char* name, const auto& value) { put(name, value); }
    void known(const char* name, const auto& value) {
        if (value != 0) put(name, value);
    }
    void field(const char* name, const std::string& value) {
        if (!value.empty()) put(name, value);
    }
    template <session::AsText T>
    void field(const char* name, const T& value) {
        field(name, std::string(toString(value)));
    }
    void field(const char* name, bool value) {
        if (value) put(name, value);
    }
    void field(const char* name, const std::vector<std::string>& value) {
        if (!value.empty()) put(name, value);
    }
    template <session::AsText T>
    void field(const char* name, const std::vector<T>& value) {
        field(name, session::textsOf(value));
    }
    template <typename T>
    void field(const char* name, const std::optional<T>& value) {
        if (value) put(name, *value);
    }
    template <typename T>
    requires std::is_arithmetic_v<T>
    void field(const char* name, const T& value) { put(name, value); }
    void field(const char* name, const session::Dim3& value) {
        m_object.emplace_back(name, Json::array({value.x, value.y, value.z}));
    }
    void field(const char* name, session::Origin value);

private:
    // Names are known to differ, so the lookup that operator[] does is left out.
    template <typename T>
    void put(const char* name, const T& value) {
        if constexpr (std::is_floating_point_v<T>) {
            if (!std::isfinite(value)) return;
        }
        if constexpr (session::AsText<T>)
            m_object.emplace_back(name, Json(toString(value)));
        else
            m_object.emplace_back(name, Json(value));
    }

    Json::object_t& m_object;
};

/// Reads what is there and remembers the first problem; absent fields leave their value as it was.
class FieldReader {
public:
    explicit FieldReader(const ParsedJson& object) : m_object(object) {}

    /// "field 'pid' is not a number", or empty.
    [[nodiscard]] const std::string& problem() const { return m_problem; }

    void required(const char* name, auto& value) {
        if (!m_object.contains(name)) {
            report(name, "is missing");
            return;
        }
        field(name, value);
    }
    void known(const char* name, auto& value) { field(name, value); }
    template <typename T>
    void field(const char* name, T& value) {
        const auto at = m_object.find(name);
        if (at == m_object.end() || at->is_null()) return;
        if (const char* wrong = read(*at, value)) report(name, wrong);
    }

private:
    void report(const char* name, const char* what);

    static const char* read(const ParsedJson& json, std::string& value);
    static const char* read(const ParsedJson& json, bool& value);
    static const char* read(const ParsedJson& json, double& value);
    static const char* read(const ParsedJson& json, session::Dim3& value);
    static const char* read(const ParsedJson& json, session::Origin& value);
    static const char* read(const ParsedJson& json, std::vector<std::string>& value);
    template <session::AsText T>
    static const char* read(const ParsedJson& json, T& value) {
        if (!json.is_string()) return "is not a string";
        fromString(json.get_ref<const std::string&>(), value);
        return nullptr;
    }
    template <session::AsText T>
    static const char* read(const ParsedJson& json, std::vector<T>& value) {
        std::vector<std::string> texts;
        const char* wrong = read(json, texts);
        if (wrong == nullptr) value = session::parsedTexts<T>(texts);
        return wrong;
    }
    template <typename T>
    static const char* read(const ParsedJson& json, std::optional<T>& value) {
        T inner{};
        const char* wrong = read(json, inner);
        if (wrong == nullptr) value = inner;
        return wrong;
    }
    /// Integers are exact or an error. Unsigned ones end at 2^63 - 1, the largest a session file holds.
    template <std::integral T>
    static const char* read(const ParsedJson& json, T& value) {
        if (!json.is_number_integer()) return "is not a whole number";
        constexpr auto kMax = static_cast<std::int64_t>(
            std::min<std::uint64_t>(std::numeric_limits<T>::max(), std::numeric_limits<std::int64_t>::max()));
        if (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(kMax))
            return "is too large";
        const auto number = json.get<std::int64_t>();
        if (number < static_cast<std::int64_t>(std::is_signed_v<T> ? std::numeric_limits<T>::min() : 0)) {
            return std::is_signed_v<T> ? "is too small" : "is negative";
        }
        value = static_cast<T>(number);
        return nullptr;
    }

    const ParsedJson& m_object;
    std::string m_problem;
};

} // namespace dormer::instrument::stream
