// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("graphs: one pipeline, launched in five ways") {
    CHECK(variantsOf("graphs") == std::vector<std::string>{"launched_one_by_one", "captured", "replayed",
                                                           "nodes_added", "two_branches"});
}

TEST_CASE("graphs: every way runs the same kernels") {
    constexpr std::size_t kCells = 512;
    double launches = 0;
    for (int rod = 0; rod < 2; ++rod) {
        launches += 1; // start
        for (int step = 0; step < 8; ++step)
            launches += 3; // flux, advance, probe
    }
    double flux = 0, advance = 0;
    for (std::size_t cell = 0; cell < kCells; ++cell) {
        if (cell + 1 < kCells) flux += 2;
        if (cell > 0 && cell + 1 < kCells) advance += 2;
    }
    for (const std::string& variant : variantsOf("graphs")) {
        const std::string path = "graphs/" + variant;
        CHECK(valueOf(path, kCells, "kernel_count") == launches);
        std::map<std::string, double> flops;
        for (const kernels::Expectation& answer : answersOf(path, kCells))
            if (answer.metric == "flops_fp32") flops[answer.kernel] = answer.value;
        CHECK(flops == std::map<std::string, double>{{"heatFlux", flux}, {"heatAdvance", advance}});
    }
}
