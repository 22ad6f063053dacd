// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis.h"
#include "analysis/findings/finding.h"
#include "analysis/store/session_file.h"

#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer::findings;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::verdict;

namespace {

const Session& recording() {
    static const Session session = [] {
        auto loaded = loadSession(DORMER_SOURCE_DIR "/samples/h100-lines.dormer");
        REQUIRE(loaded);
        return std::move(*loaded);
    }();
    return session;
}

std::vector<Finding> findingsOf(const std::string& workload) {
    const Session& session = recording();
    const auto launch = std::ranges::find(session.launches(), workload, &Launch::workload);
    REQUIRE(launch != session.launches().end());
    const auto index = static_cast<LaunchIndex>(launch - session.launches().begin());
    return dormer::diagnosis::Diagnosis(session).findings(index);
}

const Finding* find(const std::vector<Finding>& all, std::string_view code) {
    const auto found = std::ranges::find(all, code, &Finding::code);
    return found == all.end() ? nullptr : &*found;
}

constexpr std::string_view kUncoalesced = "uncoalesced-global-access",
                           kMisaligned = "misaligned-global-access", kConflicts = "shared-bank-conflicts";

/// The only place of a finding of a workload; absent without the finding.
std::optional<FindingPlace> onlyPlace(const std::string& workload, std::string_view code) {
    const auto all = findingsOf(workload);
    const Finding* found = find(all, code);
    if (found == nullptr) return std::nullopt;
    REQUIRE(found->places.size() == 1);
    CHECK(found->places[0].share == Approx(1));
    return found->places[0];
}

bool hasAccessFinding(const std::string& workload) {
    const auto all = findingsOf(workload);
    return find(all, kUncoalesced) != nullptr || find(all, kMisaligned) != nullptr ||
           find(all, kConflicts) != nullptr;
}

} // namespace

TEST_CASE("Recorded offsets: a sector too many where they are no multiple of 8 floats") {
    for (int offset = 0; offset <= 32; ++offset) {
        const std::string workload = "access/offset/" + std::to_string(offset);
        CAPTURE(workload);
        const auto place = onlyPlace(workload, kMisaligned);
        CHECK(place.has_value() == (offset % 8 != 0));
        if (!place) continue;
        CHECK(place->what == "load: 5 sectors a request where 4 would do, misaligned");
        CHECK(place->place == "reading.cuh:36");
        CHECK(place->chain == "reading.cuh:36 < reading.cuh:42");
        CHECK_FALSE(find(findingsOf(workload), kUncoalesced));
    }
    CHECK(onlyPlace("access/offset_8/1", kMisaligned)->what ==
          "load: 9 sectors a request where 8 would do, misaligned");
    CHECK_FALSE(onlyPlace("access/offset_16/1", kMisaligned)); // 17 where 16 would do: a 17th
}

TEST_CASE("Recorded strides: their number, as far as lines of 128 bytes tell it") {
    CHECK_FALSE(hasAccessFinding("access/stride/1"));
    for (int stride = 2; stride <= 32; ++stride) {
        const std::string workload = "access/stride/" + std::to_string(stride);
        CAPTURE(workload);
        const auto place = onlyPlace(workload, kUncoalesced);
        REQUIRE(place);
        const std::string kind =
            stride < 32 ? "strided by " + std::to_string(stride) : "each lane in a sector of its own";
        CHECK(place->what == "load: " + std::to_string(std::min(4 * stride, 32)) +
                                 " sectors a request where 4 would do, " + kind);
    }
    CHECK(onlyPlace("access/stride_16/2", kUncoalesced)->what ==
          "load: 32 sectors a request where 16 would do, strided by 2");
    CHECK(onlyPlace("access/scattered", kUncoalesced)->what ==
          "load: 32 sectors a request where 4 would do, each lane in a sector of its own");
}

TEST_CASE("Recorded accesses that are as good as can be have no finding") {
    for (const char* workload : {"access/aligned",
                                 "access/permuted_8",
                                 "access/aligned_16",
                                 "access/same_address",
                                 "access/reread",
                                 "access/half_range_store",
                                 "access/three_segments_store_16",
                                 "vector_sum/coalesced",
                                 "transpose/copy_row",
                                 "transpose/tiled_padded",
                                 "transpose/tiled_swizzled_16x16",
                                 "transpose/diagonal",
                                 "shared/stride/1",
                                 "shared/stride/33",
                                 "shared/stride_16/33",
                                 "shared/broadcast_16",
                                 "shared/random_permutation_8",
                                 "shared/static_48",
                                 "histogram/shared",
                                 "roofline/vector_add_fp64"}) {
        CAPTURE(workload);
        CHECK_FALSE(hasAccessFinding(workload));
    }
}

