// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/browser.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace dormer::tests {

namespace fs = std::filesystem;

namespace {

std::string shellQuoted(const fs::path& path) {
    return "'" + path.string() + "'";
} // our own paths: no quotes in them

std::string scheme(bool dark) {
    return std::string("--blink-settings=preferredColorScheme=") + (dark ? "0" : "1");
}

} // namespace

std::optional<Browser> Browser::find() {
    std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
            const fs::path program = fs::path(folder) / name;
            if (access(program.c_str(), X_OK) != 0) continue;
            std::string pattern = (fs::temp_directory_path() / "dormer-browser-XXXXXX").string();
            if (!mkdtemp(pattern.data())) return std::nullopt;
            return Browser(program, pattern);
        }
    return std::nullopt;
}

Browser::Browser(fs::path program, fs::path folder)
    : m_program(std::move(program)), m_folder(std::move(folder)) {}

Browser::~Browser() {
    std::error_code ignored; // a profile left in the temporary folder harms nobody
    if (!m_folder.empty()) fs::remove_all(m_folder, ignored);
}

std::string Browser::run(const std::string& arguments, const fs::path& file) const {
    const std::string command =
        "timeout 90 " + shellQuoted(m_program) +
        " --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking"
        " --disable-component-update --disable-sync --hide-scrollbars --enable-logging=stderr --v=0"
        " --user-data-dir=" +
        shellQuoted(m_folder / "profile") + " " + arguments + " " + shellQuoted("file://" + file.string()) +
        " 2>" + shellQuoted(m_folder / "stderr");
    std::string out;
    FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) return out;
    std::array<char, 65536> buffer{};
    while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe))
        out.append(buffer.data(), got);
    pclose(pipe);
    return out;
}

Browser::Page Browser::open(const fs::path& file, bool dark, int width) const {
    Page page;
    page.dom = run(scheme(dark) + " --window-size=" + std::to_string(width) +
                       ",1000 --virtual-time-budget=5000 --dump-dom",
                   file);
    std::ifstream log(m_folder / "stderr");
    for (std::string line; std::getline(log, line);)
        if (line.find("CONSOLE") != std::string::npos) page.console += line + '\n';
    return page;
}

bool Browser::screenshot(const fs::path& file, const fs::path& png, int width, int height, bool dark) const {
    (void)run(scheme(dark) + " --window-size=" + std::to_string(width) + "," + std::to_string(height) +
                  " --screenshot=" + shellQuoted(png),
              file);
    return fs::exists(png);
}

bool Browser::printToPdf(const fs::path& file, const fs::path& pdf) const {
    (void)run("--no-pdf-header-footer --print-to-pdf=" + shellQuoted(pdf), file);
    return fs::exists(pdf);
}

} // namespace dormer::tests
