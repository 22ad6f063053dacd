// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/sass_code.h"

#include "tests/instrument/cupti/sass/cubin_file.h"
#include "tests/support/catch.h"

#include <set>
#include <sstream>

using namespace dormer::instrument::cupti::sass;
using dormer::tests::cubinFile;

namespace {

/// "@!P0 LDG.E.128.CONSTANT R4, ..." -> its dotted parts.
std::vector<std::string> modifiers(std::string text) {
    if (text.starts_with("@")) text = text.substr(text.find(' ') + 1);
    std::istringstream words(text.substr(0, text.find(' ')));
    std::vector<std::string> parts;
    for (std::string part; std::getline(words, part, '.');)
        parts.push_back(part);
    return parts;
}

/// What mnemonicAt should make of a line of the disassembler.
std::string expectedName(const std::string& text) {
    const std::vector<std::string> parts = modifiers(text);
    const std::string base = parts.front() == "REDG" ? "RED" : parts.front(); // as sm_80 calls it
    static const std::set<std::string> kLoadsAndStores = {"LD",  "LDG", "LDL", "LDS",   "ST",
                                                          "STG", "STL", "STS", "LDGSTS"};
    static const std::set<std::string> kOthers = {"ATOM", "ATOMG", "ATOMS", "RED", "LDSM", "BRA"};
    static const std::set<std::string> kWidths = {"U8", "S8", "U16", "S16", "64", "128"};
    if (kOthers.contains(base)) return base;
    if (!kLoadsAndStores.contains(base)) return {};
    for (const std::string& part : parts)
        if (kWidths.contains(part)) return base + "." + part;
    return base;
}

} // namespace

TEST_CASE("Memory instructions are named as the disassembler of CUDA 13.0 names them") {
    const std::string chip = GENERATE("80", "90");
    const std::vector<std::byte> cubin = cubinFile("accesses_" + chip + ".cubin");
    const Bytes code = kernelCode(cubin, "accesses");
    std::istringstream listing(dormer::tests::sassFile("accesses_" + chip + ".sass"));
    std::set<std::string> seen;
    std::uint64_t next = 0;
    for (std::string line; std::getline(listing, line); next += 16) {
        // "/*0170*/ STS [R3+UR4], R20 ;"
        const std::uint64_t pc = std::stoull(line.substr(2), nullptr, 16);
        REQUIRE(pc == next);
        INFO(line);
        const std::string name = mnemonicAt(code, pc);
        CHECK(name == expectedName(line.substr(line.find("*/") + 3)));
        seen.insert(name);
    }
    CHECK(code.size() == next);
    CHECK(mnemonicAt(code, next).empty());
    for (const char* name : {"LDG.U8",  "LDG.S8",     "LDG.U16", "LDG.S16", "LDG.64", "LDG.128", "STS",
                             "STS.128", "LDS.64",     "ATOMS",   "ATOMG",   "ATOM",   "RED",     "LD",
                             "ST",      "LDGSTS.128", "LDSM",    "STL",     "LDL",    "BRA"})
        CHECK(seen.contains(name));
}

TEST_CASE("A kernel that is not in the cubin has no code") {
    const std::vector<std::byte> cubin = cubinFile("accesses_90.cubin");
    CHECK(kernelCode(cubin, "accesse").empty());
    CHECK(kernelCode(cubin, "").empty());
    CHECK(kernelCode({}, "accesses").empty());
}

TEST_CASE("Cubins cut off or with flipped bits are read within their bounds") {
    std::vector<std::byte> cubin = cubinFile("accesses_90.cubin");
    for (std::size_t size = 0; size < cubin.size(); size += 61) {
        const std::vector<std::byte> cut(cubin.begin(), cubin.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK(kernelCode(cut, "accesses").size() <= size);
    }
    for (std::size_t at = 0; at < 64; ++at) { // the ELF header
        std::vector<std::byte> broken = cubin;
        broken[at] ^= std::byte{0xff};
        CHECK(kernelCode(broken, "accesses").size() <= broken.size());
    }
}
