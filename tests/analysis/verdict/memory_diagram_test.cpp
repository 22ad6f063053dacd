// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/memory_diagram.h"

#include "tests/support/catch.h"
#include "tests/support/launches.h"
#include "tests/support/sample_session.h"

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::verdict;

namespace {

const MemoryFlow* find(const MemoryDiagram& diagram, MemoryStation from, MemoryStation to,
                       std::string_view what) {
    for (const MemoryFlow& flow : diagram.flows)
        if (flow.from == from && flow.to == to && flow.what == what) return &flow;
    return nullptr;
}

const MemoryFlow& flow(const MemoryDiagram& diagram, MemoryStation from, MemoryStation to,
                       std::string_view what) {
    const MemoryFlow* found = find(diagram, from, to, what);
    REQUIRE(found != nullptr);
    return *found;
}

MemoryDiagram diagramOf(const Session& session, LaunchIndex launch) {
    const MetricEvaluator metrics(session);
    return memoryDiagram(metrics, launch, judge(metrics, launch));
}

constexpr double kElements = 1 << 24;

} // namespace

using enum MemoryStation;
using dormer::tests::launchOf;

// Of 2^24 floats each of two loads touches 32 sectors per warp (ideal 4): 2 x 2^19 requests.
TEST_CASE("flows of an uncoalesced sum hold what the arithmetic says") {
    const Session session = dormer::tests::sampleSession();
    const MemoryDiagram diagram = diagramOf(session, launchOf(session, "vector_sum/uncoalesced"));
    REQUIRE(diagram.stations.size() == 5);
    CHECK(diagram.stations[0].name == "SM");
    CHECK(diagram.stations[4].name == "DRAM");

    const MemoryFlow& loads = flow(diagram, L1, Sm, "loads");
    CHECK(loads.bytes == 2 * kElements * 32);
    CHECK(loads.requests == 2 * kElements / 32);
    CHECK(loads.ideal == 2 * kElements * 4);
    CHECK(loads.noun == "requests");
    CHECK(loads.hint.ends_with("Ideal for the bytes requested: 134 MB."));
    CHECK(flow(diagram, Sm, L1, "stores").bytes == kElements * 32);
    const MemoryFlow& reads = flow(diagram, L2, L1, "reads");
    CHECK(reads.bytes == 2 * kElements * 32);
    CHECK(reads.requests == 2 * kElements); // sectors
    CHECK(reads.noun == "sectors");
    CHECK(flow(diagram, Dram, L2, "reads").bytes == 256.0 * 1024 * 1024); // twice the data
    CHECK(flow(diagram, Dram, L2, "reads").noun.empty());
    CHECK(diagram.mostBytes == 2 * kElements * 32);
    // Every read that L2 could not serve came from DRAM: 2^23 of 3 x 2^24 sectors.
    CHECK(diagram.stations[3].hitRate == Approx(1 - 1.0 / 6));
    REQUIRE(diagram.stations[3].utilization);
    CHECK(diagram.stations[2].hitRate == 0.0);
    // A kernel without shared memory, local memory and atomics has no such flows.
    CHECK(find(diagram, Shared, Sm, "loads") == nullptr);
    CHECK(find(diagram, L1, Sm, "local") == nullptr);
    CHECK(find(diagram, Sm, L2, "atomics") == nullptr);
}

TEST_CASE("conflicts widen the flow from shared memory") {
    const Session session = dormer::tests::sampleSession();
    const MemoryDiagram diagram = diagramOf(session, launchOf(session, "transpose/tiled"));
    const MemoryFlow& loads = flow(diagram, Shared, Sm, "loads");
    CHECK(loads.requests == kElements / 32);
    CHECK(loads.bytes == kElements / 32 * 32 * 128); // 32 wavefronts each
    CHECK(loads.ideal == kElements / 32 * 128);
    CHECK(flow(diagram, Sm, Shared, "stores").bytes == kElements / 32 * 128);
    CHECK(diagram.mostBytes == *loads.bytes);
}

TEST_CASE("atomics bypass L1") {
    const Session session = dormer::tests::sampleSession();
    const LaunchIndex launch = launchOf(session, "histogram/shared");
    const MemoryDiagram diagram = diagramOf(session, launch);
    const MemoryFlow& atomics = flow(diagram, Sm, L2, "atomics");
    CHECK(atomics.bytes == 32 * *session.counter(launch, "lts__t_sectors_op_red.sum"));
    CHECK(atomics.requests == *session.counter(launch, "smsp__sass_inst_executed_op_global_red.sum"));
}

TEST_CASE("what was not collected is absent with the reason") {
    const Session session = dormer::tests::sampleSession();
    const LaunchIndex last{static_cast<std::uint32_t>(session.launches().size() - 1)}; // "fill"
    const MemoryDiagram diagram = diagramOf(session, last);
    CHECK(diagram.mostBytes == 0);
    REQUIRE_FALSE(diagram.flows.empty());
    for (const MemoryFlow& each : diagram.flows) {
        CHECK_FALSE(each.bytes);
        CHECK_FALSE(each.requests);
        CHECK(each.hint.find("Not known: ") != std::string::npos);
    }
    for (const StationFacts& station : diagram.stations) {
        CHECK_FALSE(station.hitRate);
        CHECK_FALSE(station.utilization);
    }
    CHECK(find(diagram, Shared, Sm, "loads") == nullptr); // it requested no shared memory

    // A set with DRAM alone.
    Session some;
    some.apply(ProcessStart{});
    some.apply(Kernel{});
    some.apply(Launch{});
    some.apply(LaunchCounters{0, {{"dram__bytes_read.sum", 640}, {"dram__bytes_write.sum", 0}}, true});
    const MemoryDiagram partly = diagramOf(some, LaunchIndex{0});
    CHECK(flow(partly, Dram, L2, "reads").bytes == 640.0);
    CHECK(flow(partly, L2, Dram, "writes").bytes == 0.0);
    CHECK(partly.mostBytes == 640);
    CHECK(flow(partly, L1, Sm, "loads")
              .hint.ends_with(
                  "Not known: smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum was not collected."));
    CHECK(flow(partly, L2, L1, "reads").hint.ends_with("lts__t_sectors_op_read.sum was not collected."));
}
