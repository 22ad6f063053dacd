// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis.h"
#include "analysis/findings/finding.h"
#include "analysis/store/session_file.h"

#include "tests/support/catch.h"
#include "tests/support/prose.h"

#include <algorithm>

using namespace dormer::findings;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::verdict;

using namespace dormer::tests;

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
        CHECK(numbersIn(place->what) == Numbers{5, 4});
        CHECK(place->place == "reading.cuh:36");
        CHECK(place->chain == "reading.cuh:36 < reading.cuh:42");
        CHECK_FALSE(find(findingsOf(workload), kUncoalesced));
    }
    CHECK(numbersIn(onlyPlace("access/offset_8/1", kMisaligned)->what) == Numbers{9, 8});
    CHECK_FALSE(onlyPlace("access/offset_16/1", kMisaligned)); // 17 sectors, ideal 16: a 17th
}

TEST_CASE("Recorded strides: their number, as far as lines of 128 bytes tell it") {
    CHECK_FALSE(hasAccessFinding("access/stride/1"));
    for (int stride = 2; stride <= 32; ++stride) {
        const std::string workload = "access/stride/" + std::to_string(stride);
        CAPTURE(workload);
        const auto place = onlyPlace(workload, kUncoalesced);
        REQUIRE(place);
        // Sectors, ideal, and the stride; at 32, one sector per lane.
        CHECK(numbersIn(place->what) ==
              Numbers{std::min(4. * stride, 32.), 4, stride < 32 ? static_cast<double>(stride) : 1});
    }
    CHECK(numbersIn(onlyPlace("access/stride_16/2", kUncoalesced)->what) == Numbers{32, 16, 2});
    CHECK(numbersIn(onlyPlace("access/scattered", kUncoalesced)->what) == Numbers{32, 4, 1});
}

TEST_CASE("Recorded accesses that are ideal have no finding") {
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
    CHECK(numbersIn(place->what) == Numbers{2, 32, 4, 1, 32, 4, 1}); // two loads, then a store
}

TEST_CASE("Recorded transposes: the side that goes down columns") {
    CHECK(onlyPlace("transpose/naive_row", kUncoalesced)->place == "naive.cuh:51");
    CHECK(onlyPlace("transpose/naive_row", kUncoalesced)->what.starts_with("4 stores: "));
    CHECK(numbersIn(onlyPlace("transpose/naive_row", kUncoalesced)->what) == Numbers{4, 32, 4, 1});
    CHECK(onlyPlace("transpose/naive_col", kUncoalesced)->chain == "naive.cuh:26 < naive.cuh:60");
    // 16 rows of two columns each take as many sectors as a stride of 4, in four times as many lines.
    CHECK(numbersIn(onlyPlace("transpose/naive_row_16x16", kUncoalesced)->what) == Numbers{16, 4});
    const auto both = findingsOf("transpose/copy_col");
    REQUIRE(find(both, kUncoalesced));
    REQUIRE(find(both, kUncoalesced)->places.size() == 2);
    CHECK(find(both, kUncoalesced)->places[1].share == Approx(0.5));

    CHECK(onlyPlace("transpose/tiled", kConflicts)->place == "tiled.cuh:54");
    CHECK(numbersIn(onlyPlace("transpose/tiled", kConflicts)->what) == Numbers{4, 32, 1, 32});
    CHECK(numbersIn(onlyPlace("transpose/tiled_16x16", kConflicts)->what) == Numbers{8, 1, 8});
    CHECK(find(findingsOf("transpose/tiled_padded_16x16"), kConflicts)->places.size() == 2);
}

TEST_CASE("Recorded shared memory: ways by width") {
    for (const int width : {4, 8, 16}) {
        const int groups = width / 4; // wavefronts without a conflict
        for (int stride = 2; stride <= 32; stride *= 2) {
            const std::string workload = "shared/stride" +
                                         (width == 4 ? std::string() : "_" + std::to_string(width)) + "/" +
                                         std::to_string(stride);
            CAPTURE(workload);
            const auto place = onlyPlace(workload, kConflicts);
            REQUIRE(place);
            const int ways = std::min(stride, 32 / groups);
            Numbers numbers = numbersIn(place->what); // of several loads their number comes first
            if (numbers.size() == 4) numbers.erase(numbers.begin());
            CHECK(numbers == Numbers{1. * ways * groups, 1. * groups, 1. * ways});
            CHECK(place->chain.ends_with(" < reading.cuh:35"));
        }
    }
    CHECK(numbersIn(onlyPlace("shared/irregular", kConflicts)->what).back() == 4);
    CHECK(numbersIn(onlyPlace("shared/irregular_16", kConflicts)->what).back() == 2);
}

TEST_CASE("Recorded atomics and broadcasts") {
    const auto atomics = findingsOf("histogram/global_atomics");
    REQUIRE(find(atomics, "atomics-contention"));
    REQUIRE(find(atomics, "atomics-contention")->places.size() == 1);
    const FindingPlace& place = find(atomics, "atomics-contention")->places[0];
    CHECK(place.place == "global.cu:24");
    // 10 bins of 4 bytes lie in two sectors, of 16 words.
    CHECK(numbersIn(place.what) == Numbers{32, 2, 2}); // lanes, sectors, at least so many on one address
    CHECK(place.change.find("shared memory") != std::string::npos);

    const auto same = findingsOf("access/same_address");
    REQUIRE(find(same, "broadcast-load"));
    CHECK(numbersIn(find(same, "broadcast-load")->places.at(0).what) == Numbers{32, 1});
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
