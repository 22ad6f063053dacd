// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dormer::importers {

/// One field of a message in protobuf's wire format (protobuf.dev/programming-guides/encoding).
struct ProtoField {
    std::uint32_t number = 0;
    std::uint32_t wire = 0;      ///< 0 varint, 1 of 64 bits, 2 with a length, 5 of 32 bits
    std::uint64_t integer = 0;   ///< value of wires 0, 1 and 5
    std::string_view bytes = {}; ///< of wire 2: text, or a message

    [[nodiscard]] double asDouble() const; ///< of wire 1
    [[nodiscard]] float asFloat() const;   ///< of wire 5
};

/// Takes the fields of a message one by one. Reads nothing beyond its bytes, whatever they hold.
class ProtoReader {
public:
    explicit ProtoReader(std::string_view message) : m_rest(message) {}

    /// The next one; nothing at the end, or where the bytes are no field: broken() tells which.
    [[nodiscard]] std::optional<ProtoField> next();
    [[nodiscard]] bool broken() const { return m_broken; }

private:
    [[nodiscard]] std::optional<std::uint64_t> varint();
    [[nodiscard]] std::optional<std::string_view> take(std::uint64_t bytes);

    std::string_view m_rest;
    bool m_broken = false;
};

/// First field of that number; nothing when the message has none.
[[nodiscard]] std::optional<ProtoField> fieldOf(std::string_view message, std::uint32_t number);

} // namespace dormer::importers
