// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<Bytes> corpus(const char* name) {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(DORMER_TEST_DATA "/fuzz/") + name))
        paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<Bytes> out;
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        out.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return out;
}

/// What a fuzzer does without feedback: bytes changed, taken out, repeated, and pieces of other inputs.
Bytes mutated(const std::vector<Bytes>& inputs, std::mt19937& random) {
    const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
    Bytes out = inputs[below(inputs.size())];
    for (std::size_t changes = 1 + below(4); changes-- > 0 && !out.empty();) {
        const std::size_t at = below(out.size());
        const std::size_t length = std::min<std::size_t>(1 + below(32), out.size() - at);
        const auto place = out.begin() + static_cast<std::ptrdiff_t>(at);
        switch (below(6)) {
        case 0:
            *place = static_cast<std::uint8_t>(random());
            break;
        case 1:
            *place = static_cast<std::uint8_t>(*place ^ (1U << below(8)));
            break;
        case 2:
            out.erase(place, place + static_cast<std::ptrdiff_t>(length));
            break;
        case 3: {
            const Bytes piece(place, place + static_cast<std::ptrdiff_t>(length));
            out.insert(place, piece.begin(), piece.end());
            break;
        }
        case 4: {
            const Bytes& other = inputs[below(inputs.size())];
            if (other.empty()) break;
            const std::size_t from = below(other.size());
            const std::size_t count = std::min<std::size_t>(1 + below(64), other.size() - from);
            out.insert(place, other.begin() + static_cast<std::ptrdiff_t>(from),
                       other.begin() + static_cast<std::ptrdiff_t>(from + count));
            break;
        }
        default:
            for (std::size_t i = 0; i < std::min<std::size_t>(length, 8); ++i)
                out[at + i] = random() % 2 ? 0xFF : 0;
        }
    }
    return out;
}

template <typename Target>
void replay(const char* name, Target target, int mutations) {
    const std::vector<Bytes> inputs = corpus(name);
    REQUIRE(inputs.size() >= 3);
    for (const Bytes& input : inputs)
        target(input);
    std::mt19937 random(20250601);
    for (int i = 0; i < mutations; ++i)
        target(mutated(inputs, random));
    SUCCEED("no crash and no broken promise");
}

} // namespace

TEST_CASE("the PTX parser survives its corpus and mutations of it") {
    replay("ptx", dormer::fuzz::ptx, 20'000);
}

TEST_CASE("the fat-binary reader survives its corpus and mutations of it") {
    replay("fatbin", dormer::fuzz::fatBinary, 5'000);
}
