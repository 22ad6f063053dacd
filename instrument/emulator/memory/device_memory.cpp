// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/device_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <mutex>

namespace dormer::emulator::memory {

namespace {

constexpr std::size_t kAlignment = 512; // cudaMalloc's, on every chip seen

/// Where device memory begins: far from where the loader and malloc() put anything.
constexpr std::uint64_t kFirstAddress = std::uint64_t{0x2000'0000'0000},
                        kLastAddress = std::uint64_t{0x5000'0000'0000};
/// What the driver rounds its own mappings up to.
constexpr std::uint64_t kGranularity = std::uint64_t{2} << 20;

std::size_t pageBytes() {
    static const auto kBytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return kBytes;
}

/// ThreadSanitizer lets a program have memory at few addresses, and ends it at others.
#ifdef __SANITIZE_THREAD__
constexpr bool kChoosesAddresses = false;
#else
constexpr bool kChoosesAddresses = true;
#endif

} // namespace

DeviceMemory::DeviceMemory(std::uint64_t capacity) : m_capacity(capacity) {}

DeviceMemory::~DeviceMemory() {
    for (const auto& [address, entry] : m_entries)
        unmap(entry);
}

void DeviceMemory::unmap(const Entry& entry) {
    if (entry.mapped != 0) munmap(reinterpret_cast<void*>(entry.allocation.address), entry.mapped);
}

DeviceMemory::InUse::InUse(DeviceMemory& memory) : m_memory(memory) {
    const std::unique_lock lock(m_memory.m_mutex);
    ++m_memory.m_uses;
}

DeviceMemory::InUse::~InUse() {
    const std::unique_lock lock(m_memory.m_mutex);
    if (--m_memory.m_uses != 0) return;
    for (const Entry& entry : m_memory.m_retired)
        unmap(entry);
    m_memory.m_retired.clear();
}

void* DeviceMemory::map(std::size_t bytes, int protection) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    const std::uint64_t step = (bytes + kGranularity - 1) / kGranularity * kGranularity;
    if (m_next == 0) m_next = kFirstAddress;
    if (kChoosesAddresses && step < kLastAddress - m_next) {
        void* base =
            mmap(reinterpret_cast<void*>(m_next), bytes, protection, kFlags | MAP_FIXED_NOREPLACE, -1, 0);
        m_next += step;
        if (base == reinterpret_cast<void*>(m_next - step)) return base;
        if (base != MAP_FAILED) munmap(base, bytes); // a kernel that does not know the flag
    }
    return mmap(nullptr, bytes, protection, kFlags, -1, 0);
}

std::optional<std::uint64_t> DeviceMemory::allocate(std::size_t bytes, Allocation::Kind kind,
                                                    std::string name) {
    const std::unique_lock lock(m_mutex);
    const std::size_t wanted = bytes == 0 ? 1 : bytes;
    const bool onDevice = kind != Allocation::Kind::PinnedHost;
    if (onDevice && (wanted > m_capacity || m_used > m_capacity - wanted)) return std::nullopt;
    // Pages come when first touched: a program may allocate more than it uses. Nobody may touch the last one,
    // so that host code that runs on beyond the end is noticed.
    const std::size_t page = pageBytes();
    if (wanted > SIZE_MAX - 3 * page) return std::nullopt;
    const std::size_t mapped = (wanted + page - 1) / page * page + page;
    void* base = map(mapped, PROT_READ | PROT_WRITE);
    if (base == MAP_FAILED) return std::nullopt;
    const auto address = reinterpret_cast<std::uint64_t>(base);
    static_assert(kAlignment <= 4096);
    if (mprotect(reinterpret_cast<void*>(address + mapped - page), page, PROT_NONE) != 0) {
        munmap(base, mapped);
        return std::nullopt;
    }
    Entry entry{{address, bytes, kind, std::move(name)}, mapped, true};
    m_entries.emplace(address, std::move(entry));
    if (onDevice) m_used += wanted;
    return address;
}

