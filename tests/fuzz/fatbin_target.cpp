// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/fatbin/cubin.h"
#include "instrument/emulator/fatbin/read.h"
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace dormer::fuzz {
namespace {

using namespace emulator::fatbin;

void require(bool promise, const char* what) {
    if (promise) return;
    std::fprintf(stderr, "the fat-binary reader broke its promise: %s\n", what);
    std::abort();
}

} // namespace

void fatBinary(std::span<const std::uint8_t> input) {
    const std::span<const std::byte> bytes = std::as_bytes(input);
    (void)readCubin(bytes); // cubins also come uncompressed
    const auto binary = readFatBinary(bytes);
    if (!binary) return;
    const auto checkPayload = [&](const Payload& payload) {
        require(payload.stored.empty() ||
                    (payload.stored.data() >= bytes.data() &&
                     payload.stored.data() + payload.stored.size() <= bytes.data() + bytes.size()),
                "entries lie in the binary");
        if (const auto unpacked = payload.unpack())
            require(unpacked->size() == payload.bytes &&
                        unpacked->size() <= std::max(kMaxUnpackedBytes, bytes.size()),
                    "entries unpack to what they claim");
    };
    for (const PtxImage& image : binary->ptx) {
        checkPayload(image.payload);
        if (const auto text = image.text())
            require(text->find('\0') == std::string::npos, "PTX ends at its first zero");
    }
    for (const CubinImage& image : binary->cubins) {
        checkPayload(image.payload);
        (void)image.kernels();
    }
    for (const std::uint32_t chip : {70U, 75U, 90U, 120U}) {
        const PtxImage* ptx = choosePtx(*binary, chip);
        require(ptx == nullptr || ptx->target.number <= chip, "PTX runs on the chip it is chosen for");
        (void)chooseCubin(*binary, chip);
    }
}

} // namespace dormer::fuzz