TEST_CASE("Recorded vector sum: both loads and the store of one line") {
    const auto place = onlyPlace("vector_sum/uncoalesced", kUncoalesced);
    REQUIRE(place);
    CHECK(place->place == "vector_sum.cu:25");
    CHECK(place->what == "2 loads: 32 sectors a request where 4 would do, each lane in a sector of its own; "
                         "store: 32 sectors a "
                         "request where 4 would do, each lane in a sector of its own");
}

TEST_CASE("Recorded transposes: the side that goes down columns") {
    CHECK(onlyPlace("transpose/naive_row", kUncoalesced)->place == "naive.cuh:51");
    CHECK(onlyPlace("transpose/naive_row", kUncoalesced)->what ==
          "4 stores: 32 sectors a request where 4 would do, each lane in a sector of its own");
    CHECK(onlyPlace("transpose/naive_col", kUncoalesced)->chain == "naive.cuh:26 < naive.cuh:60");
    // 16 rows of two columns each take as many sectors as a stride of 4, in four times as many lines.
    CHECK(onlyPlace("transpose/naive_row_16x16", kUncoalesced)->what ==
          "store: 16 sectors a request where 4 would do, scattered");
    const auto both = findingsOf("transpose/copy_col");
    REQUIRE(find(both, kUncoalesced));
    REQUIRE(find(both, kUncoalesced)->places.size() == 2);
    CHECK(find(both, kUncoalesced)->places[1].share == Approx(0.5));

    CHECK(onlyPlace("transpose/tiled", kConflicts)->place == "tiled.cuh:54");
    CHECK(onlyPlace("transpose/tiled", kConflicts)->what ==
          "4 loads: 32 wavefronts a request where 1 would do, 32-way bank conflict");
    CHECK(onlyPlace("transpose/tiled_16x16", kConflicts)->what ==
          "load: 8 wavefronts a request where 1 would do, 8-way bank conflict");
    CHECK(find(findingsOf("transpose/tiled_padded_16x16"), kConflicts)->places.size() == 2);
}

TEST_CASE("Recorded shared memory: ways by width") {
    for (const int width : {4, 8, 16}) {
        const int groups = width / 4; // passes without a conflict
        for (int stride = 2; stride <= 32; stride *= 2) {
            const std::string workload = "shared/stride" +
                                         (width == 4 ? std::string() : "_" + std::to_string(width)) + "/" +
                                         std::to_string(stride);
            CAPTURE(workload);
            const auto place = onlyPlace(workload, kConflicts);
            REQUIRE(place);
            const int ways = std::min(stride, 32 / groups);
            CHECK(place->what.ends_with(std::to_string(ways * groups) + " wavefronts a request where " +
                                        std::to_string(groups) + " would do, " + std::to_string(ways) +
                                        "-way bank conflict"));
            CHECK(place->chain.ends_with(" < reading.cuh:35"));
        }
    }
    CHECK(onlyPlace("shared/irregular", kConflicts)->what.ends_with("4-way bank conflict"));
    CHECK(onlyPlace("shared/irregular_16", kConflicts)->what.ends_with("2-way bank conflict"));
}

TEST_CASE("Recorded atomics and broadcasts") {
    const auto atomics = findingsOf("histogram/global_atomics");
    REQUIRE(find(atomics, "atomics-contention"));
    REQUIRE(find(atomics, "atomics-contention")->places.size() == 1);
    const FindingPlace& place = find(atomics, "atomics-contention")->places[0];
    CHECK(place.place == "global.cu:24");
    // 10 bins of 4 bytes lie in two sectors, of 16 words.
    CHECK(place.what ==
          "reduction: 32 lanes a request on 2 sectors, at least 2 lanes one after another on the "
          "address that most share");
    CHECK(place.change.find("shared memory for each block") != std::string::npos);

    const auto same = findingsOf("access/same_address");
    REQUIRE(find(same, "broadcast-load"));
    CHECK(find(same, "broadcast-load")->places.at(0).what ==
          "load: 32 lanes on one address, 1 sector a request");
    CHECK(find(same, "broadcast-load")->advice.find("__constant__") != std::string::npos);
    CHECK_FALSE(find(findingsOf("access/aligned"), "broadcast-load"));
}

TEST_CASE("Findings come in the same order every time") {
    for (const char* workload : {"transpose/copy_col", "histogram/global_atomics", "device_wide/scan"}) {
        const auto once = findingsOf(workload), again = findingsOf(workload);
        REQUIRE(once.size() == again.size());
        for (std::size_t i = 0; i < once.size(); ++i) {
            CHECK(once[i].code == again[i].code);
            CHECK(once[i].evidence == again[i].evidence);
        }
        CHECK(std::ranges::is_sorted(once, std::greater{},
                                     [](const Finding& f) { return f.gainNs.value_or(0); }));
    }
}
