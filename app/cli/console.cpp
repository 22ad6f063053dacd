// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace dormer::cli {

std::string oneLine(std::string_view text) {
    std::string line{text};
    std::ranges::replace_if(
        line, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
    while (!line.empty() && line.back() == ' ')
        line.pop_back();
    return line;
}

void say(std::string_view text) {
    fmt::print(stderr, "dormer: {}\n", oneLine(text));
}

int fail(const Error& error) {
    say(error.message);
    return static_cast<int>(error.kind);
}

bool print(std::string_view text) {
    return print([&](const base::TextSink& sink) { sink(text); });
}

bool print(const std::function<void(const base::TextSink&)>& write) {
    bool written = true;
    write([&](std::string_view text) {
        return written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    });
    return std::fflush(stdout) == 0 && written;
}

int terminalWidth() {
    if (const char* columns = std::getenv("COLUMNS")) {
        int width = 0;
        const std::string_view text = columns;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
        if (error == std::errc{} && end == text.data() + text.size() && width > 0) return width;
    }
    winsize size{};
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int printResult(std::string_view text) {
    return printResult([&](const base::TextSink& sink) {
        if (sink(text) && !text.ends_with('\n')) sink("\n");
    });
}

int printResult(const std::function<void(const base::TextSink&)>& write) {
    if (print(write)) return 0;
    return fail({ErrorKind::Usage, "can't write to stdout; is the disk full?"});
}

} // namespace dormer::cli
