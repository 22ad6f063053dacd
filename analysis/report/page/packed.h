// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/view/details/details_facts.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <string_view>

/// What a long page carries compressed, and unpacks when it is looked at.
namespace dormer::report::page {

/// A script element that holds `text` as zlib's stream (RFC 1950) in base64, which the page's script unpacks
/// with the browser's own DecompressionStream. `attributes` are markup.
[[nodiscard]] std::string packed(std::string_view text, std::string_view attributes);

/// Metrics and counters of many kernels: each name once, then a value per kernel.
class FactSheet {
public:
    /// Of the kernel in this row; rows come in order.
    void add(const view::details::DetailsFacts& facts);
    /// {"metrics": ["ipc", ...], "counters": [...], "rows": [{"metrics": ["0.24", ...], "counters": [...]},
    /// ...]}; null for what a kernel lacks, and nothing behind its last.
    [[nodiscard]] std::string json() const;

private:
    struct Column {
        std::vector<std::string> names;
        std::map<std::string, std::size_t, std::less<>> places;
    };
    static nlohmann::json values(Column& column, const std::vector<view::details::Fact>& facts);

    Column m_metrics, m_counters;
    nlohmann::json m_rows = nlohmann::json::array();
};

} // namespace dormer::report::page
