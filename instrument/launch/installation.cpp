// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/installation.h"

#include <unistd.h>

#include <cstdlib>

namespace dormer::instrument::launch {

namespace fs = std::filesystem;

Installation findInstallation() {
    std::vector<fs::path> folders;
    // A build has everything beside the programs; an installation keeps what people don't start in a folder
    // of its own.
    const auto add = [&folders](const fs::path& programs) {
        folders.push_back(programs);
        folders.push_back((programs / DORMER_PARTS).lexically_normal());
    };
    // DORMER_HOME was set on purpose, so it comes first.
    if (const char* home = std::getenv("DORMER_HOME"); home != nullptr && *home != '\0')
        add(fs::path{home} / "bin");
    std::error_code error;
    if (const fs::path self = fs::read_symlink("/proc/self/exe", error); !error) add(self.parent_path());

    const auto find = [&](const char* name, int mode) -> fs::path {
        for (const fs::path& folder : folders) {
            const fs::path candidate = folder / name;
            std::error_code ignored;
            if (fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), mode) == 0)
                return candidate;
        }
        return {};
    };
    Installation found;
    found.workloads = find("dormer-workloads", X_OK);
    found.probe = find("dormer-probe", X_OK);
    found.collector = find("libdormer-inject.so", R_OK);
    // In a folder of its own: programs beside dormer look for their CUDA runtime there first.
    found.emulator = find("emulator/libcudart.so.13", R_OK);
    return found;
}

} // namespace dormer::instrument::launch
