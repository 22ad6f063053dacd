// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

namespace dormer::instrument::cupti::sass {

using Bytes = std::span<const std::byte>;

/// Part of an image, or nothing where it would end behind it.
[[nodiscard]] inline std::optional<Bytes> part(Bytes image, std::uint64_t at, std::uint64_t size) {
    if (at > image.size() || size > image.size() - at) return std::nullopt;
    return image.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
}

template <typename T>
[[nodiscard]] std::optional<T> readAt(Bytes image, std::uint64_t at) {
    const auto bytes = part(image, at, sizeof(T));
    if (!bytes) return std::nullopt;
    T value;
    std::memcpy(&value, bytes->data(), sizeof value);
    return value;
}

/// The zero-terminated text at an offset; empty when it is not terminated.
[[nodiscard]] std::string_view textAt(Bytes strings, std::uint64_t at);

/// A section of a 64-bit ELF image by its name; empty when there is none or the image is broken. Read with
/// bounds checks only, no library: this runs inside foreign programs.
[[nodiscard]] Bytes elfSection(Bytes image, std::string_view name);

/// Number of a function in the symbol table of such an image; absent when it is not in there.
[[nodiscard]] std::optional<std::uint32_t> elfFunctionIndex(Bytes image, std::string_view name);

} // namespace dormer::instrument::cupti::sass
