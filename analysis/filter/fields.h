// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/metrics/metric.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Words and fields of the filter language (where.h).
namespace dormer::filter {

struct Token {
    enum class Kind { Word, Operator, Open, Close };
    Kind kind = Kind::Word;
    std::string text;
    bool quoted = false;
    std::size_t at = 0; ///< in the text, from 0
};
/// An operator may follow a word without a blank. A quote that never ends goes on to the end.
[[nodiscard]] std::vector<Token> tokensOf(std::string_view text);

struct Field {
    enum class Kind { Time, Calls, Savings, Metric, Kernel, Workload, Nvtx, Verdict, Finding };
    Kind kind = Kind::Metric;
    const metrics::Metric* metric = nullptr;
    [[nodiscard]] bool isNumber() const { return kind <= Kind::Metric; }
};
struct FieldText {
    std::string_view name, meaning;
    Field field;
};
/// All of them, those of the kernel table first.
[[nodiscard]] const std::vector<FieldText>& whereFields();
[[nodiscard]] std::optional<Field> findField(std::string_view name);

/// "1.5ms" -> 1.5e6 (times are ns, other numbers SI units); absent for what is no number with a known unit.
[[nodiscard]] std::optional<double> numberOf(std::string_view text, const Field& field);

/// The verdict where too little is known, by the word that people read.
inline constexpr std::string_view kUndetermined = "undetermined";
/// "memory", "compute", "latency", "balanced" and kUndetermined
[[nodiscard]] const std::vector<std::string_view>& whereVerdicts();

} // namespace dormer::filter
