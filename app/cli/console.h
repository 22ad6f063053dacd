// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/base/text_sink.h"

#include <functional>
#include <string>
#include <string_view>

namespace dormer::cli {

/// Prints "dormer: <one line>" on stderr.
void say(std::string_view text);
/// The same for an error; returns its exit code.
[[nodiscard]] int fail(const Error& error);
/// Results: prints to stdout and flushes. False when the reader has gone away.
[[nodiscard]] bool print(std::string_view text);
/// The same piece by piece, for text that is made while it is printed.
[[nodiscard]] bool print(const std::function<void(const base::TextSink&)>& write);
/// Prints a verb's whole result; the exit code that belongs to the outcome.
[[nodiscard]] int printResult(std::string_view text);
[[nodiscard]] int printResult(const std::function<void(const base::TextSink&)>& write);
/// Columns of the terminal that stdout is, or what COLUMNS says; 0 where neither is known, as for a pipe.
[[nodiscard]] int terminalWidth();
/// Line ends and other control characters made blanks: text of others must not break lines or move the
/// cursor.
[[nodiscard]] std::string oneLine(std::string_view text);

} // namespace dormer::cli
