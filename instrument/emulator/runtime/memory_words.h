// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What the driver's memory operations of streams do: a word that a stream waits for or writes in its turn.
namespace dormer::emulator::runtime {

/// A naturally aligned word of 4 or 8 bytes of device or registered host memory.
struct MemoryWord {
    std::uint64_t address = 0;
    std::uint8_t bytes = 4;
    [[nodiscard]] std::uint64_t read() const;
    void write(std::uint64_t value) const;
};

struct WordWait {
    /// CUstreamWaitValue_flags, the first of which compares with signs, so that counters may wrap around.
    enum class Until : std::uint8_t { AtLeast, Equal, AnyBit, NotAllBits } until = Until::AtLeast;
    MemoryWord word;
    std::uint64_t value = 0;
    [[nodiscard]] bool isOver() const;
};

struct WordWrite {
    MemoryWord word;
    std::uint64_t value = 0;
};

} // namespace dormer::emulator::runtime
