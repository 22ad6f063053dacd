// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/call_graph.h"

#include "tests/instrument/cupti/sass/cubin_file.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer::instrument::cupti::sass;

TEST_CASE("Kernels that print by themselves or through a function are found, others are not") {
    std::vector<std::string> callers = callersOf(dormer::tests::cubinFile("printing.cubin"), "vprintf");
    std::ranges::sort(callers);
    CHECK(callers == std::vector<std::string>{"_Z3sayi", "direct", "indirect"});
    CHECK(callersOf(dormer::tests::cubinFile("printing.cubin"), "__assertfail") ==
          std::vector<std::string>{"checked"});
    CHECK(callersOf(dormer::tests::cubinFile("inlined.cubin"), "vprintf").empty());
}

TEST_CASE("What is no cubin, or a broken one, calls nothing") {
    CHECK(callersOf({}, "vprintf").empty());
    std::vector<std::byte> cubin = dormer::tests::cubinFile("printing.cubin");
    for (std::size_t size = 0; size < cubin.size(); size += 97)
        (void)callersOf(Bytes(cubin).first(size), "vprintf"); // sanitizers look on
    for (std::size_t at = 0; at < cubin.size(); at += 31) {
        const std::byte was = std::exchange(cubin[at], std::byte{0xff});
        (void)callersOf(cubin, "vprintf");
        cubin[at] = was;
    }
}