bool DeviceMemory::adopt(std::uint64_t address, std::size_t bytes) {
    const std::unique_lock lock(m_mutex);
    const auto after = m_entries.lower_bound(address);
    if (after != m_entries.end() && after->first < address + bytes) return false;
    if (after != m_entries.begin() && std::prev(after)->second.allocation.end() > address) return false;
    m_entries.emplace(address, Entry{{address, bytes, Allocation::Kind::PinnedHost, {}}, 0, true});
    return true;
}

std::optional<std::uint64_t> DeviceMemory::reserve(std::size_t bytes, std::size_t alignment) {
    const std::unique_lock lock(m_mutex);
    if (m_next == 0) m_next = kFirstAddress;
    m_next = (m_next + alignment - 1) / alignment * alignment;
    void* const base = map(bytes, PROT_NONE);
    if (base == MAP_FAILED) return std::nullopt;
    const auto address = reinterpret_cast<std::uint64_t>(base);
    if (address % alignment == 0) return address;
    munmap(base, bytes);
    return std::nullopt;
}

void DeviceMemory::expose(const Range& reservation, const std::vector<Range>& mapped) {
    const std::unique_lock lock(m_mutex);
    m_entries.erase(m_entries.lower_bound(reservation.address),
                    m_entries.lower_bound(reservation.address + reservation.bytes));
    for (const Range& range : mapped)
        m_entries.emplace(range.address,
                          Entry{{range.address, range.bytes, Allocation::Kind::Device, {}}, 0, false});
}

bool DeviceMemory::charge(std::size_t bytes) {
    const std::unique_lock lock(m_mutex);
    if (bytes > m_capacity || m_used > m_capacity - bytes) return false;
    m_used += bytes;
    return true;
}

void DeviceMemory::refund(std::size_t bytes) {
    const std::unique_lock lock(m_mutex);
    m_used -= bytes;
}

bool DeviceMemory::release(std::uint64_t address) {
    const std::unique_lock lock(m_mutex);
    const auto found = m_entries.find(address);
    if (found == m_entries.end() || !found->second.isOwn) return false;
    const Entry& entry = found->second;
    if (m_uses == 0)
        unmap(entry);
    else
        m_retired.push_back(entry);
    if (entry.allocation.kind != Allocation::Kind::PinnedHost)
        m_used -= entry.allocation.bytes == 0 ? 1 : entry.allocation.bytes;
    m_entries.erase(found);
    return true;
}

std::optional<Allocation> DeviceMemory::find(std::uint64_t address) const {
    const std::shared_lock lock(m_mutex);
    auto found = m_entries.upper_bound(address);
    if (found == m_entries.begin()) return std::nullopt;
    --found;
    if (address >= found->second.allocation.end()) return std::nullopt;
    return found->second.allocation;
}

std::vector<Allocation> DeviceMemory::onHost() const {
    const std::shared_lock lock(m_mutex);
    std::vector<Allocation> all;
    for (const auto& [address, entry] : m_entries)
        if (entry.allocation.kind == Allocation::Kind::PinnedHost) all.push_back(entry.allocation);
    return all;
}

std::optional<Allocation> DeviceMemory::nearest(std::uint64_t address) const {
    const std::shared_lock lock(m_mutex);
    const auto isInternal = [](const auto& entry) {
        return entry.second.allocation.kind == Allocation::Kind::Internal;
    };
    auto after = m_entries.upper_bound(address);
    auto before = after;
    while (after != m_entries.end() && isInternal(*after))
        ++after;
    while (before != m_entries.begin() && isInternal(*std::prev(before)))
        --before;
    if (before == m_entries.begin())
        return after == m_entries.end() ? std::nullopt : std::optional(after->second.allocation);
    const Allocation& below = std::prev(before)->second.allocation;
    if (after == m_entries.end()) return below;
    const std::uint64_t toBelow = address < below.end() ? 0 : address - below.end();
    return toBelow <= after->first - address ? below : after->second.allocation;
}

std::uint64_t DeviceMemory::used() const {
    const std::shared_lock lock(m_mutex);
    return m_used;
}

} // namespace dormer::emulator::memory
