// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/page/packed.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cassert>

namespace dormer::report::page {

namespace {

std::string compressed(std::string_view text) {
    uLongf size = compressBound(text.size());
    std::string out(size, '\0');
    // It fails for lack of memory alone, where `new` would have failed before.
    [[maybe_unused]] const int status =
        compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()),
                  text.size(), Z_BEST_COMPRESSION);
    assert(status == Z_OK);
    out.resize(size);
    return out;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const auto byte = [&](std::size_t i) {
            return at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u;
        };
        const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for (unsigned digit = 0; digit < 4; ++digit)
            out += at + digit <= bytes.size() ? kDigits[group >> (18 - 6 * digit) & 63] : '=';
    }
    return out;
}

} // namespace

std::string packed(std::string_view text, std::string_view attributes) {
    return fmt::format(R"(<script type="application/x-deflate" {}>{}</script>)", attributes,
                       base64(compressed(text)));
}

nlohmann::json FactSheet::values(Column& column, const std::vector<view::details::Fact>& facts) {
    nlohmann::json row = nlohmann::json::array();
    for (const view::details::Fact& fact : facts) {
        const auto [place, isNew] = column.places.try_emplace(fact.label, column.names.size());
        if (isNew) column.names.push_back(fact.label);
        while (row.size() <= place->second)
            row.push_back(nullptr);
        row[place->second] = fact.value;
    }
    return row;
}

void FactSheet::add(const view::details::DetailsFacts& facts) {
    m_rows.push_back(
        {{"metrics", values(m_metrics, facts.metrics)}, {"counters", values(m_counters, facts.counters)}});
}

std::string FactSheet::json() const {
    const nlohmann::json sheet{
        {"metrics", m_metrics.names}, {"counters", m_counters.names}, {"rows", m_rows}};
    return sheet.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace dormer::report::page
