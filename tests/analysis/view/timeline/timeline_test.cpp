// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/timeline/raster.h"
#include "analysis/view/timeline/timeline.h"
#include "analysis/view/timeline/words.h"
#include "tests/analysis/view/timeline/ran.h"
#include "tests/support/catch.h"

#include <limits>

using namespace dormer;
using namespace dormer::view::timeline;
using dormer::tests::Ran;

namespace {

const TimelineRow* rowNamed(const Timeline& timeline, std::string_view title) {
    const auto row = std::ranges::find(timeline.rows, title, &TimelineRow::title);
    return row == timeline.rows.end() ? nullptr : &*row;
}

} // namespace

TEST_CASE("A timeline has a row for each stream, kind of transfer and for ranges, from the first on") {
    Ran ran;
    ran.launch(1'000, 500);
    ran.launch(2'000, 500, Ran::inStream(9));
    session::Transfer copy = ran.copy(1'600, 300);
    copy.direction = session::TransferDirection::HostToDevice;
    ran.session.apply(copy);
    ran.session.apply(session::NvtxRange{0, "step", Ran::kBegin + 900, Ran::kBegin + 2'600});
    ran.session.apply(session::NvtxRange{0, "step > forward", Ran::kBegin + 950, Ran::kBegin + 1'700});
    const Timeline timeline = timelineOf(ran.session);
    CHECK(timeline.originNs == Ran::kBegin + 900);
    CHECK(timeline.lengthNs == 1'700);
    REQUIRE(rowNamed(timeline, "stream 0") != nullptr);
    REQUIRE(rowNamed(timeline, "stream 9") != nullptr);
    REQUIRE(rowNamed(timeline, "copy host to device") != nullptr);
    CHECK(rowNamed(timeline, "copy host to device")->bars.front() == Bar{700, 1'000, 0, 0});
    const TimelineRow* ranges = rowNamed(timeline, "NVTX ranges");
    REQUIRE(ranges != nullptr);
    CHECK(ranges == &timeline.rows.front());
    CHECK(ranges->lanes == 2); // nested
    CHECK((ranges->bars[0].lane == 0 && ranges->bars[1].lane == 1));
    CHECK(rowNamed(timeline, "stream 9")->scope == "GPU 0");
}

TEST_CASE("An emulated program has no timeline, nor has one without times") {
    Ran emulated(session::Origin::Emulated);
    emulated.launch(1'000, 500);
    CHECK(timelineOf(emulated.session).empty());
    CHECK(timelineOf(session::Session{}).empty());
    Ran hostile;
    session::Launch launch;
    launch.startNs = std::numeric_limits<std::int64_t>::max();
    launch.durationNs = 1e300;
    hostile.add(launch);
    CHECK(timelineOf(hostile.session).empty());
}

TEST_CASE("A device's activity is told as shares of what it can do") {
    Ran ran;
    ran.launch(1'000, 500);
    const session::Device& device = ran.session.devices().front();
    const double dram = 2 * device.memoryClockMaxHz * device.memoryBusBits / 8;
    const auto add = [&](std::string counter, std::vector<double> values) {
        session::DeviceActivity activity;
        activity.counter = std::move(counter);
        activity.startNs = Ran::kBegin + 1'000;
        activity.stepNs = 250;
        activity.values.values = std::move(values);
        ran.session.apply(activity);
    };
    add("dram__bytes_read.sum", {dram / 2, std::numeric_limits<double>::quiet_NaN(), dram});
    add("sm__cycles_elapsed.avg.per_second", {1e9, 1e9, 1e9});
    add("sm__cycles_active.sum", {device.smCount * 0.5e9, 0, 0});
    add("sm__pipe_tensor_cycles_active.sum", {0, 0, 0});
    const Timeline timeline = timelineOf(ran.session);
    const TimelineRow* read = rowNamed(timeline, "DRAM read");
    REQUIRE(read != nullptr);
    REQUIRE(read->steps.size() == 2); // not what was not seen
    CHECK(read->steps[0].share == Approx(0.5));
    CHECK(read->steps[1].share == Approx(1));
    CHECK((read->steps[1].beginNs == 500 && read->steps[1].endNs == 750));
    REQUIRE(rowNamed(timeline, "SMs active") != nullptr);
    CHECK(rowNamed(timeline, "SMs active")->steps[0].share == Approx(0.5)); // at the clock that was seen
    CHECK(rowNamed(timeline, "tensor pipe") == nullptr);                    // idle throughout
    CHECK(stepText(*read, 0.5).starts_with("50 % of "));
}

TEST_CASE("Bars that are too narrow are painted together, others by themselves") {
    TimelineRow row;
    // 1,000 bars of 1 ns, 3 ns apart, then one of 1,000 ns: 100 ns a pixel.
    for (int i = 0; i < 1'000; ++i)
        row.bars.push_back({4 * i, 4 * i + 1, static_cast<std::size_t>(i), 0});
    row.bars.push_back({5'000, 6'000, 1'000, 0});
    row.longestNs = 1'000;
    const std::vector<DrawnBar> drawn = drawnBars(row, {0, 10'000, 100});
    REQUIRE(drawn.size() == 2);
    CHECK(!drawn[0].bar);
    CHECK(drawn[0].covered == Approx(0.25).epsilon(0.01));
    CHECK((drawn[0].left == Approx(0) && drawn[0].right == Approx(39.97)));
    CHECK(drawn[1].bar == 1'000);
    CHECK((drawn[1].left == Approx(50) && drawn[1].right == Approx(60)));
    std::size_t all = 0;
    for (const DrawnBar& bar : drawn)
        all += bar.count;
    CHECK(all == 1'001);
    // Near enough, each is its own.
    CHECK(drawnBars(row, {0, 40, 400}).size() == 10);
    CHECK(barsBetween(row, 5'500, 5'501) == std::vector<std::size_t>{1'000});
}

TEST_CASE("Zoom keeps the time under the pointer and stays within the timeline") {
    Timeline timeline;
    timeline.lengthNs = 1'000'000;
    const Window all = windowOf(timeline, 500);
    const Window near = all.zoomed(400'000, 0.1, timeline);
    CHECK(near.pixel(400'000) == Approx(all.pixel(400'000)));
    CHECK(near.toNs - near.fromNs == Approx(100'000));
    CHECK(near.zoomed(0, 100, timeline) == all);
    CHECK(near.moved(1e12, timeline).toNs == Approx(1'000'000));
    CHECK(near.moved(-1e12, timeline).fromNs == 0);
    const Window closest = all.zoomed(5, 1e-12, timeline);
    CHECK(closest.toNs - closest.fromNs == Approx(100));
    for (const double tick : timeTicks(near, 80))
        CHECK((tick >= near.fromNs && tick <= near.toNs));
    CHECK(timeTicks(all, 100).size() == 6); // every 200 µs
}

TEST_CASE("Steps narrower than a pixel keep their mean and their highest") {
    TimelineRow row;
    for (int i = 0; i < 100; ++i)
        row.steps.push_back({10 * i, 10 * i + 10, i % 2 == 0 ? 0.2 : 0.6});
    const std::vector<DrawnStep> drawn = drawnSteps(row, {0, 1'000, 10});
    REQUIRE(drawn.size() == 10);
    for (const DrawnStep& step : drawn) {
        CHECK(step.mean == Approx(0.4));
        CHECK(step.highest == Approx(0.6));
    }
    CHECK(drawnSteps(row, {0, 100, 100}).size() == 10);
}

TEST_CASE("Shares of a pixel in which something ran add up to the time it ran, overlaps once") {
    TimelineRow row;
    row.bars = {{0, 150, 0, 0}, {100, 150, 1, 1}, {250, 260, 2, 0}};
    row.lanes = 2;
    row.longestNs = 150;
    const std::vector<double> shares = coveredShares(row, {0, 400, 4});
    REQUIRE(shares.size() == 4);
    CHECK(shares[0] == Approx(1));
    CHECK(shares[1] == Approx(0.5));
    CHECK(shares[2] == Approx(0.1));
    CHECK(shares[3] == 0);
}
