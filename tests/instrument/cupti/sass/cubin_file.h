// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/catch.h"

#include <cstddef>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace dormer::tests {

/// A file of tests/data/sass.
inline std::string sassFile(const std::string& name) {
    std::ifstream file(std::string(DORMER_TEST_DATA "/sass/") + name, std::ios::binary);
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::byte> cubinFile(const std::string& name) {
    const std::string text = sassFile(name);
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

} // namespace dormer::tests
