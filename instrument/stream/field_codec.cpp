// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/stream/field_codec.h"

#include "analysis/session/session.h"

#include <fmt/format.h>

namespace dormer::instrument::stream {

void FieldWriter::field(const char* name, session::Origin value) {
    put(name, std::string(session::toString(value)));
}

void FieldReader::report(const char* name, const char* what) {
    if (m_problem.empty()) m_problem = fmt::format("field '{}' {}", name, what);
}

const char* FieldReader::read(const ParsedJson& json, std::string& value) {
    if (!json.is_string()) return "is not a string";
    value = json.get_ref<const std::string&>();
    return nullptr;
}

const char* FieldReader::read(const ParsedJson& json, bool& value) {
    if (!json.is_boolean()) return "is neither true nor false";
    value = json.get<bool>();
    return nullptr;
}

const char* FieldReader::read(const ParsedJson& json, double& value) {
    if (!json.is_number()) return "is not a number";
    value = json.get<double>();
    return nullptr;
}

const char* FieldReader::read(const ParsedJson& json, session::Dim3& value) {
    constexpr const char* kWrong = "is not an array of three whole numbers";
    if (!json.is_array() || json.size() != 3) return kWrong;
    for (const auto& [at, component] : {std::pair{0, &value.x}, {1, &value.y}, {2, &value.z}}) {
        if (read(json[static_cast<std::size_t>(at)], *component) != nullptr) return kWrong;
    }
    return nullptr;
}

const char* FieldReader::read(const ParsedJson& json, session::Origin& value) {
    const auto origin =
        json.is_string() ? session::originFromString(json.get_ref<const std::string&>()) : std::nullopt;
    if (!origin) return "is not measured, emulated or imported";
    value = *origin;
    return nullptr;
}

const char* FieldReader::read(const ParsedJson& json, std::vector<std::string>& value) {
    if (!json.is_array()) return "is not an array of strings";
    value.clear();
    for (const ParsedJson& item : json) {
        if (!item.is_string()) return "is not an array of strings";
        value.push_back(item.get_ref<const std::string&>());
    }
    return nullptr;
}

} // namespace dormer::instrument::stream
