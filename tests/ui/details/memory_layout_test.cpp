// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/details/memory_layout.h"

#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer::ui::details;
using dormer::verdict::MemoryDiagram;
using dormer::verdict::MemoryFlow;
using enum dormer::verdict::MemoryStation;

namespace {

MemoryFlow flow(dormer::verdict::MemoryStation from, dormer::verdict::MemoryStation to,
                std::optional<double> bytes) {
    MemoryFlow one;
    one.from = from;
    one.to = to;
    one.bytes = bytes;
    return one;
}

MemoryDiagram diagram(std::vector<MemoryFlow> flows) {
    MemoryDiagram all;
    for (const auto station : {Sm, Shared, L1, L2, Dram})
        all.stations.push_back({station, "x", {}, {}, {}});
    all.flows = std::move(flows);
    return all;
}

const std::vector<MemoryFlow> kGlobal{flow(L1, Sm, 100), flow(Sm, L1, 50),   flow(L2, L1, 100),
                                      flow(L1, L2, 50),  flow(Dram, L2, 80), flow(L2, Dram, 40)};

const MemoryLayout::Station* stationOf(const MemoryLayout& layout, std::size_t index) {
    const auto found = std::ranges::find(layout.stations, index, &MemoryLayout::Station::index);
    return found == layout.stations.end() ? nullptr : &*found;
}

} // namespace

TEST_CASE("stations stand below each other, shared memory only where it is used", "[memory_layout]") {
    const MemoryLayout plain = memoryLayout(diagram(kGlobal), 340, 12);
    CHECK(stationOf(plain, 1) == nullptr);
    REQUIRE(plain.stations.size() == 4);
    for (std::size_t i = 1; i < plain.stations.size(); ++i) {
        CHECK(plain.stations[i].box.y >= plain.stations[i - 1].box.bottom() + 24);
        CHECK(plain.stations[i].box.width == 340);
    }
    CHECK(plain.height == plain.stations.back().box.bottom());

    auto flows = kGlobal;
    flows.push_back(flow(Shared, Sm, 10));
    const MemoryLayout both = memoryLayout(diagram(flows), 340, 12);
    const auto *shared = stationOf(both, 1), *l1 = stationOf(both, 2);
    REQUIRE(shared != nullptr);
    CHECK(shared->box.y == l1->box.y);
    CHECK(shared->box.right() < l1->box.x);
    CHECK(l1->box.right() == Approx(340));
}

TEST_CASE("arrows touch both stations and none another's", "[memory_layout]") {
    auto flows = kGlobal;
    flows.push_back(flow(Sm, L2, 5)); // atomics, past L1
    const MemoryLayout layout = memoryLayout(diagram(flows), 340, 12);
    REQUIRE(layout.flows.size() == 7);
    for (const MemoryLayout::Flow& each : layout.flows) {
        CHECK(each.cell.x >= 0);
        CHECK(each.cell.right() <= 340.001);
        CHECK(each.up == (flows[each.index].to < flows[each.index].from));
        for (const MemoryLayout::Station& station : layout.stations)
            CHECK_FALSE((each.cell.x < station.box.right() && station.box.x < each.cell.right() &&
                         each.cell.y < station.box.bottom() - 0.001 &&
                         station.box.y < each.cell.bottom() - 0.001));
        for (const MemoryLayout::Flow& other : layout.flows)
            if (&other != &each)
                CHECK_FALSE(
                    (each.cell.x < other.cell.right() - 0.001 && other.cell.x < each.cell.right() - 0.001 &&
                     each.cell.y < other.cell.bottom() - 0.001 && other.cell.y < each.cell.bottom() - 0.001));
    }
    const auto past = std::ranges::find(layout.flows, 6U, &MemoryLayout::Flow::index);
    CHECK(past->cell.y == Approx(stationOf(layout, 0)->box.bottom()));
    CHECK(past->cell.bottom() == Approx(stationOf(layout, 3)->box.y));
}

TEST_CASE("flows of nothing give way to those of something", "[memory_layout]") {
    const auto count = [](std::vector<MemoryFlow> flows) {
        return memoryLayout(diagram(std::move(flows)), 340, 12).flows.size();
    };
    CHECK(count({flow(L1, Sm, 100), flow(Sm, L1, 0)}) == 1);
    CHECK(count({flow(L1, Sm, 0), flow(Sm, L1, 0)}) == 2);
    // One that was not collected may have been anything.
    CHECK(count({flow(L1, Sm, 100), flow(Sm, L1, std::nullopt)}) == 2);
}

TEST_CASE("an arrow is as thick as its bytes, its excess as what is beyond the ideal", "[memory_layout]") {
    MemoryFlow loads = flow(L1, Sm, 800);
    loads.ideal = 100;
    CHECK(arrowWidth(loads, 800).all == 16);
    CHECK(arrowWidth(loads, 800).excess == 14);
    CHECK(arrowWidth(loads, 1600).all == 8);
    CHECK(arrowWidth(loads, 1e9).all == 1.5); // still seen
    loads.ideal = 800;
    CHECK(arrowWidth(loads, 800).excess == 0);
    CHECK(arrowWidth(flow(L1, Sm, std::nullopt), 800).all == 0);
    CHECK(arrowWidth(flow(L1, Sm, 0), 0).all == 0);
}
