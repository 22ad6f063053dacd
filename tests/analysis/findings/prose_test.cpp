// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/pattern_picture.h"
#include "analysis/diagnosis/diagnosis.h"
#include "analysis/findings/finding_catalogue.h"
#include "analysis/findings/finding_transfer.h"
#include "analysis/store/session_file.h"

#include "tests/support/catch.h"
#include "tests/support/recorded_h200.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

// The words of findings and verdicts, all in one file. Other tests check their codes and numbers.

using namespace dormer::access;
using namespace dormer::device;
using namespace dormer::findings;
using namespace dormer::metrics;
using namespace dormer::session;
using namespace dormer::store;
using namespace dormer::verdict;
using namespace dormer::tests;

namespace {

constexpr const char* kGolden = DORMER_TEST_DATA "/golden/prose.txt";

/// One example of each kind of finding, by its code and advice.
class Examples {
public:
    void add(const Finding& finding) {
        // Without what is added where there are no source lines.
        const std::string advice = finding.advice.substr(0, finding.advice.find(" Compile with -lineinfo"));
        if (m_seen.insert(finding.code + advice).second) m_text += textOf(finding);
    }
    void add(const Session& session) {
        const dormer::diagnosis::Diagnosis diagnosis(session);
        std::set<std::string_view> workloads;
        for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
            if (!workloads.insert(session.launch(LaunchIndex{i}).workload).second) continue;
            for (const Finding& each : diagnosis.findings(LaunchIndex{i}))
                add(each);
        }
        for (const TransferFinding& each : transferFindings(session))
            add(each.finding);
    }
    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    static std::string textOf(const Finding& finding) {
        std::string text = fmt::format("{}: {}\n", finding.code, finding.evidence);
        if (finding.places.empty()) return text;
        const FindingPlace& place = finding.places.front();
        text += fmt::format("    {}\n", place.what);
        if (!place.change.empty()) text += fmt::format("    {}\n", place.change);
        return text;
    }
    std::set<std::string> m_seen;
    std::string m_text;
};

using Counters = std::map<std::string, double>;

Launch launchOf(std::uint32_t blocks, std::uint32_t threads, double durationNs = 1e5) {
    Launch launch;
    launch.grid = {blocks, 1, 1};
    launch.block = {threads, 1, 1};
    launch.durationNs = durationNs;
    launch.blocksPerSm = 8;
    return launch;
}

/// What the recordings have no example of.
void addMadeUp(Examples& examples) {
    const Launch full = launchOf(65536, 256);
    const std::string op = "smsp__sass_thread_inst_executed_op_";
    const double peak = 128 * 132 * 1.98e9 * 1e-4; // FP32 instructions of 100 us
    examples.add(oneLaunch(h200(), launchOf(65536, 1),
                           {{"smsp__inst_executed.sum", 100}, {"smsp__thread_inst_executed.sum", 100}}));
    examples.add(oneLaunch(h200(), full,
                           {{op + "fadd_pred_on.sum", 0.3 * peak},
                            {op + "fmul_pred_on.sum", 0.3 * peak},
                            {op + "ffma_pred_on.sum", 0.35 * peak}}));
    examples.add(oneLaunch(h200(), full,
                           {{op + "hadd_pred_on.sum", 0},
                            {op + "hmul_pred_on.sum", 0},
                            {op + "hfma_pred_on.sum", 0.9 * peak},
                            {"sm__inst_executed_pipe_tensor.sum", 0},
                            {"sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", 0}}));
    Device ada = h200();
    ada.computeCapabilityMajor = 8;
    ada.computeCapabilityMinor = 9;
    examples.add(oneLaunch(ada, full,
                           {{op + "dadd_pred_on.sum", 0},
                            {op + "dmul_pred_on.sum", 0},
                            {op + "dfma_pred_on.sum", 0.8 * 2 * 132 * 1.98e9 * 1e-4}}));
    examples.add(oneLaunch(h200(), launchOf(65536, 256, 1e30), {}));
    Session above = oneLaunch(h200(), full, {{"dram__bytes_read.sum", 7e8}, {"dram__bytes_write.sum", 0}});
    above.apply(MeasuredCeiling{0, "dram", 4e12, "triad"});
    examples.add(above);
    Session measured =
        oneLaunch(h200(), full, {{"dram__bytes_read.sum", 4.5e8}, {"dram__bytes_write.sum", 0}});
    measured.apply(MeasuredCeiling{0, "dram", 4e12, "triad"});
    examples.add(measured);
    examples.add(oneLaunch(h200(), full, {{"sm__warps_active.avg.pct_of_peak_sustained_active", 130}}));
    Session missing;
    ProcessStart start;
    start.process.counters = {"a.sum", "b.sum", "c.sum"};
    missing.apply(start);
    missing.apply(h200());
    missing.apply(Kernel{});
    missing.apply(full);
    missing.apply(LaunchCounters{0, {{"a.sum", 1}}, true});
    examples.add(missing);
}

