// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/host/host_metrics.h"
#include "instrument/cupti/sampling/wanted_counters.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <set>

using namespace dormer;
using namespace dormer::instrument::cupti;

namespace {

std::vector<sampling::SampleGroup> groupsOf(const std::string& chip) {
    const host::HostMetrics all(chip, {}, host::HostMetrics::Use::Sampling);
    return sampling::planGroups(
        [&](const std::string& name) { return all.offers(name); },
        [&](const std::vector<std::string>& names) { return host::samplingPasses(chip, names) == 1; });
}

} // namespace

TEST_CASE("On GH100 two groups hold all that sampling wants") {
    const auto groups = groupsOf("GH100");
    REQUIRE(groups.size() == 2);
    std::set<std::string> counters;
    for (const sampling::SampleGroup& group : groups) {
        CHECK(group[0].counter == "dram__bytes_read.sum");
        CHECK(group[2].counter == "lts__t_sectors.sum");
        for (const sampling::SampledMetric& metric : group)
            counters.insert(metric.counter);
    }
    for (const char* counter :
         {"smsp__inst_executed.sum", "sm__cycles_active.sum", "sm__cycles_elapsed.avg.per_second",
          "sm__inst_executed_pipe_fmalite.sum", "sm__pipe_fp64_cycles_active.sum",
          "sm__pipe_tensor_cycles_active.sum", "smsp__issue_active.sum",
          "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "l1tex__t_bytes.sum", "sm__warps_active.sum",
          "lts__t_sectors_lookup_hit.sum", "dram__bytes_write.sum"}) {
        CAPTURE(counter);
        CHECK(counters.contains(counter));
    }
}

TEST_CASE("Every chip that CUPTI can sample gets groups of one pass each") {
    for (const char* chip : {"TU104", "GA100", "GA102", "AD102", "GB100", "GB202"}) {
        CAPTURE(chip);
        const auto groups = groupsOf(chip);
        CHECK(!groups.empty());
        for (const sampling::SampleGroup& group : groups) {
            std::vector<std::string> names;
            for (const sampling::SampledMetric& metric : group)
                names.push_back(metric.chipName);
            CHECK(host::samplingPasses(chip, names) == 1);
            CHECK(group.front().counter == "dram__bytes_read.sum");
        }
    }
}

TEST_CASE("A chip without counters of DRAM has nothing to sample") {
    CHECK(sampling::planGroups([](const std::string&) { return false; },
                               [](const std::vector<std::string>&) { return true; })
              .empty());
}
