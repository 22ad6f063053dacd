// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/check/gate_report.h"
#include "analysis/check/source_path.h"
#include "tests/analysis/compare/side.h"
#include "tests/support/catch.h"
#include "tests/support/line_session.h"
#include "tests/support/sample_session.h"

#include <nlohmann/json.hpp>

using namespace dormer;
using namespace dormer::tests;

namespace {

check::Gate checked(const session::Session& session, const std::string& toml,
                    const session::Session* baseline = nullptr) {
    auto rules = check::parseRules(toml, "rules.toml");
    INFO((rules ? std::string() : rules.error().message));
    REQUIRE(rules);
    const diagnosis::Diagnosis diagnosis{session};
    if (baseline == nullptr) return check::checkRules(std::move(*rules), diagnosis, nullptr);
    const diagnosis::Diagnosis before{*baseline};
    return check::checkRules(std::move(*rules), diagnosis, &before);
}

/// Of one short rule on the sample session, which known answers by hand stand for: sample_session.h.
check::Gate ofSample(const std::string& rule) {
    return checked(sampleSession(), "rules = ['" + rule + "']");
}

} // namespace

TEST_CASE("rules hold or break by the session's numbers", "[check]") {
    CHECK(ofSample("transpose/tiled_padded: shared_wavefronts_excess == 0").failures() == 0);
    CHECK(ofSample("^transpose/tiled$: shared_wavefronts_excess == 0").failures() == 1);
    CHECK(ofSample("vector_sum/coalesced: global_load_sectors_per_request <= 4").failures() == 0);
    const check::Gate gate = ofSample("vector_sum/.*: global_load_sectors_per_request <= 4");
    CHECK(gate.failures() == 1);
    CHECK(gate.count(check::Status::Held) == 1);
    CHECK(gate.outcomes.back().message.find("is 32, required <= 4") != std::string::npos);
    CHECK(ofSample("roofline/vector_add: dram_bytes == 2 * 100663296 + 0 * max(1, 2)").failures() == 0);
    CHECK(ofSample("roofline/vector_add: duration_ns < 1000").failures() == 1);
    CHECK(ofSample("roofline/vector_add: duration_ns > 1000").failures() == 0);
    CHECK(ofSample("roofline/vector_add: grid_blocks != 0").failures() == 0);
}

TEST_CASE("findings are forbidden by code and by what they cost", "[check]") {
    CHECK(ofSample("vector_sum/uncoalesced: no finding uncoalesced").failures() == 1);
    CHECK(ofSample("vector_sum/uncoalesced: no finding uncoalesced above 5 %").failures() == 1);
    CHECK(ofSample("vector_sum/uncoalesced: no finding uncoalesced above 99.9 %").failures() == 0);
    CHECK(ofSample("vector_sum/coalesced: no finding uncoalesced above 5 %").failures() == 0);
    CHECK(ofSample("vector_sum/uncoalesced: no finding").failures() == 1);
}

TEST_CASE("what was not collected, or matches nothing, never passes unseen", "[check]") {
    const check::Gate gate = ofSample("fill: l2_hit_rate > 0");
    CHECK(gate.failures() == 1);
    CHECK(gate.outcomes.front().message.find("was not collected") != std::string::npos);
    CHECK(ofSample("no_such_kernel: l2_hit_rate > 0").failures() == 1);
    const check::Gate skipped = checked(
        sampleSession(), "[[rule]]\nkernels = 'fill'\nrequire = 'l2_hit_rate > 0'\nmissing = 'skip'\n");
    CHECK(skipped.failures() == 0);
    CHECK(skipped.count(check::Status::Skipped) == 1);
    const check::Gate warning = checked(
        sampleSession(), "[[rule]]\nkernels = 'fill'\nrequire = 'l2_hit_rate > 0'\nlevel = 'warning'\n");
    CHECK(warning.failures() == 0);
    CHECK(warning.count(check::Status::Broken) == 1);
}

TEST_CASE("a baseline is the same metric of the same kernel, by medians", "[check]") {
    Side base, fresh;
    base.kernel("a()", {100, 110, 90}).kernel("b()", {100});
    fresh.kernel("a()", {104, 300, 90}).kernel("b()", {120}).kernel("c()", {1}, {}, "", 3);
    const check::Gate gate =
        checked(fresh.session(), "rules = ['*: duration_ns <= baseline * 1.05']", &base.session());
    REQUIRE(gate.outcomes.size() == 3);
    CHECK(gate.outcomes[0].status == check::Status::Held);
    CHECK(gate.outcomes[1].status == check::Status::Broken);
    CHECK(gate.outcomes[1].message.find("is 120, required <= 105 (baseline 100)") != std::string::npos);
    CHECK(gate.outcomes[2].message == "the kernel is not in the baseline");
}

