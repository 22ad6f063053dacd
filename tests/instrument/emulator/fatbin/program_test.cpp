// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/fatbin/read.h"
#include "instrument/emulator/ptx/parser/parse.h"
#include "tests/instrument/emulator/fatbin/sample_fatbin.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <set>

using namespace dormer::emulator::fatbin;
using namespace dormer::emulator::program;

// The suite's kernels are compiled for compute_90 and sm_90 alike (cmake/DormerDependencies.cmake), so PTX
// and cubin have to name the same ones.
TEST_CASE("every module of the suite's program parses, with the kernels ptxas compiled") {
    const auto program = dormer::tests::readBytes(DORMER_BIN_DIR "/dormer-workloads");
    REQUIRE_FALSE(program.empty());
    const std::byte magic[] = {std::byte{0x50}, std::byte{0xED}, std::byte{0x55}, std::byte{0xBA}};
    std::size_t binaries = 0, kernelsOfAll = 0;
    for (auto at = program.begin();; at += 4) {
        at = std::search(at, program.end(), std::begin(magic), std::end(magic));
        if (at == program.end()) break;
        const auto binary = readFatBinary(std::span(at, program.end()));
        if (!binary || binary->ptx.empty()) continue;
        ++binaries;
        for (const PtxImage& image : binary->ptx) {
            const auto text = image.text();
            REQUIRE(text);
            const auto module = dormer::emulator::ptx::parser::parseModule(*text);
            if (!module) FAIL(module.error().message);
            CHECK(module->target == "sm_" + image.target.text());
            const CubinImage* cubin = chooseCubin(*binary, image.target.number);
            if (cubin == nullptr || cubin->target.number != image.target.number) continue;
            std::set<std::string> fromPtx, fromCubin;
            for (const dormer::emulator::ptx::Function& function : module->functions)
                if (function.isEntry) fromPtx.insert(function.name);
            const auto kernels = cubin->kernels();
            REQUIRE(kernels);
            for (const CubinKernel& kernel : *kernels) {
                fromCubin.insert(kernel.name);
                CHECK(kernel.registersPerThread >= 4);
                CHECK(kernel.registersPerThread <= 255);
            }
            CHECK(fromPtx == fromCubin);
            kernelsOfAll += fromPtx.size();
        }
    }
    CHECK(binaries >= 5);
    CHECK(kernelsOfAll >= 20);
}
