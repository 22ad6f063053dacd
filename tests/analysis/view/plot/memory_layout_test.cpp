// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/memory_layout.h"

#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer::view::plot;
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
    one.what = "loads";
    if (bytes) one.requests = 33.6e6;
    one.noun = "requests";
    return one;
}

MemoryDiagram diagram(std::vector<MemoryFlow> flows) {
    const std::vector<std::string> names{"SM", "shared", "L1", "L2", "DRAM"};
    MemoryDiagram all;
    for (const auto station : {Sm, Shared, L1, L2, Dram})
        all.stations.push_back({station, names.at(all.stations.size()), 0.83, 0.9, "meaning"});
    for (const MemoryFlow& flow : flows)
        all.mostBytes = std::max(all.mostBytes, flow.bytes.value_or(0));
    all.flows = std::move(flows);
    return all;
}

const std::vector<MemoryFlow> kGlobal{flow(L1, Sm, 100), flow(Sm, L1, 50),   flow(L2, L1, 100),
                                      flow(L1, L2, 50),  flow(Dram, L2, 80), flow(L2, Dram, 40)};

Extents measure(const std::string& text) {
    return {6.0 * static_cast<double>(text.size()), 12};
}
/// As wide as 13 pt type is.
Extents measureLarge(const std::string& text) {
    return {9.0 * static_cast<double>(text.size()), 21};
}

MemoryLayout layoutOf(std::vector<MemoryFlow> flows) {
    return memoryLayout(diagram(std::move(flows)), 340, 12, measure);
}

const MemoryLayout::Station* stationOf(const MemoryLayout& layout, const std::string& name) {
    const auto found = std::ranges::find(layout.stations, name, &MemoryLayout::Station::name);
    return found == layout.stations.end() ? nullptr : &*found;
}

bool overlap(const PixelBox& a, const PixelBox& b) {
    return a.x < b.right() - 0.001 && b.x < a.right() - 0.001 && a.y < b.bottom() - 0.001 &&
           b.y < a.bottom() - 0.001;
}

} // namespace

TEST_CASE("stations stand below each other, shared memory only where it is used", "[memory_layout]") {
    const MemoryLayout plain = layoutOf(kGlobal);
    CHECK(stationOf(plain, "shared") == nullptr);
    REQUIRE(plain.stations.size() == 4);
    for (std::size_t i = 1; i < plain.stations.size(); ++i) {
        CHECK(plain.stations[i].box.y >= plain.stations[i - 1].box.bottom() + 24);
        CHECK(plain.stations[i].box.width == 340);
    }
    CHECK(plain.height == plain.stations.back().box.bottom());
    CHECK(stationOf(plain, "L2")->details == std::vector<std::string>{"83 % hit · 90 % of peak"});
    CHECK(stationOf(plain, "SM")->details == std::vector<std::string>{"83 % hit · 90 % of issue slots"});
    CHECK(stationOf(plain, "L2")->hint == "L2: 83 % hit · 90 % of peak. meaning");

    auto flows = kGlobal;
    flows.push_back(flow(Shared, Sm, 10));
    const MemoryLayout both = layoutOf(flows);
    const auto *shared = stationOf(both, "shared"), *l1 = stationOf(both, "L1");
    REQUIRE(shared != nullptr);
    CHECK(shared->box.y == l1->box.y);
    CHECK(shared->box.right() < l1->box.x);
    CHECK(l1->box.right() == Approx(340));
    CHECK(l1->details == std::vector<std::string>{"83 % hit", "90 % of peak"});
}