TEST_CASE("bad rules are one line with file and line", "[check]") {
    const auto error = [](const std::string& toml) {
        const auto rules = check::parseRules(toml, "r.toml");
        INFO(toml);
        REQUIRE_FALSE(rules);
        CHECK(rules.error().kind == ErrorKind::Usage);
        CHECK(rules.error().message.find('\n') == std::string::npos);
        return rules.error().message;
    };
    CHECK(error("\n\nrules = ['x is 3']").starts_with("r.toml:3: "));
    CHECK(error("rules = [").starts_with("r.toml:1: "));
    CHECK(error("").starts_with("r.toml:1: "));
    error("rules = 3");
    error("rules = [3]");
    error("rule = [3]");
    error("rules = ['(: a == 1']");
    error("rules = ['a == ']");
    error("rules = ['baseline == a']");
    error("rules = ['no finding x above y']");
    error("rules = ['no finding x y']");
    error("[[rule]]\nname = 'x'");
    error("[[rule]]\nrequire = 'a == 1'\nlevel = 'fatal'");
    error("[[rule]]\nrequire = 'a == 1'\nrequires = 'b'");
    error("[[rule]]\nrequire = 1");
    error("[other]\nx = 1");
    error(std::string(5000, '['));
    error("x = \"\xFF\"");
}

TEST_CASE("the place of a broken rule is the line that wastes most", "[check]") {
    const check::Gate gate = checked(
        lineSession(),
        "rules = ['*: global_load_sectors_per_request <= 4', '*: shared_store_wavefronts_excess == 0']");
    for (const check::Outcome& outcome : gate.outcomes)
        if (outcome.status == check::Status::Broken && !outcome.file.empty()) CHECK(outcome.line > 0);
    // Counters of that session are absent, its lines are not: a rule over counters can't hold.
    CHECK(gate.failures() == 2);
}

TEST_CASE("every format tells the same outcomes", "[check]") {
    check::Gate gate = ofSample("vector_sum/.*: global_load_sectors_per_request <= 4");
    for (check::Outcome& outcome : gate.outcomes)
        if (outcome.status == check::Status::Broken) {
            outcome.file = "/home/me/a b/k.cu";
            outcome.line = 42;
        }
    CHECK(check::gateText(gate).find("BROKEN  /home/me/a b/k.cu:42: ") != std::string::npos);
    CHECK(check::gateText(gate).find("FAIL: 1 rules, 2 checks: 1 passed, 1 broken, 0 skipped") !=
          std::string::npos);
    const nlohmann::json json = check::gateJson(gate);
    CHECK(json.at("passed") == false);
    CHECK(json.at("outcomes").size() == 2);
    const nlohmann::json sarif = check::gateSarif(gate, "/home/me", "1.0.0");
    CHECK(sarif.at("version") == "2.1.0");
    const nlohmann::json& result = sarif.at("runs")[0].at("results").at(0);
    const nlohmann::json& place = result.at("locations")[0].at("physicalLocation");
    CHECK(place.at("artifactLocation").at("uri") == "a%20b/k.cu");
    CHECK(place.at("region").at("startLine") == 42);
    CHECK(result.at("ruleId") == sarif.at("runs")[0].at("tool").at("driver").at("rules")[0].at("id"));
    CHECK(check::gateJunit(gate).find("tests=\"2\" failures=\"1\"") != std::string::npos);
    CHECK(check::gateAnnotations(gate, "/home/me").find("::error file=a b/k.cu,line=42,title=") == 0);
}

TEST_CASE("source paths are relative to the root they lie below", "[check]") {
    CHECK(check::relativePath("/r/a/k.cu", "/r") == "a/k.cu");
    CHECK(check::relativePath("/r/a/../k.cu", "/r/") == "k.cu");
    CHECK(check::relativePath("/rest/k.cu", "/r") == "/rest/k.cu");
    CHECK(check::relativePath("src/k.cu", "/r") == "src/k.cu");
    CHECK(check::sourceUri("/x/k#.cu", "/r") == "file:///x/k%23.cu");
}
