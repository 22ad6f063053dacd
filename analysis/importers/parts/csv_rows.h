// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::importers {

/// The file's text as UTF-8 without a byte order mark: UTF-16 of either byte order is converted, which is
/// what a redirect in PowerShell writes.
[[nodiscard]] std::string textOf(std::string bytes);

/// Reads comma-separated values (RFC 4180) from text that holds other lines as well.
class CsvReader {
public:
    explicit CsvReader(std::string_view text) : m_rest(text) {}

    /// The next line as it stands, without its end; nothing behind the last one.
    [[nodiscard]] std::optional<std::string_view> peekLine() const;
    void skipLine();
    /// The fields of the record that begins here, which may hold line breaks in quotes. Nothing when the text
    /// ends within quotes: it was cut off; the reader is at the end then.
    [[nodiscard]] std::optional<std::vector<std::string>> readRecord(char delimiter = ',');

private:
    std::string_view m_rest;
};

} // namespace dormer::importers
