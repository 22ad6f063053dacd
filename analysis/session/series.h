// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::session {

/// Values at equal steps of time, as one text of a record: "1.25e+12 0 - 3e+11". What was not seen is NaN,
/// "-" in the text; four digits are kept.
struct Series {
    std::vector<double> values;
};

[[nodiscard]] std::string toString(const Series& series);
bool fromString(std::string_view text, Series& series);

/// Stretches of time, as one text of a record: "0+1200 5000+800", each begin and length in ns.
struct Spans {
    struct Span {
        std::int64_t beginNs = 0; ///< after what the spans belong to
        std::int64_t lengthNs = 0;
        bool operator==(const Span&) const = default;
    };
    /// A record holds no more.
    static constexpr std::size_t kMost = 2000;

    std::vector<Span> spans;
    bool operator==(const Spans&) const = default;
};

[[nodiscard]] std::string toString(const Spans& spans);
bool fromString(std::string_view text, Spans& spans);

} // namespace dormer::session
