// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/roof_cache.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace dormer::instrument::ceilings {

namespace {

namespace fs = std::filesystem;

fs::path folder() {
    const auto variable = [](const char* name) -> fs::path {
        const char* value = std::getenv(name);
        return value != nullptr && *value == '/' ? fs::path(value) : fs::path();
    };
    fs::path base = variable("XDG_CACHE_HOME");
    if (base.empty() && !variable("HOME").empty()) base = variable("HOME") / ".cache";
    return base.empty() ? base : base / "dormer" / "ceilings";
}

/// Ids come from records, which are input: a file's name takes no more of them than this.
std::string plain(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char c) { return !std::isalnum(c) && c != '-' && c != '.'; }, '_');
    return text.substr(0, 80);
}

} // namespace

fs::path cacheFile(const session::Device& device) {
    const fs::path base = folder();
    if (base.empty() || device.uuid.empty()) return {};
    return base / fmt::format("{}-{}.json", plain(device.uuid),
                              device.driverVersion.empty() ? "unknown" : plain(device.driverVersion));
}

std::optional<MeasuredRoofs> cachedRoofs(const session::Device& device) {
    const fs::path path = cacheFile(device);
    std::ifstream file(path);
    if (path.empty() || !file) return std::nullopt;
    const std::string text{std::istreambuf_iterator<char>{file}, {}};
    auto roofs = parseRoofs(text);
    if (!roofs || roofs->uuid != device.uuid) return std::nullopt;
    return std::move(*roofs);
}

Result<void> cacheRoofs(const session::Device& device, const MeasuredRoofs& roofs) {
    const fs::path path = cacheFile(device);
    if (path.empty()) return {};
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    const fs::path fresh = path.string() + fmt::format(".{}", getpid());
    std::ofstream file(fresh);
    file << formatRoofs(roofs) << '\n';
    file.close();
    if (file) fs::rename(fresh, path, error);
    if (!file || error) {
        std::error_code ignored;
        fs::remove(fresh, ignored);
        return failure(ErrorKind::Input, fmt::format("{}: the measured roofs can't be kept there{}",
                                                     path.string(), error ? ": " + error.message() : ""));
    }
    return {};
}

} // namespace dormer::instrument::ceilings
