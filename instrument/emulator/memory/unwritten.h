// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// Device memory that nothing has written, found by what it holds: each word of it a number of its own, made
/// of its address. So whatever writes memory need not say so, copies of it elsewhere are not taken for it,
/// and one written word in 2^32 is by chance.
namespace dormer::emulator::memory {

/// What a word holds before it is written; `address` is a multiple of 4.
[[nodiscard]] constexpr std::uint32_t unwrittenWord(std::uint64_t address) {
    return static_cast<std::uint32_t>(((address >> 2) * 0x9E37'79B9'7F4A'7C15) >> 32) ^ 0xA5C3'96E1;
}
/// Makes all whole words from there on unwritten.
void fillUnwritten(std::uint64_t address, std::size_t bytes);
/// Whether the word still holds that; `address` is a multiple of 4 in memory that may be read.
[[nodiscard]] bool isUnwritten(std::uint64_t address);

} // namespace dormer::emulator::memory
