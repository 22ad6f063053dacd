// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/process/descendants.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace dormer::instrument::launch::process {

std::vector<std::string> runningInGroup(pid_t group) {
    std::vector<std::string> running;
    std::error_code ignored; // processes end while we look
    for (const auto& entry : std::filesystem::directory_iterator{"/proc", ignored}) {
        const std::string number = entry.path().filename().string();
        if (number.find_first_not_of("0123456789") != std::string::npos || number == std::to_string(group))
            continue;
        std::ifstream file(entry.path() / "stat");
        const std::string stat((std::istreambuf_iterator<char>(file)), {});
        // "PID (name) state parent group ...", and names may hold anything
        const std::size_t end = stat.rfind(')');
        char state = 0;
        int parent = 0, its = 0;
        if (end == std::string::npos ||
            std::sscanf(stat.c_str() + end + 1, " %c %d %d", &state, &parent, &its) != 3)
            continue;
        if (its == group && state != 'Z' && state != 'X') running.push_back(stat.substr(0, end + 1));
    }
    return running;
}

} // namespace dormer::instrument::launch::process
