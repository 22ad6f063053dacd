// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/report/report.h"

#include <nlohmann/json.hpp>

#include <string>

namespace dormer::tests {

/// All that a function of report.h writes into its sink, the last of its arguments.
template <typename Write, typename... Arguments>
std::string written(const Write& write, const Arguments&... arguments) {
    std::string text;
    write(arguments..., [&](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

inline std::string csvText(const diagnosis::Diagnosis& diagnosis,
                           report::CsvForm form = report::CsvForm::Long) {
    return written(report::writeCsv, diagnosis, form);
}

inline std::string linesCsvText(const diagnosis::Diagnosis& diagnosis) {
    return written(report::writeLinesCsv, diagnosis);
}

inline std::string jsonText(const diagnosis::Diagnosis& diagnosis, bool withLines = false,
                            bool indented = false) {
    return written(report::writeJson, diagnosis,
                   report::JsonForm{.withLines = withLines, .indented = indented});
}

inline nlohmann::json sessionJson(const diagnosis::Diagnosis& diagnosis, bool withLines = false) {
    return nlohmann::json::parse(jsonText(diagnosis, withLines));
}

} // namespace dormer::tests
