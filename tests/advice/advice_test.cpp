// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Advice is followed to the letter: what Dormer prints for before.cu is applied to its text, which must then
// be that of after.cu, whose results are checked when it runs, and whose counts are what was promised.

#include "tests/advice/parts.h"
#include "tests/cases/case_session.h"
#include "tests/support/catch.h"

#include <regex>

using namespace dormer;
using namespace dormer::tests;

namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    REQUIRE(!from.empty());
    std::size_t found = 0;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
        ++found;
    }
    INFO(from);
    CHECK(found > 0);
    return text;
}

/// What stands between backticks, in order.
std::vector<std::string> quoted(const std::string& change) {
    std::vector<std::string> parts;
    for (std::size_t at = change.find('`'); at != std::string::npos; at = change.find('`', at + 1)) {
        const std::size_t end = change.find('`', at + 1);
        REQUIRE(end != std::string::npos);
        parts.push_back(change.substr(at + 1, end - at - 1));
        at = end;
    }
    return parts;
}

/// "pad `A` to `B`".
std::string padded(const std::string& part, const std::string& change) {
    const auto names = quoted(change);
    REQUIRE(names.size() >= 2);
    return replaced(part, names[0], names[1]);
}

/// "swizzle `as`: `as[r][(c) ^ ((r) & 15)]` instead of `as[r][c]` at every access".
std::string swizzled(const std::string& part, const std::string& change) {
    const auto names = quoted(change);
    REQUIRE(names.size() >= 3);
    const std::string to = names[1];
    const std::regex access(names[0] + R"(\[([^\]]*)\]\[([^\]]*)\])");
    std::string out;
    std::sregex_iterator at(part.begin(), part.end(), access);
    std::size_t done = 0;
    for (; at != std::sregex_iterator(); ++at) {
        out += part.substr(done, static_cast<std::size_t>(at->position()) - done);
        done = static_cast<std::size_t>(at->position() + at->length());
        const std::string row = (*at)[1], column = (*at)[2];
        if (part.substr(0, static_cast<std::size_t>(at->position())).ends_with("__shared__ float ")) {
            out += at->str(); // the declaration
            continue;
        }
        for (std::size_t i = 0; i < to.size(); ++i) {
            const bool alone = i > 0 && (to[i - 1] == '[' || to[i - 1] == '(');
            out += alone && to[i] == 'r' ? row : alone && to[i] == 'c' ? column : std::string(1, to[i]);
        }
    }
    return out + part.substr(done);
}

/// "swap `A` and `B`, `C` and `D` throughout `kernel`, and launch it ... `L`".
std::string swapped(std::string part, const std::string& change) {
    const auto names = quoted(change);
    REQUIRE(names.size() >= 5);
    const std::size_t begin = part.find(names[4]), end = part.find("\n}", begin);
    std::string kernel = part.substr(begin, end - begin);
    for (const std::size_t pair : {0U, 2U}) {
        std::string turned;
        for (std::size_t at = 0; at < kernel.size();) {
            const bool first = kernel.compare(at, names[pair].size(), names[pair]) == 0;
            const bool second = kernel.compare(at, names[pair + 1].size(), names[pair + 1]) == 0;
            turned += first ? names[pair + 1] : second ? names[pair] : kernel.substr(at, 1);
            at += first ? names[pair].size() : second ? names[pair + 1].size() : 1;
        }
        kernel = turned;
    }
    part.replace(begin, end - begin, kernel);
    if (names.size() == 5) return part;
    if (names[5].starts_with("<<<"))
        return std::regex_replace(part, std::regex(names[4] + "<<<[^>]*>>>"), names[4] + names[5]);
    return std::regex_replace(part, std::regex(R"(dim3\(\d+, \d+, 1\))"), names[5]);
}

/// "declare `B` instead of `A`".
std::string redeclared(const std::string& part, const std::string& change) {
    const auto names = quoted(change);
    REQUIRE(names.size() >= 3);
    return replaced(part, names[2] + " {", names[1] + " {");
}

const findings::Finding& findingIn(const Case& of, const std::string& code) {
    INFO(of.session.launch(of.launch).workload << ": " << code);
    REQUIRE(of.find(code) != nullptr);
    return *of.find(code);
}

