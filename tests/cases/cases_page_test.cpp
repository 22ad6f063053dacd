// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"
#include "tests/cases/cases_page.h"
#include "tests/support/catch.h"

#include <cstdlib>
#include <fstream>

using namespace dormer::tests;

TEST_CASE("docs/cases.md shows what Dormer says of the cases") {
    const std::string path = DORMER_SOURCE_DIR "/docs/cases.md";
    const std::string page = readFile(path);
    const std::string expected = withCaseBlocks(page);
    REQUIRE(expected.size() > 1000);
    if (const char* update = std::getenv("DORMER_UPDATE_DOCS"); update != nullptr && *update == '1')
        std::ofstream(path) << expected;
    INFO("run this test with DORMER_UPDATE_DOCS=1 to write the blocks of docs/cases.md anew");
    CHECK((readFile(path) == expected)); // comparing with CHECK would print both pages
}
