// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace dormer::kernels {

/// The device arrays that live, in the order they were made; without those of bytes, which are scratch
/// memory.
struct LiveBuffer {
    const void* data = nullptr;
    std::size_t bytes = 0;
};
inline std::vector<LiveBuffer>& liveBuffers() {
    static std::vector<LiveBuffer> buffers;
    return buffers;
}

} // namespace dormer::kernels
