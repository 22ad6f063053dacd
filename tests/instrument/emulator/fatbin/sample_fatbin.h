// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace dormer::tests {

inline std::vector<std::byte> readBytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::vector<std::byte> out(text.size());
    for (std::size_t i = 0; i < text.size(); ++i)
        out[i] = static_cast<std::byte>(text[i]);
    return out;
}

/// tests/data/fatbin/two_kernels.cu, packed with --compress-mode none, speed or size.
inline std::vector<std::byte> twoKernels(const std::string& mode) {
    return readBytes(DORMER_TEST_DATA "/fatbin/two_kernels_" + mode + ".fatbin");
}

} // namespace dormer::tests
