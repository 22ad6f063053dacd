// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/live_fold.h"

#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer;
using namespace dormer::instrument::launch;

namespace {

session::Launch launchOf(std::uint64_t id, std::uint64_t kernel, double ns) {
    session::Launch launch;
    launch.id = id;
    launch.kernel = kernel;
    if (ns > 0) launch.durationNs = ns;
    return launch;
}

} // namespace

TEST_CASE("Numbers are kept as ranges") {
    NumberSet set;
    for (const std::uint64_t number : {5, 3, 4, 9, 7, 8, 0, 3})
        set.insert(number);
    for (std::uint64_t number = 0; number < 12; ++number) {
        CAPTURE(number);
        const std::vector<std::uint64_t> in{0, 3, 4, 5, 7, 8, 9};
        CHECK(set.contains(number) == (std::ranges::find(in, number) != in.end()));
    }
}

TEST_CASE("Launches beyond the limit count with the one that was kept") {
    LiveFold fold(4);
    std::size_t kept = 0;
    for (std::uint64_t id = 0; id < 1000; ++id)
        kept += fold.absorbs(launchOf(id, id % 2, 10 + static_cast<double>(id % 2)), 0) ? 0 : 1;
    CHECK(kept == 4);
    CHECK(fold.folded() == 996);
    auto folded = fold.take();
    std::ranges::sort(folded, {}, [](const FoldedLaunches& each) { return each.kept.kernel; });
    REQUIRE(folded.size() == 2);
    CHECK(folded[0].launches == 498);
    CHECK(folded[0].ns == 4980); // 498 launches of 10 ns
    CHECK(folded[1].launches == 498);
    CHECK(folded[1].ns == 5478);            // of 11 ns
    CHECK_FALSE(folded[0].kept.durationNs); // applying it changes nothing
    CHECK(fold.take().empty());
    CHECK(fold.note()->code == LiveFold::kNote);
    CHECK_FALSE(fold.note());
}

TEST_CASE("What is new or an outlier is kept beyond the limit") {
    LiveFold fold(1);
    CHECK_FALSE(fold.absorbs(launchOf(0, 0, 10), 0));
    CHECK(fold.absorbs(launchOf(1, 0, 19), 0));
    CHECK_FALSE(fold.absorbs(launchOf(2, 0, 21), 0)); // more than twice as long
    CHECK(fold.absorbs(launchOf(3, 0, 41), 0));
    CHECK_FALSE(fold.absorbs(launchOf(4, 1, 1), 0)); // another kernel
    CHECK_FALSE(fold.absorbs(launchOf(0, 0, 1), 1)); // another process
    session::Launch ranged = launchOf(5, 0, 10);
    ranged.nvtx = "step";
    CHECK_FALSE(fold.absorbs(ranged, 0)); // another range
    session::Launch streamed = launchOf(6, 0, 10);
    streamed.stream = 7;
    CHECK_FALSE(fold.absorbs(streamed, 0));
}

TEST_CASE("More about a folded launch counts with it, more about a kept one is let through") {
    LiveFold fold(1);
    CHECK_FALSE(fold.absorbs(launchOf(0, 0, 10), 0));
    CHECK(fold.absorbs(launchOf(1, 0, 0), 0)); // its time is not known yet
    CHECK(fold.absorbs(session::LaunchCounters{1, {{"x", 1}}}, 0));
    CHECK(fold.absorbs(session::LaunchLines{1, {}}, 0));
    CHECK(fold.absorbs(launchOf(1, 0, 12), 0));
    CHECK(fold.absorbs(launchOf(1, 0, 12), 0)); // said once more
    CHECK_FALSE(fold.absorbs(session::LaunchCounters{0, {{"x", 1}}}, 0));
    CHECK_FALSE(fold.absorbs(launchOf(0, 0, 10), 0));
    CHECK_FALSE(fold.absorbs(session::Kernel{}, 0));
    const auto folded = fold.take();
    REQUIRE(folded.size() == 1);
    CHECK(folded[0].launches == 1);
    CHECK(folded[0].ns == 12);
}

TEST_CASE("A program that names every step does not grow without bounds") {
    LiveFold fold(10);
    std::size_t kept = 0;
    for (std::uint64_t id = 0; id < 3 * LiveFold::kMostSignatures; ++id) {
        session::Launch launch = launchOf(id, 0, 10);
        launch.nvtx = "step " + std::to_string(id);
        kept += fold.absorbs(launch, 0) ? 0 : 1;
    }
    CHECK(kept <= LiveFold::kMostSignatures + 1);
    CHECK(kept + fold.folded() == 3 * LiveFold::kMostSignatures);
    std::size_t ranges = 0;
    for (std::size_t i = 0; i < 2 * LiveFold::kMostRanges; ++i)
        ranges += fold.absorbs(session::NvtxRange{}, 0) ? 0 : 1;
    CHECK(ranges == LiveFold::kMostRanges);
}
