// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/driver/jit_options.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace dormer::emulator::runtime::driver {

namespace {

/// Sizes are passed by value in the place of a pointer.
void writeLog(const JitOptions& options, CUjit_option buffer, CUjit_option size, std::string_view text) {
    char* to = nullptr;
    void** room = nullptr;
    for (unsigned i = 0; i < options.count; ++i) {
        if (options.names[i] == buffer) to = static_cast<char*>(options.values[i]);
        if (options.names[i] == size) room = &options.values[i];
    }
    if (to == nullptr || room == nullptr) return;
    const auto bytes = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(*room) & 0xFFFFFFFF);
    if (bytes == 0) return;
    const std::size_t kept = std::min(text.size(), bytes - 1);
    std::memcpy(to, text.data(), kept);
    to[kept] = '\0';
    if (kept > 0) *room = reinterpret_cast<void*>(kept);
}

} // namespace

void JitOptions::write(std::string_view error) const {
    if (names == nullptr || values == nullptr) return;
    if (error.empty()) writeLog(*this, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, {});
    writeLog(*this, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, error);
    for (unsigned i = 0; i < count; ++i)
        if (names[i] == CU_JIT_WALL_TIME) values[i] = nullptr; // the bits of 0.0F
}

} // namespace dormer::emulator::runtime::driver