TEST_CASE("cells touch both stations and none another's", "[memory_layout]") {
    auto flows = kGlobal;
    flows.push_back(flow(Sm, L2, 5)); // atomics, which bypass L1
    const MemoryLayout layout = layoutOf(flows);
    REQUIRE(layout.flows.size() == 7);
    for (const MemoryLayout::Flow& each : layout.flows) {
        CHECK(each.cell.x >= 0);
        CHECK(each.cell.right() <= 340.001);
        for (const MemoryLayout::Station& station : layout.stations)
            CHECK_FALSE(overlap(each.cell, station.box));
        for (const MemoryLayout::Flow& other : layout.flows)
            if (&other != &each) CHECK_FALSE(overlap(each.cell, other.cell));
    }
    const auto past = std::ranges::max_element(layout.flows, {}, [](const auto& f) { return f.cell.height; });
    CHECK(past->cell.y == Approx(stationOf(layout, "SM")->box.bottom()));
    CHECK(past->cell.bottom() == Approx(stationOf(layout, "L2")->box.y));
}

TEST_CASE("text fits its cell, in as many lines as that takes", "[memory_layout]") {
    auto flows = kGlobal;
    flows.push_back(flow(Sm, L2, 5));
    flows.push_back(flow(Shared, Sm, 1.07e9));
    for (const auto& [line, measured] :
         {std::pair(12.0, Measure(measure)), std::pair(21.0, Measure(measureLarge))}) {
        const MemoryLayout layout = memoryLayout(diagram(flows), 340, line, measured);
        for (const MemoryLayout::Flow& each : layout.flows) {
            REQUIRE_FALSE(each.lines.empty());
            CHECK(each.strong <= each.lines.size());
            CHECK(each.textTop(line) >= each.cell.y);
            CHECK(each.textTop(line) + line * static_cast<double>(each.lines.size()) <= each.cell.bottom());
            std::string all;
            for (const std::string& text : each.lines) {
                all += all.empty() ? text : " " + text;
                CHECK(each.textX() + measured(text).width <= each.cell.right());
            }
            CHECK(all.ends_with("33.6 M requests")); // nothing is cut
        }
        for (const MemoryLayout::Station& station : layout.stations)
            for (const std::string& text : station.details)
                CHECK(measured(text).width <= station.box.width);
    }
}

TEST_CASE("flows of nothing give way to those of something", "[memory_layout]") {
    CHECK(layoutOf({flow(L1, Sm, 100), flow(Sm, L1, 0)}).flows.size() == 1);
    const MemoryLayout none = layoutOf({flow(L1, Sm, 0), flow(Sm, L1, 0)});
    REQUIRE(none.flows.size() == 2);
    CHECK(none.flows[0].arrow.empty());
    // One that was not collected may have been anything.
    const MemoryLayout unknown = layoutOf({flow(L1, Sm, 100), flow(Sm, L1, std::nullopt)});
    REQUIRE(unknown.flows.size() == 2);
    CHECK(unknown.flows[1].arrow.empty());
    CHECK(unknown.flows[1].lines == std::vector<std::string>{"loads –"});
}

TEST_CASE("arrows point the way of the bytes, their excess is the right part of them", "[memory_layout]") {
    auto flows = kGlobal;
    flows[0].ideal = 25;
    const MemoryLayout layout = layoutOf(flows);
    const MemoryLayout::Flow &loads = layout.flows[0], &stores = layout.flows[1];
    CHECK(loads.arrow.front().y < loads.cell.middleY()); // the tip, at the SM
    CHECK(stores.arrow.front().y > stores.cell.middleY());
    const auto widthOf = [](const std::vector<Spot>& corners) {
        const auto [least, most] = std::ranges::minmax(corners, {}, &Spot::x);
        return most.x - least.x;
    };
    CHECK(widthOf(loads.arrow) > widthOf(stores.arrow));
    REQUIRE_FALSE(loads.excess.empty());
    for (const Spot& corner : loads.excess)
        CHECK(corner.x >= loads.arrowX() + 8 - 12 - 0.001); // 16 pixels thick, of which 12 are excess
    CHECK(stores.excess.empty());
    for (const MemoryLayout::Flow& each : layout.flows)
        for (const Spot& corner : each.arrow) {
            CHECK(corner.x >= each.cell.x);
            CHECK(corner.x <= each.textX());
            CHECK((corner.y > each.cell.y && corner.y < each.cell.bottom()));
        }
    CHECK(loads.hint.starts_with("loads 100 B, 33.6 M requests. "));
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
