// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Tiles in shared memory. Counts are those of the questions: docs/cases.md.

#include "tests/cases/case_session.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

const std::vector<std::string> kConflicts{"shared-bank-conflicts"};

/// The change is told from the source text, which a machine without the sources does not have.
void checkChange(const Case& c, const findings::FindingPlace& place, const char* padding) {
    REQUIRE((c.session.sourceText(place.file) != nullptr || !emulated()));
    if (c.session.sourceText(place.file) == nullptr) return;
    INFO(place.change);
    CHECK(place.change.find(padding) != std::string::npos);
}

} // namespace

TEST_CASE("Doubles take 8 sectors per request, and only the store of a tile's column conflicts") {
    const Case c = caseOf("dormer_cases", "double_transpose", "case/double_transpose");
    // Warps of 4096 x 4096 elements; someone's A100 counted the same requests and sectors.
    constexpr std::uint64_t kRequests = 524'288;
    for (const char* op : {"load", "store"}) {
        const auto global = c.all("global", op);
        CHECK(global.executions == kRequests);
        CHECK(global.sectors == 4'194'304);
        CHECK(global.sectorsIdeal == 4'194'304);
    }
    const int store = lineOf("tiles.cu", "double: column of the tile");
    const auto stores = c.at(store, "shared", "store");
    CHECK(stores.wavefronts == kRequests * 32); // 16,777,216: in each half-warp 16 lanes in one pair of banks
    CHECK(stores.wavefrontsIdeal == kRequests * 2);
    const auto loads = c.all("shared", "load");
    CHECK(loads.wavefronts == 1'048'576);
    CHECK(loads.wavefrontsIdeal == 1'048'576);
    // The counter of the launch has arbitration in it: 17,061,038 was measured for these stores.
    CHECK(c.metric("shared_store_wavefronts") == Approx(kRequests * 32).epsilon(0.03));

    CHECK(c.codes() == kConflicts);
    const findings::Finding& finding = *c.find("shared-bank-conflicts");
    checkPlaces(finding, {store});
    CHECK(finding.evidence.find("16-way") != std::string::npos);
    CHECK(finding.places.at(0).what.find("16-way") != std::string::npos);
    checkChange(c, finding.places.at(0), "`tile[32][32]` to `tile[32][33]`");
}

TEST_CASE("A tile that is padded by one conflicts where a warp is no row of it") {
    struct Tile {
        const char* workload;
        std::uint64_t stored, loaded; ///< wavefronts of 16 warps
    };
    const auto tile = GENERATE(Tile{"case/padded_16x32", 32, 16}, Tile{"case/padded_32x16", 16, 32},
                               Tile{"case/padded_8x64", 32, 16}, Tile{"case/padded_64x8", 16, 64});
    CAPTURE(tile.workload);
    const Case c = caseOf("dormer_cases", "padded_tile", tile.workload);
    const int store = lineOf("tiles.cu", "padded: store"), load = lineOf("tiles.cu", "padded: load");
    const auto stores = c.at(store, "shared", "store"), loads = c.at(load, "shared", "load");
    CHECK(stores.executions == 16);
    CHECK(stores.wavefronts == tile.stored);
    CHECK(stores.wavefrontsIdeal == 16);
    CHECK(loads.wavefronts == tile.loaded);
    CHECK(loads.wavefrontsIdeal == 16);
    CHECK(c.all("global", "load").sectors == c.all("global", "load").sectorsIdeal);

    CHECK(c.codes() == kConflicts);
    const findings::Finding& finding = *c.find("shared-bank-conflicts");
    checkPlaces(finding, {tile.stored > 16 ? store : load});
    // It is padded already.
    CHECK(finding.places.at(0).change.find("pad") == std::string::npos);
}

TEST_CASE("A column of 32 floats is a conflict at its line, padded it is none") {
    const int load = lineOf("tiles.cu", "float: column of the tile");
    const Case conflict = caseOf("dormer_cases", "column_conflict", "case/column");
    const auto loads = conflict.at(load, "shared", "load");
    CHECK(loads.executions == 8192); // warps of 512 x 512 elements
    CHECK(loads.wavefronts - loads.wavefrontsIdeal == 253'952);
    CHECK(conflict.metric("shared_load_wavefronts_excess") == Approx(253'952).epsilon(0.03));
    CHECK(conflict.codes() == kConflicts);
    checkPlaces(*conflict.find("shared-bank-conflicts"), {load});
    checkChange(conflict, conflict.find("shared-bank-conflicts")->places.at(0),
                "`tile[32][Pitch]` to `tile[32][Pitch + 1]`");

    const Case padded = caseOf("dormer_cases", "column_conflict", "case/column_padded");
    const auto clean = padded.at(load, "shared", "load");
    CHECK(clean.wavefronts == 8192);
    CHECK(clean.wavefrontsIdeal == 8192);
    if (emulated()) CHECK(padded.metric("shared_load_wavefronts_excess") == 0);
    CHECK(padded.codes() == kNoCodes);
}
