// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/details/details_facts.h"
#include "analysis/view/details/finding_text.h"
#include "analysis/view/details/utilization.h"
#include "analysis/view/verdict_mark.h"

#include "tests/support/catch.h"
#include "tests/support/sample_session.h"

#include <algorithm>
#include <set>

using namespace dormer;
using namespace dormer::view;
using namespace dormer::view::details;
using session::LaunchIndex;
using verdict::Bound;

namespace {

LaunchIndex launchOf(const session::Session& session, std::string_view workload) {
    for (std::uint32_t i = 0; i < session.launches().size(); ++i)
        if (session.launches()[i].workload == workload) return LaunchIndex{i};
    FAIL("no launch of " << workload);
    return {};
}

} // namespace

TEST_CASE("utilization lists what was used, most used first", "[view]") {
    const session::Session session = tests::sampleSession();
    const metrics::MetricEvaluator metrics(session);
    const LaunchIndex launch = launchOf(session, "roofline/scale");
    const Utilization used = utilization(session, launch, verdict::judge(metrics, launch));
    REQUIRE(used.bars.size() >= 3);
    CHECK(used.bars.front().name == "DRAM");
    // 268435456 B in 90 us against 3.352 TB/s.
    CHECK(used.bars.front().share == Approx(268435456 / 90e-6 / 3.35232e12).epsilon(0.001));
    CHECK(used.bars.front().text == "89 %");
    CHECK(used.bars.front().side == Bound::Memory);
    CHECK(used.bars.front().tooltip.find("\nRoof: ") != std::string::npos);
    CHECK(std::ranges::is_sorted(used.bars, std::greater{}, &UtilizationBar::share));
    // Scale multiplies doubles.
    CHECK(used.idle.starts_with("below 1 %: "));
    CHECK(used.idle.find("FP32") != std::string::npos);
}

TEST_CASE("three bars stand however little was used, others from 1 % on", "[view]") {
    const session::Session session = tests::sampleSession();
    verdict::Verdict verdict;
    verdict.utilization[0] = 0.001;
    verdict.utilization[1] = 0.002;
    verdict.utilization[2] = 0.003;
    verdict.utilization[3] = 0.0099;
    const Utilization little = utilization(session, LaunchIndex{0}, verdict);
    CHECK(little.bars.size() == 3);
    CHECK(little.idle == "below 1 %: DRAM");
    verdict.utilization[0] = 0.01;
    CHECK(utilization(session, LaunchIndex{0}, verdict).bars.size() == 3);
    verdict.utilization[1] = verdict.utilization[2] = 0.01;
    verdict.utilization[3] = 1.2; // past a ceiling it is told, not cut
    const Utilization all = utilization(session, LaunchIndex{0}, verdict);
    CHECK(all.bars.size() == 4);
    CHECK(all.bars.front().text == "120 %");
    CHECK(all.idle.empty());
}

TEST_CASE("missing counters are named, not drawn as zero", "[view]") {
    const session::Session session = tests::sampleSession();
    const metrics::MetricEvaluator metrics(session);
    const LaunchIndex fill{static_cast<std::uint32_t>(session.launches().size() - 1)};
    CHECK(utilization(session, fill, verdict::judge(metrics, fill)).bars.empty());
    const DetailsFacts facts = detailsFacts(metrics, fill);
    CHECK(facts.counters.empty());
    CHECK(facts.missing.find("dram_bytes") != std::string::npos);
    CHECK(std::ranges::any_of(facts.measured, [](const std::string& line) {
        return line.find("excluded by --kernels") != std::string::npos;
    }));
}

TEST_CASE("facts of a launch: configuration, metrics and exact counters", "[view]") {
    const session::Session session = tests::sampleSession();
    const metrics::MetricEvaluator metrics(session);
    const DetailsFacts facts = detailsFacts(metrics, launchOf(session, "roofline/scale"));
    CHECK(facts.time == "90.0 µs on the GPU");
    const std::string line = inOneLine(facts.configuration);
    CHECK(line.starts_with("grid "));
    CHECK(line.find(" · block ") != std::string::npos);
    CHECK(line.ends_with("measured in 5 passes"));
    CHECK(std::ranges::is_sorted(facts.counters, {}, &Fact::label));
    CHECK(std::ranges::any_of(facts.metrics, [](const Fact& fact) { return fact.label == "duration_ns"; }));
    CHECK(std::ranges::none_of(facts.counters, [](const Fact& fact) {
        return fact.value.find('e') != std::string::npos; // 268435456, not 2.68e+08
    }));
}

TEST_CASE("a finding names the savings per launch and its worst lines", "[view]") {
    findings::Finding finding{"code", "Title", "", "evidence", "Advice.", 750e3};
    CHECK(findingText(finding, 1e6).savings == "−750 µs per launch · ×4.0");
    CHECK(findingText(finding, std::nullopt).savings == "−750 µs per launch");
    finding.gainNs.reset();
    CHECK(findingText(finding, 1e6).savings.empty());
    findings::FindingPlace place;
    place.place = "a.cu:4";
    place.what = "load: 32 sectors/request (ideal 4)";
    place.chain = "b.cu:9";
    place.share = 0.25;
    finding.places = {place};
    const FindingText one = findingText(finding, 1e6);
    CHECK(one.places.front().evidence == place.what); // alone it is all of it
    CHECK(one.places.front().inlined == "inlined at b.cu:9");
    CHECK(one.morePlaces.empty());
    finding.places.assign(7, place);
    const FindingText many = findingText(finding, 1e6);
    CHECK(many.places.size() == 5);
    CHECK(many.places.front().evidence == "25 % · " + place.what);
    CHECK(many.morePlaces == "and 2 more lines");
    CHECK(recommendationsHeading(0) == "Recommendations");
    CHECK(recommendationsHeading(5) == "Recommendations (5)");
}

TEST_CASE("each verdict has a word, a shape and colours of its own", "[view]") {
    std::set<std::string_view> words, symbols, lights, darks;
    for (const Bound bound :
         {Bound::Unknown, Bound::Memory, Bound::Compute, Bound::Latency, Bound::Balanced}) {
        const VerdictMark& mark = markOf(bound);
        words.insert(mark.word);
        symbols.insert(mark.symbol);
        lights.insert(mark.light);
        darks.insert(mark.dark);
        CHECK(mark.cssClass == toString(bound));
    }
    CHECK(words == std::set<std::string_view>{"undetermined", "memory-bound", "compute-bound",
                                              "latency-bound", "balanced"});
    CHECK(symbols.size() == 5);
    CHECK(lights.size() == 5);
    CHECK(darks.size() == 5);
    CHECK(sideOf(device::Resource::IssueSlots) == Bound::Latency);
    CHECK(sideOf(device::Resource::L2) == Bound::Memory);
    CHECK(sideOf(device::Resource::Fp64) == Bound::Compute);
}
