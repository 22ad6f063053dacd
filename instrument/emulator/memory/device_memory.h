// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace dormer::emulator::memory {

/// An allocation kernels may access. Device addresses are host addresses.
struct Allocation {
    /// Internal: the emulator's own, which messages don't speak of.
    enum class Kind : std::uint8_t { Device, Managed, PinnedHost, Variable, Internal };
    std::uint64_t address = 0;
    std::size_t bytes = 0; ///< as requested
    Kind kind = Kind::Device;
    std::string name; ///< of a Variable
    [[nodiscard]] std::uint64_t end() const { return address + bytes; }
};

/// Device memory of the emulated chip: what kernels may touch, and nothing else. Thread-safe.
class DeviceMemory {
public:
    /// `capacity`: bytes the chip has; more is refused as out of memory.
    explicit DeviceMemory(std::uint64_t capacity);
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;

    /// Address aligned to 512 bytes; nothing when the chip or this machine has no more. Zero bytes give an
    /// address of their own.
    [[nodiscard]] std::optional<std::uint64_t> allocate(std::size_t bytes, Allocation::Kind kind,
                                                        std::string name = {});
    /// Host memory of the program that kernels may access from now on (cudaHostRegister).
    bool adopt(std::uint64_t address, std::size_t bytes);
    /// Address space without memory behind it, which the program maps its own into; nothing when there is
    /// none. `alignment`: a power of two, the driver's granularity at least.
    [[nodiscard]] std::optional<std::uint64_t> reserve(std::size_t bytes, std::size_t alignment);
    struct Range {
        std::uint64_t address = 0;
        std::size_t bytes = 0;
    };
    /// What kernels may access of a reservation from now on: the memory that was mapped there. release() does
    /// not know it.
    void expose(const Range& reservation, const std::vector<Range>& mapped);
    /// Takes memory of the chip that is mapped later, and gives it back. False when there is not so much
    /// left.
    [[nodiscard]] bool charge(std::size_t bytes);
    void refund(std::size_t bytes);
    /// False when no allocation starts there.
    bool release(std::uint64_t address);
    /// While one lives, released memory stays mapped: a running kernel, which frees memory itself or whose
    /// program does so on another thread, must not crash the process with an address that was right a moment
    /// ago.
    class InUse {
    public:
        explicit InUse(DeviceMemory& memory);
        ~InUse();
        InUse(const InUse&) = delete;
        InUse& operator=(const InUse&) = delete;

    private:
        DeviceMemory& m_memory;
    };
    /// The allocation that holds the address.
    [[nodiscard]] std::optional<Allocation> find(std::uint64_t address) const;
    /// The program's host memory that kernels may access, by address.
    [[nodiscard]] std::vector<Allocation> onHost() const;
    /// The allocation that ends or begins nearest to it, for messages.
    [[nodiscard]] std::optional<Allocation> nearest(std::uint64_t address) const;
    [[nodiscard]] std::uint64_t capacity() const { return m_capacity; }
    [[nodiscard]] std::uint64_t used() const;

private:
    struct Entry {
        Allocation allocation;
        std::size_t mapped = 0; ///< bytes taken with mmap; 0 when adopted or mapped by the program
        bool isOwn = true;      ///< made by allocate() or adopt()
    };
    static void unmap(const Entry& entry);
    /// Pages at the same addresses in every run: caches choose sets by address, so that counts would differ
    /// from run to run. Where these are taken, the kernel chooses. MAP_FAILED: there is no room.
    [[nodiscard]] void* map(std::size_t bytes, int protection);
    mutable std::shared_mutex m_mutex;
    std::map<std::uint64_t, Entry> m_entries;
    std::uint64_t m_capacity;
    std::uint64_t m_used = 0;
    std::uint64_t m_next = 0;     ///< address to ask for
    unsigned m_uses = 0;          ///< InUse objects that live
    std::vector<Entry> m_retired; ///< released meanwhile, mapped still
};

} // namespace dormer::emulator::memory
