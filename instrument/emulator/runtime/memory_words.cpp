// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/memory_words.h"

namespace dormer::emulator::runtime {

std::uint64_t MemoryWord::read() const {
    // Other threads of the program may write it at the same time.
    return bytes == 4 ? __atomic_load_n(reinterpret_cast<const std::uint32_t*>(address), __ATOMIC_ACQUIRE)
                      : __atomic_load_n(reinterpret_cast<const std::uint64_t*>(address), __ATOMIC_ACQUIRE);
}

void MemoryWord::write(std::uint64_t value) const {
    if (bytes == 4)
        __atomic_store_n(reinterpret_cast<std::uint32_t*>(address), static_cast<std::uint32_t>(value),
                         __ATOMIC_RELEASE);
    else
        __atomic_store_n(reinterpret_cast<std::uint64_t*>(address), value, __ATOMIC_RELEASE);
}

bool WordWait::isOver() const {
    const std::uint64_t now = word.read();
    const std::uint64_t ones = word.bytes == 4 ? 0xFFFFFFFF : ~std::uint64_t{0};
    switch (until) {
    case Until::AtLeast:
        return word.bytes == 4 ? static_cast<std::int32_t>(static_cast<std::uint32_t>(now - value)) >= 0
                               : static_cast<std::int64_t>(now - value) >= 0;
    case Until::Equal:
        return now == (value & ones);
    case Until::AnyBit:
        return (now & value & ones) != 0;
    case Until::NotAllBits:
        return (~(now | value) & ones) != 0;
    }
    return true;
}

} // namespace dormer::emulator::runtime