std::string changeIn(const Case& of, const std::string& code) {
    const findings::Finding& finding = findingIn(of, code);
    REQUIRE(!finding.places.empty());
    return finding.places.front().change;
}

Case before(const std::string& name) {
    return caseOf("dormer_advice_before", "", "advice/" + name);
}
Case after(const std::string& name) {
    return caseOf("dormer_advice_after", "", "advice/" + name);
}

} // namespace

TEST_CASE("What a change says to write is what makes the program right and fast") {
    struct Advice {
        const char* part;
        const char* code;
        std::string (*apply)(const std::string&, const std::string&);
    };
    const auto swap = [](const std::string& part, const std::string& change) {
        return swapped(part, change);
    };
    const auto advice = GENERATE_COPY(Advice{"pad", "shared-bank-conflicts", padded},
                                      Advice{"swizzle", "shared-bank-conflicts", swizzled},
                                      Advice{"interleaved", "uncoalesced-global-access", swap},
                                      Advice{"columns", "uncoalesced-global-access", swap},
                                      Advice{"axes", "uncoalesced-global-access", swap},
                                      Advice{"align", "uncoalesced-global-access", redeclared});
    CAPTURE(advice.part);
    const std::string change = changeIn(before(advice.part), advice.code);
    INFO(change);
    CHECK(advice.apply(partsOf("before.cu").at(advice.part), change) == partsOf("after.cu").at(advice.part));
    // Its result was checked when it ran; nothing is left of the fault.
    const Case then = after(advice.part);
    CHECK(then.find(advice.code) == nullptr);
    const auto shared = then.all("shared", "load"), load = then.all("global", "load"),
               store = then.all("global", "store");
    CHECK(shared.wavefronts == shared.wavefrontsIdeal);
    CHECK(load.sectors == load.sectorsIdeal);
    CHECK(store.sectors == store.sectorsIdeal);
}

TEST_CASE("Functions that a change names are those that keep the result") {
    struct Advice {
        const char* part;
        const char* name;
        const char* code;
        std::vector<const char*> words;
    };
    const auto advice =
        GENERATE(Advice{"sum of integers", "integers", "atomics-contention", {"__reduce_add_sync"}},
                 Advice{"sum of floats", "floats", "atomics-contention", {"__shfl_down_sync"}},
                 Advice{"rows", "rows", "uncoalesced-global-access", {"threadIdx.x % 32", "__shfl_xor_sync"}},
                 Advice{"table", "table", "broadcast-load", {"__constant__"}});
    CAPTURE(advice.part);
    const std::string change = changeIn(before(advice.name), advice.code);
    INFO(change);
    const std::string part = partsOf("after.cu").at(advice.part);
    for (const char* word : advice.words) {
        CAPTURE(word);
        CHECK(change.find(word) != std::string::npos);
        CHECK(part.find(word) != std::string::npos);
        CHECK(partsOf("before.cu").at(advice.part).find(word) == std::string::npos);
    }
}

TEST_CASE("The promised counts are those of the changed program") {
    // 512 warps: an atomic for each lane before, for each warp after.
    CHECK(before("integers").all("global", "reduction").threads == 64 * 256);
    CHECK(after("integers").all("global", "reduction").threads == 64 * 256 / 32);
    CHECK(before("floats").all("global", "reduction").threads == 64 * 256);
    CHECK(after("floats").all("global", "reduction").threads == 64 * 256 / 32);
    // Rows of 320 bytes: a sector per lane and load before; 10 sectors per row after.
    CHECK(before("rows").all("global", "load").sectors == 1024 * 80);
    CHECK(after("rows").all("global", "load").sectors == 1024 * 10);
    CHECK(after("rows").find("uncoalesced-global-access") == nullptr);
    // 16 coefficients per warp leave the global loads.
    CHECK(before("table").all("global", "load").executions -
              after("table").all("global", "load").executions ==
          512 * 16);
    CHECK(after("table").find("broadcast-load") == nullptr);
    // Four byte loads of 4 sectors become one.
    CHECK(before("align").all("global", "load").executions ==
          4 * after("align").all("global", "load").executions);
}
