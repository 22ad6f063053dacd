// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis.h"

#include "analysis/view/kernel_rows.h"
#include "analysis/view/recommendations.h"
#include "tests/support/catch.h"
#include "tests/support/recorded_h200.h"

#include <algorithm>
#include <ctime>

using namespace dormer::diagnosis;
using namespace dormer::session;
using namespace dormer::tests;

namespace {

/// A kernel of 132 x 8 blocks of 256 threads on an H100 that loads 2^24 words, launched again and again.
class Launches {
public:
    Launches() {
        m_session.apply(ProcessStart{});
        m_session.apply(h100Sxm());
        Kernel kernel;
        kernel.name = "void scale<float>(float*)";
        m_session.apply(kernel);
    }

    /// One launch whose loads take so many sectors per request (4 is ideal).
    void add(double ns, double sectors) {
        Launch launch;
        launch.id = m_session.launches().size();
        launch.grid = {1056, 1, 1};
        launch.block = {256, 1, 1};
        launch.blocksPerSm = 8;
        launch.durationNs = ns;
        m_session.apply(launch);
        constexpr double kRequests = 1 << 19;
        m_session.apply(LaunchCounters{
            launch.id,
            {{"smsp__sass_inst_executed_op_global_ld.sum", kRequests},
             {"smsp__sass_inst_executed_op_global_st.sum", 0},
             {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", sectors * kRequests},
             {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", 0},
             {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio", 128 / sectors},
             {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio", 0},
             {"lts__t_sectors.sum", sectors * kRequests},
             {"lts__t_sectors_op_read.sum", sectors * kRequests},
             {"lts__t_sectors_op_write.sum", 0},
             {"lts__t_sectors_op_atom.sum", 0},
             {"lts__t_sectors_op_red.sum", 0},
             {"l1tex__t_bytes.sum", sectors * kRequests * 32},
             {"dram__bytes_read.sum", sectors * kRequests * 32},
             {"dram__bytes_write.sum", 0},
             {"smsp__inst_issued.sum", 10 * kRequests},
             {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 0},
             {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0},
             {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 0},
             {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 0},
             {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 0},
             {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 0}},
            true});
    }
    [[nodiscard]] const Session& session() const { return m_session; }

private:
    Session m_session;
};

const GroupFinding* find(const std::vector<GroupFinding>& all, std::string_view code) {
    const auto found = std::ranges::find(all, code, [](const GroupFinding& each) { return each.code; });
    return found == all.end() ? nullptr : &*found;
}

bool holds(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

} // namespace

TEST_CASE("One slow launch of ten is found, summed up and named") {
    Launches kernel;
    for (int i = 0; i < 10; ++i)
        i == 6 ? kernel.add(200'000, 32) : kernel.add(25'000, 4);
    const Diagnosis diagnosis(kernel.session());
    REQUIRE(diagnosis.groups().size() == 1);
    // Its median launch has no fault.
    CHECK(raw(diagnosis.groups()[0].representative) != 6);

    const std::vector<GroupFinding>& found = diagnosis.findingsOfGroup(0);
    const GroupFinding* uncoalesced = find(found, "uncoalesced-global-access");
    REQUIRE(uncoalesced != nullptr);
    CHECK(raw(uncoalesced->launch) == 6);
    CHECK(uncoalesced->launches == 1);
    CHECK(uncoalesced->scope == "in 1 of 10 launches, worst: launch 7");
    const auto alone = diagnosis.gain(LaunchIndex{6});
    REQUIRE(alone);
    CHECK(*uncoalesced->totalGainNs == Approx(alone->ns));
    CHECK(diagnosis.gainOfGroup(0)->ns == Approx(alone->ns));
    // 9 x 25 us and 200 us: 425 us in all.
    CHECK(*diagnosis.gainOfGroup(0)->speedup == Approx(425'000 / (425'000 - alone->ns)));

    const GroupFinding* differ = find(found, "launches-differ");
    REQUIRE(differ != nullptr);
    CHECK(holds(differ->evidence, "10 launches"));
    CHECK(holds(differ->evidence, "differ in time, sectors/request"));
    CHECK(holds(differ->evidence, "worst: launch 7"));
    CHECK(dormer::view::kernelRows(diagnosis, 10).rows[0].differ == differ->evidence);

    const auto list = dormer::view::recommendations(diagnosis);
    REQUIRE_FALSE(list.empty());
    CHECK(list[0].title == "Uncoalesced global access");
    CHECK(holds(list[0].evidence, uncoalesced->scope));
}

TEST_CASE("An aligned launch does not hide a misaligned one") {
    for (const bool alignedFirst : {true, false}) {
        Launches kernel;
        kernel.add(100'000, alignedFirst ? 4 : 5);
        kernel.add(100'000, alignedFirst ? 5 : 4);
        const Diagnosis diagnosis(kernel.session());
        const std::vector<GroupFinding>& found = diagnosis.findingsOfGroup(0);
        const GroupFinding* misaligned = find(found, "misaligned-global-access");
        REQUIRE(misaligned != nullptr);
        CHECK(misaligned->launches == 1);
        CHECK(raw(misaligned->launch) == (alignedFirst ? 1 : 0));
        REQUIRE(find(found, "launches-differ") != nullptr);
    }
}

TEST_CASE("Savings of a group are the sum over its launches") {
    Launches kernel;
    double sum = 0;
    for (const double ns : {100'000, 150'000, 500'000, 60'000})
        kernel.add(ns, 16);
    const Diagnosis diagnosis(kernel.session());
    for (std::uint32_t i = 0; i < 4; ++i)
        sum += diagnosis.gain(LaunchIndex{i})->ns;
    // Within a part launches are scaled by time; they differ by 2.5 times at most.
    CHECK(diagnosis.gainOfGroup(0)->ns == Approx(sum).epsilon(0.15));
    CHECK(find(diagnosis.findingsOfGroup(0), "uncoalesced-global-access")->scope.empty());
}

TEST_CASE("Launches that are alike are told as one") {
    Launches kernel;
    for (const double ns : {100'000, 101'000, 140'000, 99'000, 98'000})
        kernel.add(ns, 8);
    const Diagnosis diagnosis(kernel.session());
    CHECK(find(diagnosis.findingsOfGroup(0), "launches-differ") == nullptr);
    const GroupFinding* found = find(diagnosis.findingsOfGroup(0), "uncoalesced-global-access");
    REQUIRE(found != nullptr);
    CHECK(found->scope.empty());
    CHECK(found->launches == 5);
}

TEST_CASE("A slow launch that is next to nothing of the time is not told") {
    Launches kernel;
    kernel.add(25'000, 4);
    for (int i = 0; i < 100; ++i)
        kernel.add(10'000, 4); // the first is 2.4 % of it all
    const Diagnosis diagnosis(kernel.session());
    CHECK(find(diagnosis.findingsOfGroup(0), "launches-differ") == nullptr);
}

TEST_CASE("Judging a group is linear in its launches, and a launch more costs little") {
    Launches kernel;
    constexpr int kLaunches = 100'000;
    for (int i = 0; i < kLaunches; ++i)
        kernel.add(i % 1000 == 0 ? 200'000 : 25'000 + i % 100, i % 1000 == 0 ? 32 : 4);
    const std::clock_t start = std::clock(); // CPU time: the machine may be busy
    const Diagnosis diagnosis(kernel.session());
    const GroupFinding* found = find(diagnosis.findingsOfGroup(0), "uncoalesced-global-access");
    const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    REQUIRE(found != nullptr);
    CHECK(found->launches == kLaunches / 1000);
    CHECK(taken < 1.0);
}

TEST_CASE("A group is judged anew when a launch of it changes") {
    Session session = [] {
        Launches kernel;
        for (int i = 0; i < 3; ++i)
            kernel.add(25'000, 4);
        return kernel.session();
    }();
    Diagnosis diagnosis(session);
    CHECK(find(diagnosis.findingsOfGroup(0), "launches-differ") == nullptr);
    Launch slower = session.launches()[1];
    slower.durationNs = 250'000;
    diagnosis.follow(slower, session.apply(slower));
    REQUIRE(find(diagnosis.findingsOfGroup(0), "launches-differ") != nullptr);
    CHECK(holds(find(diagnosis.findingsOfGroup(0), "launches-differ")->evidence, "worst: launch 2"));
}
