// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/textures.h"

#include <mutex>

namespace dormer::emulator::memory {

TextureTable& TextureTable::instance() {
    static auto* const table = new TextureTable; // kernels may run until the process ends
    return *table;
}

std::uint64_t TextureTable::add(const Texture& texture) {
    const std::unique_lock lock(m_mutex);
    m_textures.emplace(++m_last, std::make_unique<const Texture>(texture));
    return m_last;
}

bool TextureTable::remove(std::uint64_t handle) {
    const std::unique_lock lock(m_mutex);
    return m_textures.erase(handle) != 0;
}

const Texture* TextureTable::find(std::uint64_t handle) const {
    const std::shared_lock lock(m_mutex);
    const auto found = m_textures.find(handle);
    return found == m_textures.end() ? nullptr : found->second.get();
}

} // namespace dormer::emulator::memory
