// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_places.h"

#include "tests/support/catch.h"
#include "tests/support/prose.h"

using namespace dormer::findings;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;
using namespace dormer::tests;

namespace {

LineCounts load(std::uint32_t line, std::uint64_t pc, std::uint64_t sectors = 320) {
    LineCounts counts;
    counts.file = "/src/a.cu";
    counts.line = line;
    counts.pc = pc;
    counts.space = MemorySpace::Global;
    counts.op = MemoryOperation::Load;
    counts.widthBytes = 4;
    counts.executions = 10;
    counts.threads = 320;
    counts.sectors = sectors;
    counts.sectorsIdeal = 40;
    return counts;
}

std::vector<FindingPlace> places(const std::vector<LineCounts>& lines) {
    std::vector<WastefulAccess> accesses;
    for (const LineCounts& line : lines)
        accesses.push_back({&line, static_cast<double>(*line.sectors - *line.sectorsIdeal)});
    return placesOf(accesses, {excessText, [](const LineCounts& sum, std::size_t instructions) {
                                   return std::to_string(*sum.sectors) + "/" + std::to_string(instructions);
                               }});
}

} // namespace

TEST_CASE("The worst line first, with its share and what its instructions do") {
    const auto found = places({load(5, 0x10), load(7, 0x20, 80), load(5, 0x30), load(9, 0x40)});
    REQUIRE(found.size() == 3);
    CHECK(found[0].place == "a.cu:5");
    CHECK(found[0].file == "/src/a.cu");
    CHECK(found[0].line == 5);
    CHECK(found[0].pc == 0x10);
    CHECK(found[0].chain.empty());
    CHECK(numbersIn(found[0].what) == Numbers{2, 32, 4, 1}); // loads, sectors, ideal, sectors per lane
    CHECK(found[0].change == "640/2");
    CHECK(found[0].share == Approx(560.0 / 880));
    CHECK(found[1].place == "a.cu:9");
    CHECK(numbersIn(found[2].what) == Numbers{8, 4, 2}); // sectors, ideal, stride
    CHECK(found[2].share == Approx(40.0 / 880));
}

TEST_CASE("Different kinds at one line stand beside each other, the worse first") {
    LineCounts store = load(5, 0x20);
    store.op = MemoryOperation::Store;
    const auto found = places({load(5, 0x10, 80), store});
    REQUIRE(found.size() == 1);
    CHECK(found[0].what.starts_with("store: "));
    CHECK(numbersIn(found[0].what) == Numbers{32, 4, 1, 8, 4, 2});
    CHECK(found[0].share == Approx(1));
}

TEST_CASE("What a library did stands at the user's line, and keeps the way there") {
    LineCounts inlined = load(180, 0x10);
    inlined.file = "/usr/local/cuda/include/sm_32_intrinsics.hpp";
    inlined.inlinedAt = {{"/src/load.h", 12}, {"/src/main.cu", 40}};
    LineCounts elsewhere = inlined;
    elsewhere.inlinedAt = {{"/src/load.h", 12}, {"/src/main.cu", 50}};
    elsewhere.pc = 0x20;
    const auto found = places({inlined, elsewhere});
    REQUIRE(found.size() == 2); // each way of inlining by itself
    CHECK(found[0].place == "load.h:12");
    CHECK(found[0].file == "/src/load.h");
    CHECK(found[0].chain == "sm_32_intrinsics.hpp:180 < load.h:12 < main.cu:40");
    CHECK(found[1].chain == "sm_32_intrinsics.hpp:180 < load.h:12 < main.cu:50");
}

TEST_CASE("Without line information: positions, each instruction by itself, and the flag to add") {
    LineCounts first = load(0, 0x110);
    first.file.clear();
    LineCounts second = first;
    second.pc = 0x90;
    const auto found = places({first, second});
    REQUIRE(found.size() == 2);
    CHECK(found[0].place == "pc 0x90"); // equal ones in program order
    CHECK(found[1].place == "pc 0x110");
    CHECK(found[0].file.empty());
    CHECK(found[0].line == 0);
    CHECK(lineInfoAdvice(found).find("-lineinfo") != std::string::npos);
    CHECK(lineInfoAdvice(places({load(5, 0x10)})).empty());
    CHECK(lineInfoAdvice({}).empty());
}

TEST_CASE("At most ten places, and none that is nothing beside the others") {
    std::vector<LineCounts> many;
    for (std::uint32_t i = 0; i < 40; ++i)
        many.push_back(load(i + 1, 0x10 * i));
    CHECK(places(many).size() == 10);
    std::vector<LineCounts> uneven{load(1, 0x10, 32'000), load(2, 0x20, 45)};
    CHECK(places(uneven).size() == 1);
    CHECK(places({}).empty());
}
