// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/user_line.h"

#include "analysis/session/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace dormer::session {

namespace {

constexpr std::string_view kCalledFrom = " < ";

/// "b.cu:40" into its parts; false when it has no line.
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

std::string toString(const CallChain& calls) {
    std::string text;
    for (const SourceFrame& call : calls) {
        if (!text.empty()) text += kCalledFrom;
        text += fmt::format("{}:{}", call.file, call.line);
    }
    return text;
}

bool fromString(std::string_view text, CallChain& calls) {
    calls.clear();
    while (!text.empty()) {
        const std::size_t end = text.find(kCalledFrom);
        SourceFrame frame;
        if (parseFrame(text.substr(0, end), frame)) calls.push_back(std::move(frame));
        text = end == std::string_view::npos ? "" : text.substr(end + kCalledFrom.size());
    }
    return true;
}

std::vector<SourceFrame> framesOf(const LineCounts& counts) {
    if (counts.file.empty() || counts.line == 0) return {};
    std::vector<SourceFrame> frames{{counts.file, counts.line}};
    frames.insert(frames.end(), counts.inlinedAt.begin(), counts.inlinedAt.end());
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
