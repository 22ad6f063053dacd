// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/user_line.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace dormer::session {

namespace {

/// "b.cu:40" into its parts; absent when it has no line.
bool parseFrame(std::string_view text, SourceFrame& frame) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == text.size()) return false;
    const char* end = text.data() + text.size();
    if (const auto [at, error] = std::from_chars(text.data() + colon + 1, end, frame.line);
        error != std::errc{} || at != end)
        return false;
    frame.file = text.substr(0, colon);
    return true;
}

} // namespace

std::vector<SourceFrame> framesOf(const LineCounts& counts) {
    std::vector<SourceFrame> frames;
    if (counts.file.empty() || counts.line == 0) return frames;
    frames.push_back({counts.file, counts.line});
    constexpr std::string_view kCalledBy = " < ";
    std::string_view rest = counts.inlinedAt;
    while (!rest.empty()) {
        const std::size_t end = rest.find(kCalledBy);
        SourceFrame frame;
        if (parseFrame(rest.substr(0, end), frame)) frames.push_back(std::move(frame));
        rest = end == std::string_view::npos ? "" : rest.substr(end + kCalledBy.size());
    }
    return frames;
}

bool isLibraryFile(std::string_view path) {
    static constexpr std::array<std::string_view, 8> kFolders = {"/include/cub/",
                                                                 "/include/thrust/",
                                                                 "/include/cccl/",
                                                                 "/include/crt/",
                                                                 "/usr/include/",
                                                                 "/lib/gcc/",
                                                                 "/targets/x86_64-linux/include/",
                                                                 "/include/cooperative_groups/"};
    // "/usr/local/cuda-13.0/include/cuda_fp16.hpp"
    const std::size_t toolkit = path.find("/cuda");
    if (toolkit != std::string_view::npos) {
        const std::size_t end = path.find('/', toolkit + 1);
        const std::string_view version = path.substr(0, end).substr(toolkit + 5);
        if (end != std::string_view::npos && path.substr(end).starts_with("/include/") &&
            (version.empty() || version.starts_with('-')))
            return true;
    }
    const bool inside = std::ranges::any_of(
        kFolders, [&](std::string_view folder) { return path.find(folder) != std::string_view::npos; });
    if (inside) return true;
    // Recordings may have the folders before these taken off.
    static constexpr std::array<std::string_view, 4> kRelative = {"cccl/", "cub/", "thrust/",
                                                                  "cooperative_groups/"};
    if (std::ranges::any_of(kRelative, [&](std::string_view f) { return path.starts_with(f); })) return true;
    return path.starts_with("cuda/") && (path.ends_with(".h") || path.ends_with(".hpp"));
}

SourceFrame userFrame(const LineCounts& counts) {
    const std::vector<SourceFrame> frames = framesOf(counts);
    if (frames.empty()) return {};
    const auto own =
        std::ranges::find_if(frames, [](const SourceFrame& frame) { return !isLibraryFile(frame.file); });
    return own == frames.end() ? frames.front() : *own;
}

} // namespace dormer::session
