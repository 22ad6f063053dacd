// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/run_changes.h"

#include "tests/analysis/compare/side.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

/// Loads of 8 MB: by 32 sectors per request, or by the ideal 4.
std::map<std::string, double> loads(double sectorsPerRequest) {
    const double requests = 65536;
    return {{"dram__bytes_read.sum", 8.4e6},
            {"smsp__inst_executed.sum", 1e6},
            {"smsp__sass_l1tex_t_requests_pipe_lsu_mem_global_op_ld.sum", requests},
            {"smsp__sass_inst_executed_op_global_ld.sum", requests},
            {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", requests * sectorsPerRequest},
            {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 128 / sectorsPerRequest},
            {"lts__t_sectors.sum", requests * sectorsPerRequest},
            {"gpu__time_duration.sum", 1e5}};
}

compare::RunChanges changesOf(Side& base, Side& fresh) {
    const diagnosis::Diagnosis before{base.session()}, after{fresh.session()};
    return compare::runChanges(before, after);
}

} // namespace

TEST_CASE("what a run fixed, and what is new, is told of the kernel that it is about", "[run_changes]") {
    Side scattered, coalesced;
    scattered.kernel("turn(float*)", spread(1e5), loads(32)).kernel("other()", spread(1e4));
    coalesced.kernel("turn(float*)", spread(2e4), loads(4)).kernel("other()", spread(1e4));
    {
        const diagnosis::Diagnosis before{scattered.session()};
        REQUIRE_FALSE(before.findingsOfGroup(0).empty());
    }
    const compare::RunChanges better = changesOf(scattered, coalesced);
    REQUIRE(better.kernels.size() == 2);
    const compare::KernelChange& turn = better.kernels.front();
    CHECK(turn.change == compare::Change::Faster);
    CHECK(turn.ratio == Approx(0.2));
    CHECK(turn.times.find("−80.0 %") != std::string::npos);
    REQUIRE_FALSE(turn.fixed.empty());
    CHECK(turn.fixed.front().starts_with("Uncoalesced global access"));
    CHECK(turn.appeared.empty());
    CHECK(better.ofGroup(0) == &turn);
    CHECK(better.ofGroup(1)->fixed.empty());
    CHECK(better.ofGroup(2) == nullptr);
    CHECK(better.headline.starts_with("1 kernel faster, 0 slower"));

    const compare::RunChanges worse = changesOf(coalesced, scattered);
    CHECK(worse.kernels.front().fixed.empty());
    REQUIRE_FALSE(worse.kernels.front().appeared.empty());
    CHECK(worse.kernels.front().appeared.front() == "Uncoalesced global access");
}

TEST_CASE("recommendations are not called fixed where nothing was counted", "[run_changes]") {
    Side counted, timed;
    counted.kernel("turn(float*)", spread(1e5), loads(32));
    timed.kernel("turn(float*)", spread(1e5));
    const compare::RunChanges changes = changesOf(counted, timed);
    CHECK(changes.kernels.front().fixed.empty());
    CHECK(changes.kernels.front().notCompared == "collected without counters now");
}

TEST_CASE("the column of changes says faster and slower, and what the baseline has not", "[run_changes]") {
    Side base, fresh;
    base.kernel("a()", spread(1e5)).kernel("gone()", spread(1e3));
    fresh.kernel("a()", spread(1.5e5)).kernel("b(int, float)", spread(1e4), {}, {}, 7);
    const compare::RunChanges changes = changesOf(base, fresh);
    const view::Cell slower = compare::changeCell(changes, 0);
    CHECK(slower.text == "+50.0");
    CHECK(slower.value == Approx(0.5));
    CHECK(slower.emphasis == view::Emphasis::Bad);
    CHECK(compare::changeCell(changes, 1).text == "new");
    CHECK(changes.gone == std::vector<std::string>{"gone"});
    CHECK(changes.added == std::vector<std::string>{"b"});
    CHECK(compare::changeText(0.5) == "−50.0 %");
    CHECK(compare::changeText(1) == "0.0 %");
}
