// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis.h"

#include "tests/support/catch.h"
#include "tests/support/records.h"
#include "tests/support/sample_session.h"

#include <algorithm>

using namespace dormer::diagnosis;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;
using namespace dormer::tests;

namespace {

const ToDo* find(const std::vector<ToDo>& list, std::string_view subject, std::string_view code) {
    const auto found = std::ranges::find_if(
        list, [&](const ToDo& each) { return each.subject == subject && each.finding.code == code; });
    return found == list.end() ? nullptr : &*found;
}

double kernelNs(const Session& session) {
    double sum = 0;
    for (const Launch& launch : session.launches())
        sum += launch.durationNs.value_or(0);
    return sum;
}

} // namespace

TEST_CASE("The to-do list ranks findings of all groups by what they win over the session") {
    const Session session = sampleSession();
    const Diagnosis diagnosis(session);
    const auto list = diagnosis.toDoList();
    REQUIRE(list.size() >= 3);
    CHECK(list[0].subject == "vector_sum/uncoalesced");
    CHECK(list[0].finding.code == "uncoalesced-global-access");

    const ToDo* conflicts = find(list, "transpose/tiled", "shared-bank-conflicts");
    REQUIRE(conflicts != nullptr);
    REQUIRE(conflicts->launch);
    REQUIRE(conflicts->gainNs);
    // Of one launch, times all launches of its group, as they lasted.
    double groupNs = 0;
    std::size_t launches = 0;
    for (const Launch& launch : session.launches()) {
        if (launch.workload != "transpose/tiled") continue;
        groupNs += *launch.durationNs;
        ++launches;
    }
    CHECK(conflicts->launches == launches);
    const double own = *session.launch(*conflicts->launch).durationNs;
    CHECK(*conflicts->gainNs == Approx(*conflicts->finding.gainNs / own * groupNs));
    CHECK(conflicts->share == Approx(*conflicts->gainNs / kernelNs(session)));

    bool estimated = true;
    for (std::size_t i = 0; i < list.size(); ++i) {
        CHECK((list[i].gainNs.has_value() || list[i].share == 0));
        if (i > 0 && list[i].gainNs) CHECK(*list[i].gainNs <= *list[i - 1].gainNs);
        if (list[i].gainNs) CHECK(estimated); // none after the first without an estimate
        estimated = estimated && list[i].gainNs.has_value();
    }
    CHECK_FALSE(estimated); // the sample has findings without an estimate, so the order above was at stake
}

TEST_CASE("A short to-do list is the beginning of the long one") {
    const Session session = generatedSession(500);
    const Diagnosis diagnosis(session);
    const auto all = toDoList(diagnosis, 100000);
    REQUIRE(all.size() > 8);
    for (const std::size_t most : {0U, 1U, 3U, 8U}) {
        const auto some = toDoList(diagnosis, most);
        REQUIRE(some.size() == most);
        for (std::size_t i = 0; i < most; ++i) {
            CHECK(some[i].subject == all[i].subject);
            CHECK(some[i].finding.code == all[i].finding.code);
            CHECK(some[i].gainNs == all[i].gainNs);
        }
    }
}

TEST_CASE("What wins most may be a small part of the session") {
    Session session;
    Device device;
    device.smCount = 132;
    session.apply(device);
    session.apply(Kernel{});
    // 12 idle SMs of 132 for 1 ms, or 131 for 0.2 ms: 91 against 198 us.
    const auto launch = [&](std::uint64_t id, std::string workload, std::uint32_t blocks, double ns) {
        Launch record;
        record.id = id;
        record.workload = std::move(workload);
        record.grid = {blocks, 1, 1};
        record.blocksPerSm = 8;
        record.durationNs = ns;
        session.apply(record);
    };
    launch(0, "long/nearly_full", 120, 1e6);
    launch(1, "short/one_block", 1, 2e5);
    launch(2, "tiny/one_block", 1, 5e4);
    const Diagnosis diagnosis(session);
    const auto first = toDoList(diagnosis, 1);
    REQUIRE(first.size() == 1);
    CHECK(first[0].subject == "short/one_block");
    CHECK(*first[0].gainNs == Approx(2e5 * 131 / 132));
    CHECK(first[0].share == Approx(*first[0].gainNs / 1.25e6));
    CHECK(toDoList(diagnosis, 2)[1].subject == "long/nearly_full");
}

TEST_CASE("Copies count as time of the session") {
    Session session = sampleSession();
    const double kernels = kernelNs(session);
    const auto shareOfFirst = [&] {
        const Diagnosis diagnosis(session);
        return diagnosis.toDoList().front().share;
    };
    const double before = shareOfFirst();
    Transfer copy = transferOf(TransferKind::Copy, TransferDirection::DeviceToDevice, 1, 1U << 20);
    copy.durationNs = kernels;
    copy.workload = "device_wide/reduce";
    session.apply(copy);
    CHECK(shareOfFirst() == Approx(before / 2));
}

TEST_CASE("Nothing to do is an empty list") {
    const Session session;
    const Diagnosis diagnosis(session);
    CHECK(diagnosis.toDoList().empty());
}
