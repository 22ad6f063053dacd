// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/line_table.h"

#include "instrument/cupti/sass/sass_code.h"
#include "tests/instrument/cupti/sass/cubin_file.h"
#include "tests/support/catch.h"

#include <random>

using namespace dormer::instrument::cupti::sass;
using dormer::tests::cubinFile;

namespace {

/// Line, counted from 1, of the source that holds a text.
std::uint32_t lineOf(const std::string& text) {
    const std::string source = dormer::tests::sassFile("inlined.cu");
    const std::size_t at = source.find(text);
    REQUIRE(at != std::string::npos);
    return 1 + static_cast<std::uint32_t>(
                   std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// Place of the only instruction of that name.
SourcePlace placeOf(const std::vector<std::byte>& cubin, const std::string& kernel, const std::string& name) {
    const Bytes code = kernelCode(cubin, kernel);
    for (std::uint64_t pc = 0; pc < code.size(); pc += 16)
        if (mnemonicAt(code, pc) == name) return LineTable(cubin, kernel).at(pc);
    FAIL("no " << name << " in " << kernel);
    return {};
}

} // namespace

TEST_CASE("An access inlined twice has its own line and the chain of calls") {
    const std::vector<std::byte> cubin = cubinFile("inlined.cubin");
    const SourcePlace load = placeOf(cubin, "inlined", "LDG");
    CHECK(load.file == "/tmp/sass/inlined.cu");
    CHECK(load.line == lineOf("return *from"));
    CHECK(load.function == "_Z5innerPKf");
    CHECK(load.inlinedAt == dormer::session::CallChain{{"/tmp/sass/inlined.cu", lineOf("return inner")},
                                                       {"/tmp/sass/inlined.cu", lineOf("= outer(")}});
}

TEST_CASE("An access of the kernel itself has no chain") {
    const std::vector<std::byte> cubin = cubinFile("inlined.cubin");
    for (const auto& [kernel, text] : {std::pair{"inlined", "= outer("}, {"plain", "= 1.0f"}}) {
        const SourcePlace store = placeOf(cubin, kernel, "STG");
        CHECK(store.line == lineOf(text));
        CHECK(store.inlinedAt.empty());
        CHECK(store.function.empty());
    }
}

TEST_CASE("Code without line information has no place") {
    const std::vector<std::byte> cubin = cubinFile("inlined.cubin");
    CHECK(LineTable(cubin, "no such kernel").at(0).file.empty());
    CHECK(LineTable({}, "inlined").at(0x80).line == 0);
}

TEST_CASE("Broken line tables are read within their bounds and end") {
    const std::vector<std::byte> cubin = cubinFile("inlined.cubin");
    std::mt19937 random(20260101);
    for (int round = 0; round < 3000; ++round) {
        std::vector<std::byte> broken = cubin;
        for (unsigned i = 0; i < 1 + random() % 8; ++i)
            broken[random() % broken.size()] ^= static_cast<std::byte>(1U << random() % 8);
        const LineTable table(broken, "inlined");
        for (std::uint64_t pc = 0; pc < 0x180; pc += 16)
            CHECK(table.at(pc).inlinedAt.size() < 1 << 12);
    }
}
