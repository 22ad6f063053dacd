// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

namespace dormer::emulator::memory {

/// What a texture object reads, and how. Rows lie in device memory one after the other.
struct Texture {
    enum class Channel : std::uint8_t { Signed, Unsigned, Float };
    enum class Address : std::uint8_t { Wrap, Clamp, Mirror, Border };
    std::uint64_t address = 0;
    std::uint32_t width = 0;             ///< in elements
    std::uint32_t height = 0, depth = 0; ///< 0 for a dimension it lacks
    std::uint64_t pitch = 0;             ///< bytes of a row
    Channel channel = Channel::Float;
    std::uint8_t bits = 32;      ///< of one component
    std::uint8_t components = 1; ///< 1, 2 or 4
    std::array<Address, 3> addressing = {};
    bool linearFilter = false;
    bool normalizedCoordinates = false;
    bool readsNormalizedFloat = false; ///< integers come back as floats in [0, 1] or [-1, 1]
    bool plainMemory = false;          ///< tex1Dfetch from linear memory: no filter, no addressing mode
    std::array<float, 4> border = {};
    [[nodiscard]] std::uint32_t elementBytes() const { return std::uint32_t{bits} / 8 * components; }
};

/// Texture and surface objects of the process, by the 64-bit handle kernels get. Thread-safe; entries stay
/// where they are until removed.
class TextureTable {
public:
    static TextureTable& instance();
    [[nodiscard]] std::uint64_t add(const Texture& texture);
    bool remove(std::uint64_t handle);
    /// Null for a handle that is none.
    [[nodiscard]] const Texture* find(std::uint64_t handle) const;

private:
    mutable std::shared_mutex m_mutex;
    std::unordered_map<std::uint64_t, std::unique_ptr<const Texture>> m_textures;
    std::uint64_t m_last = 0;
};

} // namespace dormer::emulator::memory