/// Each limit of the occupancy, by a launch that meets it first.
void addOccupancies(Examples& examples) {
    Kernel registers;
    registers.registersPerThread = 128;
    const auto add = [&](const Kernel& kernel, std::uint32_t threads, std::uint32_t blocksPerSm,
                         std::uint64_t shared) {
        Launch launch = launchOf(65536, threads);
        launch.blocksPerSm = blocksPerSm;
        launch.dynamicSharedBytes = shared;
        examples.add(oneLaunch(h200(), launch, {}, kernel));
    };
    add(registers, 256, 2, 0);
    add({}, 256, 2, 100'000);
    add({}, 32, 32, 0);
    add({}, 32, 7, 0); // the rules don't explain it
}

std::string catalogue() {
    std::string text;
    for (const FindingText& each : findingCatalogue())
        text += fmt::format("{} ({}): {}\n    {}\n", each.code, each.rule.empty() ? "no rule" : each.rule,
                            each.title, each.advice);
    return text;
}

std::string headlineOf(Bound bound, LatencyReason reason) {
    Verdict verdict;
    verdict.bound = bound;
    verdict.resource = Resource::L2;
    verdict.reason = reason;
    return headline(verdict) + "\n";
}

std::string headlines() {
    std::string text;
    for (const Bound bound : {Bound::Unknown, Bound::Memory, Bound::Compute, Bound::Balanced})
        text += headlineOf(bound, LatencyReason::None);
    for (const LatencyReason reason :
         {LatencyReason::None, LatencyReason::TooShort, LatencyReason::SmallGrid, LatencyReason::LowOccupancy,
          LatencyReason::TailWave, LatencyReason::DependencyStalls})
        text += headlineOf(Bound::Latency, reason);
    return text;
}

std::string verdicts() {
    const Session session = recordedSession();
    const MetricEvaluator metrics(session);
    std::string text;
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const Verdict verdict = judge(metrics, LaunchIndex{i});
        text += headline(verdict) + "\n";
        for (const std::string& line : evidence(metrics, LaunchIndex{i}, verdict))
            text += "    " + line + "\n";
    }
    return text;
}

std::string patterns() {
    std::string text;
    for (const PatternQuestion& question :
         {PatternQuestion{.expression = "tid"},
          {.expression = "tid * 2"},
          {.expression = "tid + 1"},
          {.expression = "0"},
          {.expression = "lane * lane * 37"},
          {.expression = "tid", .active = "0"},
          {.expression = "lane", .shared = true},
          {.expression = "lane * 4", .shared = true},
          {.expression = "tile[lane][0]", .rowElements = 32, .shared = true}}) {
        const auto pattern = lanePattern(question);
        REQUIRE(pattern);
        text += fmt::format("{}: {}\n", question.expression, patternHeadline(*pattern));
        for (const std::string& each : {patternUse(*pattern), patternAdvice(*pattern)})
            if (!each.empty()) text += "    " + each + "\n";
    }
    return text;
}

std::string prose() {
    Examples examples;
    for (const char* sample : {"h200-source", "h100-suite", "h100-lines"}) {
        const auto session = loadSession(fmt::format("{}/samples/{}.dormer", DORMER_SOURCE_DIR, sample));
        REQUIRE(session);
        examples.add(*session);
    }
    addMadeUp(examples);
    addOccupancies(examples);
    return "# Findings: title and advice\n\n" + catalogue() +
           "\n# Findings: evidence, first place, change\n\n" + examples.text() +
           "\n# Verdicts: headlines\n\n" + headlines() + "\n# Verdicts: evidence\n\n" + verdicts() +
           "\n# Access patterns\n\n" + patterns();
}

} // namespace

TEST_CASE("The words of findings and verdicts are those of tests/data/golden/prose.txt") {
    const std::string expected = prose();
    if (const char* update = std::getenv("DORMER_UPDATE_DOCS"); update != nullptr && *update == '1')
        std::ofstream(kGolden) << expected;
    std::ifstream file(kGolden);
    const std::string golden{std::istreambuf_iterator<char>(file), {}};
    INFO("run this test with DORMER_UPDATE_DOCS=1 to write the file anew, and read the difference");
    CHECK((golden == expected));
}

TEST_CASE("The catalogue of findings is complete") {
    std::set<std::string_view> advice;
    for (const FindingText& each : findingCatalogue()) {
        INFO(each.code);
        CHECK(advice.insert(each.advice).second);
        CHECK(each.advice.ends_with('.'));
        CHECK_FALSE(each.title.empty());
        for (const FindingText& other : findingCatalogue())
            if (other.code == each.code) CHECK((other.title == each.title && other.rule == each.rule));
    }
}
