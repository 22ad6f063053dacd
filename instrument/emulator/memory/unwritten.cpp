// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/unwritten.h"

#include <cstring>

namespace dormer::emulator::memory {

void fillUnwritten(std::uint64_t address, std::size_t bytes) {
    for (std::uint64_t at = (address + 3) / 4 * 4; at + 4 <= address + bytes; at += 4) {
        const std::uint32_t word = unwrittenWord(at);
        std::memcpy(reinterpret_cast<std::byte*>(at), &word, sizeof word);
    }
}

bool isUnwritten(std::uint64_t address) {
    return __atomic_load_n(reinterpret_cast<const std::uint32_t*>(address), __ATOMIC_RELAXED) ==
           unwrittenWord(address);
}

} // namespace dormer::emulator::memory
