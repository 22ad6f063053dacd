// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/installation.h"

#include <cstdlib>
#include <fstream>

namespace dormer::instrument::launch {

namespace {

/// "NVIDIA H100 80GB HBM3" from the line "Model: \t\t NVIDIA H100 80GB HBM3".
std::string modelName(const std::filesystem::path& information) {
    std::ifstream file(information);
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("Model:")) continue;
        const std::size_t begin = line.find_first_not_of(" \t", 6);
        return begin != std::string::npos ? line.substr(begin) : std::string();
    }
    return {};
}

} // namespace

std::optional<std::string> onlyGpu(const std::filesystem::path& proc) {
    if (std::getenv("CUDA_VISIBLE_DEVICES") != nullptr) return std::nullopt;
    std::error_code error;
    std::filesystem::directory_iterator entries(proc / "driver/nvidia/gpus", error);
    if (error || entries == std::filesystem::directory_iterator()) return std::nullopt;
    const std::filesystem::path only = entries->path();
    if (++entries != std::filesystem::directory_iterator()) return std::nullopt;
    std::string name = modelName(only / "information");
    if (name.empty()) return std::nullopt;
    return name;
}

} // namespace dormer::instrument::launch
