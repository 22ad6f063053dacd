// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/machine/machine.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace dormer::instrument::machine {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostOfLine = 256;

class ThisMachine : public Machine {
public:
    std::vector<RunningProcess> processes() const override {
        std::vector<RunningProcess> all;
        for (const std::string& name : entries("/proc")) {
            RunningProcess process;
            const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), process.pid);
            if (error != std::errc{} || end != name.data() + name.size() || process.pid == getpid()) continue;
            // Whole, while /proc/PID/comm is cut to 15 bytes; of a kernel thread it is empty.
            std::ifstream file("/proc/" + name + "/cmdline", std::ios::binary);
            std::string word;
            if (std::getline(file, word, '\0') && !word.empty()) {
                process.program = fs::path(word).filename().string();
                all.push_back(std::move(process));
            }
        }
        return all;
    }
    std::optional<std::string> variable(const std::string& name) const override {
        const char* value = std::getenv(name.c_str());
        return value == nullptr ? std::nullopt : std::optional<std::string>(value);
    }
    std::vector<std::string> entries(const fs::path& folder) const override {
        std::vector<std::string> names;
        std::error_code error;
        for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
            names.push_back(at->path().filename().string());
        std::ranges::sort(names);
        return names;
    }
    std::string firstLine(const fs::path& file) const override {
        std::error_code error;
        if (!fs::is_regular_file(file, error)) return {};
        std::ifstream in(file, std::ios::binary);
        std::string line(kMostOfLine, '\0');
        in.read(line.data(), static_cast<std::streamsize>(line.size()));
        line.resize(static_cast<std::size_t>(in.gcount()));
        return line.substr(0, line.find('\n'));
    }
    fs::path resolved(const fs::path& file) const override {
        std::error_code error;
        const fs::path behind = fs::canonical(file, error);
        return error ? file : behind;
    }
};

} // namespace

std::unique_ptr<Machine> thisMachine() {
    return std::make_unique<ThisMachine>();
}

} // namespace dormer::instrument::machine
