// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/analysis/findings/diagnosis_page.h"

#include "analysis/store/session_file.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace dormer;
using namespace dormer::tests;

namespace {

constexpr const char* kPage = DORMER_SOURCE_DIR "/docs/diagnosis.md";
/// What is above it is written by hand.
constexpr std::string_view kMarker = "<!-- What follows is generated. -->\n";

const session::Session& recording(const char* path) {
    static std::map<std::string, session::Session> all;
    if (const auto known = all.find(path); known != all.end()) return known->second;
    auto session = store::loadSession(path);
    INFO((session ? "" : session.error().message));
    REQUIRE(session);
    return all.emplace(path, std::move(*session)).first->second;
}

const session::Session& suite() {
    return recording(DORMER_SOURCE_DIR "/samples/h100-suite.dormer");
}
const session::Session& small() {
    return recording(DORMER_SOURCE_DIR "/samples/h100-lines.dormer");
}

std::vector<FaultPair> pairsOf(const session::Session& session) {
    std::vector<FaultPair> pairs = diagnose(session).pairs;
    std::erase_if(pairs, isApart);
    return pairs;
}

} // namespace

TEST_CASE("docs/diagnosis.md is what the recordings say") {
    std::ifstream file(kPage);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    const std::size_t marker = page.find(kMarker);
    REQUIRE(marker != std::string::npos);
    const std::string expected =
        page.substr(0, marker) + std::string(kMarker) + "\n" + diagnosisPage(suite(), small());
    if (const char* update = std::getenv("DORMER_UPDATE_DOCS"); update != nullptr && *update == '1')
        std::ofstream(kPage) << expected;
    std::ifstream again(kPage);
    const std::string now{std::istreambuf_iterator<char>(again), {}};
    INFO("run this test with DORMER_UPDATE_DOCS=1 to write docs/diagnosis.md anew");
    CHECK((now == expected)); // comparing with CHECK would print both pages
}

TEST_CASE("Estimates come within a quarter of what was won, in the median") {
    for (const auto* session : {&suite(), &small()}) {
        const auto pairs = pairsOf(*session);
        REQUIRE(pairs.size() > 100);
        CHECK(medianError(pairs) <= 0.25);
    }
    CHECK(medianErrorBySweep(pairsOf(suite())) <= 0.25);
}

TEST_CASE("So do those of the problems everybody meets, and each names the fault") {
    const auto pairs = pairsOf(suite());
    std::vector<FaultPair> essential;
    for (const EssentialPair& each : essentialPairs()) {
        INFO(each.workload);
        const auto pair = std::ranges::find(pairs, each.workload, &FaultPair::workload);
        REQUIRE(pair != pairs.end());
        CHECK_FALSE(pair->code.empty());
        CHECK(pair->error() <= 0.4);
        essential.push_back(*pair);
    }
    CHECK(medianError(essential) <= 0.25);
}

TEST_CASE("More warps win what was promised, where shared memory limits them") {
    for (const std::string_view sweep : occupancySweeps()) {
        const auto pairs = againstBest(suite(), sweep, "low-occupancy");
        CHECK(pairs.size() >= 2);
        for (const FaultPair& pair : pairs) {
            INFO(pair.workload << " " << pair.predicted << " " << pair.real);
            CHECK(pair.error() <= 0.25);
        }
    }
    CHECK(againstBest(suite(), "occupancy/registers", "low-occupancy").empty());
}

TEST_CASE("Estimates that are far off are explained") {
    for (const FaultPair& pair : pairsOf(suite())) {
        INFO(pair.workload << " " << pair.error());
        CHECK((pair.error() <= kFarOff || !whyOf(pair.workload).empty()));
    }
}

TEST_CASE("Workloads without a fault are promised nothing") {
    for (const FalseAlarm& alarm : diagnose(suite()).alarms) {
        INFO(alarm.workload << " " << alarm.code << " " << alarm.share);
        CHECK(false);
    }
    // Without a fault at the suite's sizes: a smaller grid may have one of its own.
    for (const FalseAlarm& alarm : diagnose(small()).alarms) {
        INFO(alarm.workload << " " << alarm.code << " " << alarm.share);
        CHECK(alarm.code == "small-grid");
        CHECK_FALSE(excuseOf(alarm).empty());
    }
}

TEST_CASE("The largest finding that the better workload lacks is what a pair is judged by") {
    // 40 copies of 1 MB from pageable memory against one of 40 MB, by hand.
    session::Session session;
    session::Workload good;
    good.workload = "copy/whole";
    session::Workload bad;
    bad.workload = "copy/cut";
    bad.better = "copy/whole";
    session.apply(good);
    session.apply(bad);
    const auto copies = [&](const std::string& workload, std::uint64_t count, double ns) {
        session::Transfer copy;
        copy.kind = session::TransferKind::Copy;
        copy.direction = session::TransferDirection::HostToDevice;
        copy.source = session::MemoryKind::Pageable;
        copy.count = count;
        copy.bytes = 40'000'000;
        copy.durationNs = ns / 2;
        copy.callNs = ns;
        copy.workload = workload;
        session.apply(session::NvtxRange{0, workload, 0, static_cast<std::int64_t>(ns)});
        session.apply(copy);
    };
    copies("copy/whole", 1, 5e6);
    copies("copy/cut", 40, 40 * 145256.0);
    const Diagnosed found = diagnose(session);
    REQUIRE(found.pairs.size() == 1);
    CHECK(found.pairs[0].code == "small-transfers");
    CHECK(found.pairs[0].real == Approx(40 * 145256.0 / 5e6));
    CHECK(found.pairs[0].predicted == Approx(40 * 145256.0 / (4 * 1244898.0)));
}
