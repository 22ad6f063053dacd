// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/parts/protobuf.h"

#include <bit>

namespace dormer::importers {

double ProtoField::asDouble() const {
    return std::bit_cast<double>(integer);
}

float ProtoField::asFloat() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(integer));
}

std::optional<std::uint64_t> ProtoReader::varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (m_rest.empty()) return std::nullopt;
        const auto byte = static_cast<unsigned char>(m_rest.front());
        m_rest.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if ((byte & 0x80U) == 0) return value;
    }
    return std::nullopt;
}

std::optional<std::string_view> ProtoReader::take(std::uint64_t bytes) {
    if (bytes > m_rest.size()) return std::nullopt;
    const std::string_view taken = m_rest.substr(0, bytes);
    m_rest.remove_prefix(bytes);
    return taken;
}

std::optional<ProtoField> ProtoReader::next() {
    if (m_broken || m_rest.empty()) return std::nullopt;
    m_broken = true; // until all of the field is read
    const auto key = varint();
    if (!key || *key >> 3U == 0 || *key >> 3U > UINT32_MAX) return std::nullopt;
    ProtoField field;
    field.number = static_cast<std::uint32_t>(*key >> 3U);
    field.wire = static_cast<std::uint32_t>(*key & 7U);
    if (field.wire == 0) {
        const auto value = varint();
        if (!value) return std::nullopt;
        field.integer = *value;
    } else if (field.wire == 1 || field.wire == 5) {
        const auto bytes = take(field.wire == 1 ? 8 : 4);
        if (!bytes) return std::nullopt;
        for (std::size_t i = bytes->size(); i-- > 0;)
            field.integer = field.integer << 8U | static_cast<unsigned char>((*bytes)[i]);
    } else if (field.wire == 2) {
        const auto length = varint();
        const auto bytes = length ? take(*length) : std::nullopt;
        if (!bytes) return std::nullopt;
        field.bytes = *bytes;
    } else {
        return std::nullopt;
    }
    m_broken = false;
    return field;
}

std::optional<ProtoField> fieldOf(std::string_view message, std::uint32_t number) {
    ProtoReader reader(message);
    while (const auto field = reader.next())
        if (field->number == number) return field;
    return std::nullopt;
}

} // namespace dormer::importers
