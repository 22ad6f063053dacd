// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/check/source_path.h"

#include <fmt/format.h>

#include <filesystem>

namespace dormer::check {

std::string relativePath(const std::string& file, const std::string& root) {
    const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
    if (root.empty() || path.is_relative()) return path.generic_string();
    const std::filesystem::path relative =
        path.lexically_relative(std::filesystem::path(root).lexically_normal());
    const bool below = !relative.empty() && *relative.begin() != "..";
    return below ? relative.generic_string() : path.generic_string();
}

std::string sourceUri(const std::string& file, const std::string& root) {
    const std::string path = relativePath(file, root);
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '/' || c == '.' || c == '-' || c == '_' || c == '~';
        if (plain)
            uri += c;
        else
            uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return uri;
}

} // namespace dormer::check
