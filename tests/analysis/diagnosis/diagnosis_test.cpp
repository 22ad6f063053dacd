// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis.h"

#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"

using namespace dormer::diagnosis;
using namespace dormer::findings;
using namespace dormer::metrics;
using namespace dormer::session;
using namespace dormer::store;
using namespace dormer::tests;

namespace {

Launch launchOf(std::uint64_t id, std::uint32_t blocks) {
    Launch launch;
    launch.id = id;
    launch.grid = {blocks, 1, 1};
    return launch;
}

LineCounts load(std::uint64_t pc) {
    LineCounts counts;
    counts.pc = pc;
    counts.space = MemorySpace::Global;
    counts.op = MemoryOperation::Load;
    return counts;
}

void apply(Session& session, Diagnosis& diagnosis, const Record& record, std::uint32_t process = 0) {
    diagnosis.follow(record, session.apply(record, process));
}

void checkSame(const Diagnosis& grown, const Diagnosis& fresh) {
    REQUIRE(grown.groups().size() == fresh.groups().size());
    for (std::size_t i = 0; i < fresh.groups().size(); ++i) {
        const LaunchGroup &one = grown.groups()[i], &other = fresh.groups()[i];
        INFO(other.label);
        CHECK(one.label == other.label);
        CHECK(one.launches == other.launches);
        CHECK(one.totalNs == other.totalNs);
        CHECK(one.representative == other.representative);
        CHECK(grown.verdict(one.representative).bound == fresh.verdict(other.representative).bound);
        const auto &found = grown.findingsOfGroup(i), &wanted = fresh.findingsOfGroup(i);
        REQUIRE(found.size() == wanted.size());
        for (std::size_t j = 0; j < found.size(); ++j) {
            CHECK(found[j].evidence == wanted[j].evidence);
            CHECK(found[j].gainNs == wanted[j].gainNs);
            CHECK(found[j].places.size() == wanted[j].places.size());
        }
        const auto gain = grown.gainOfGroup(i), most = fresh.gainOfGroup(i);
        REQUIRE(gain.has_value() == most.has_value());
        if (gain) CHECK(gain->ns == most->ns);
    }
    const auto &list = grown.toDoList(), &wanted = fresh.toDoList();
    REQUIRE(list.size() == wanted.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        CHECK(list[i].subject == wanted[i].subject);
        CHECK(list[i].gainNs == wanted[i].gainNs);
        CHECK(list[i].share == wanted[i].share);
    }
}

} // namespace

TEST_CASE("A diagnosis that followed a session record by record is that of the whole session") {
    const Session sample = sampleSession();
    Session session;
    Diagnosis diagnosis(session);
    std::size_t records = 0;
    for (const auto& [process, record] : recordsOf(sample)) {
        apply(session, diagnosis, record, process);
        // Looked at in between, so that there is something kept which may be old.
        if (++records % 7 == 0) checkSame(diagnosis, Diagnosis(session));
    }
    checkSame(diagnosis, Diagnosis(sample));
}

TEST_CASE("A launch that arrives leaves what is known of other groups as it is") {
    Session session = sampleSession();
    Diagnosis diagnosis(session);
    REQUIRE(diagnosis.groups().size() > 2);
    const Finding* kept = diagnosis.findingsOfGroup(0).data();
    const auto* verdict = &diagnosis.verdict(diagnosis.groups()[0].representative);
    std::size_t at = diagnosis.groups().size() - 1;
    while (at > 0 && diagnosis.findingsOfGroup(at).empty())
        --at;
    REQUIRE(at > 0);
    const LaunchIndex like = diagnosis.groups()[at].representative;
    const std::size_t before = diagnosis.groups()[at].launches.size();
    Launch more = session.launch(like);
    more.id = 1'000'000;
    more.kernel = session.kernelOf(like).id;
    more.durationNs = 5 * *more.durationNs;
    apply(session, diagnosis, more);
    CHECK(diagnosis.groups()[at].launches.size() == before + 1);
    CHECK(diagnosis.findingsOfGroup(0).data() == kept);
    CHECK(&diagnosis.verdict(diagnosis.groups()[0].representative) == verdict);
    checkSame(diagnosis, Diagnosis(session));
}

