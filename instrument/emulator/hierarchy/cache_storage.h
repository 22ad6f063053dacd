// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace dormer::emulator::hierarchy {

/// Twelve lines of a cache, in one line of the host's: an access costs one of its misses at most.
struct alignas(64) CacheSet {
    static constexpr unsigned kWays = 12;
    std::uint32_t tags[kWays];
    std::uint64_t valid = 0; ///< bits 0…47: four sectors per way; 48…63: epoch of the launch that filled it
    std::uint64_t dirty = 0; ///< bits 0…47: four sectors per way; 48…59: way was hit; 60…63: next victim
};
static_assert(sizeof(CacheSet) == 64);

/// Sets of caches that outlive a launch, so that the next one need not clear megabytes: sets of an older
/// epoch count as empty.
class CacheStorage {
public:
    /// Takes sets from those no launch uses, or allocates them.
    explicit CacheStorage(std::size_t sets);
    /// Gives them back.
    ~CacheStorage();
    CacheStorage(const CacheStorage&) = delete;
    CacheStorage& operator=(const CacheStorage&) = delete;

    [[nodiscard]] CacheSet* sets() const { return m_sets.get(); }
    [[nodiscard]] std::uint64_t epoch() const { return m_epoch; } ///< 1…65535

private:
    std::unique_ptr<CacheSet[]> m_sets;
    std::size_t m_count;
    std::uint64_t m_epoch = 0;
};

} // namespace dormer::emulator::hierarchy