TEST_CASE("A launch that is said again with another grid moves to another group") {
    Session session;
    Diagnosis diagnosis(session);
    apply(session, diagnosis, ProcessStart{});
    apply(session, diagnosis, Kernel{});
    apply(session, diagnosis, launchOf(0, 64));
    apply(session, diagnosis, launchOf(1, 64));
    CHECK(diagnosis.groups().size() == 1);
    apply(session, diagnosis, launchOf(1, 128));
    CHECK(diagnosis.groups().size() == 2);
    CHECK(diagnosis.groupOf(LaunchIndex{0}) != diagnosis.groupOf(LaunchIndex{1}));
}

TEST_CASE("Devices, ceilings and kernels that change make everything new") {
    Session session;
    Diagnosis diagnosis(session);
    const auto follow = [&](const Record& record) { return diagnosis.follow(record, session.apply(record)); };
    CHECK(follow(ProcessStart{}));
    CHECK(follow(Device{}));
    Kernel kernel;
    CHECK_FALSE(follow(kernel));
    CHECK_FALSE(follow(launchOf(0, 64)));
    kernel.name = "void scale<float>(float*)";
    CHECK(follow(kernel)); // said again
    CHECK(diagnosis.groups()[0].label == "scale");
    CHECK(follow(MeasuredCeiling{0, "dram", 3e12, "copy"}));
    CHECK_FALSE(follow(Note{0, "code", "text"}));
}

TEST_CASE("Lines of the same launch stand in, those of others don't") {
    Session session;
    Diagnosis diagnosis(session);
    apply(session, diagnosis, ProcessStart{});
    apply(session, diagnosis, Kernel{});
    apply(session, diagnosis, launchOf(0, 64));
    apply(session, diagnosis, launchOf(1, 64));
    apply(session, diagnosis, launchOf(2, 128));
    CHECK(diagnosis.lines(LaunchIndex{0}).empty());
    apply(session, diagnosis, LaunchLines{1, {load(0x10)}});
    CHECK(diagnosis.lines(LaunchIndex{0}).size() == 1);
    CHECK(diagnosis.lines(LaunchIndex{1}).size() == 1);
    CHECK(diagnosis.lines(LaunchIndex{2}).empty()); // another grid
    apply(session, diagnosis, LaunchLines{2, {load(0x10), load(0x20)}});
    CHECK(diagnosis.lines(LaunchIndex{2}).size() == 2);
    CHECK(diagnosis.lines(LaunchIndex{0}).size() == 1);
    Launch other = launchOf(3, 64);
    other.dynamicSharedBytes = 1024;
    apply(session, diagnosis, other);
    CHECK(diagnosis.lines(LaunchIndex{3}).empty()); // other conflicts, maybe
}

TEST_CASE("A group gains what its representative does, for all its launches") {
    const Session session = sampleSession();
    const Diagnosis diagnosis(session);
    std::size_t gains = 0;
    for (std::size_t i = 0; i < diagnosis.groups().size(); ++i) {
        const LaunchGroup& group = diagnosis.groups()[i];
        const auto one = diagnosis.gain(group.representative), all = diagnosis.gainOfGroup(i);
        REQUIRE(one.has_value() == all.has_value());
        if (!one) continue;
        ++gains;
        const double duration = *session.launch(group.representative).durationNs;
        CHECK(one->ns == *diagnosis.findingsOfGroup(i).front().gainNs);
        CHECK(all->ns == Approx(one->ns / duration * group.totalNs));
        CHECK(*all->speedup == Approx(duration / (duration - one->ns)));
    }
    CHECK(gains > 2);
}
