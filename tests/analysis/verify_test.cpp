// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verify.h"

#include "tests/analysis/recorded_h200.h"
#include "tests/support/catch.h"
#include "tests/support/sample_session.h"

#include <algorithm>

using namespace dormer::analysis;
using namespace dormer::tests;

namespace {

Session sessionOf(Origin origin, double reads) {
    Session session;
    ProcessStart start;
    start.process.origin = origin;
    session.apply(start);
    session.apply(h200());
    Kernel kernel;
    kernel.name = "void scale<double>(double*)";
    session.apply(kernel);
    for (std::uint64_t id = 0; id < 2; ++id) {
        Launch launch;
        launch.id = id;
        launch.workload = "roofline/scale";
        launch.durationNs = 1e5;
        session.apply(launch);
        session.apply(LaunchCounters{id, {{"dram__bytes_read.sum", id == 0 ? 100 : reads}}, true});
    }
    return session;
}

Answer only(Session session, const Expectation& expected) {
    session.apply(expected);
    const auto answers = verify(MetricEvaluator(session));
    REQUIRE(answers.size() == 1);
    return answers.front();
}

Expectation expect(std::string relation, double value, double tolerance = 0) {
    return {"roofline/scale", "", "dram_bytes_read", std::move(relation), value, tolerance, "", "", false};
}

} // namespace

TEST_CASE("The sample session's known answers hold") {
    const Session session = sampleSession();
    const auto answers = verify(MetricEvaluator(session));
    CHECK(answers.size() == session.checks().size() + session.expectations().size());
    for (const Answer& answer : answers) {
        INFO(answer.workload << ": " << answer.what << ", reported " << answer.reported);
        CHECK(answer.held);
    }
}

TEST_CASE("Relations") {
    const Session session = sessionOf(Origin::Measured, 100);
    CHECK(only(session, expect("==", 100)).held);
    CHECK_FALSE(only(session, expect("==", 101)).held);
    CHECK(only(session, expect("<=", 100)).held);
    CHECK_FALSE(only(session, expect("<=", 99)).held);
    CHECK(only(session, expect(">=", 100)).held);
    CHECK_FALSE(only(session, expect(">=", 101)).held);
    CHECK(only(session, expect("~", 102, 0.02)).held);
    CHECK_FALSE(only(session, expect("~", 103, 0.02)).held);
    CHECK_FALSE(only(session, expect("=", 100)).held); // no such relation
}

TEST_CASE("The first launch that breaks an answer is reported") {
    const Answer answer = only(sessionOf(Origin::Measured, 250), expect("==", 100));
    CHECK_FALSE(answer.held);
    CHECK(answer.what == "dram_bytes_read == 100");
    CHECK(answer.reported == "250");
    // Later launches that hold don't hide it.
    const Answer first = only(sessionOf(Origin::Measured, 250), expect("==", 250));
    CHECK_FALSE(first.held);
    CHECK(first.reported == "100");
}

TEST_CASE("A counter's own name may be asked for") {
    Expectation expected = expect("==", 100);
    expected.metric = "dram__bytes_read.sum";
    CHECK(only(sessionOf(Origin::Measured, 100), expected).held);
}

TEST_CASE("What has no value does not hold, with the reason") {
    Expectation expected = expect("==", 0);
    expected.metric = "dram_bytes_write";
    const Answer absent = only(sessionOf(Origin::Measured, 100), expected);
    CHECK_FALSE(absent.held);
    CHECK(absent.reported == "no value: dram__bytes_write.sum is missing");

    expected.workload = "roofline/scales";
    const Answer unknown = only(sessionOf(Origin::Measured, 100), expected);
    CHECK_FALSE(unknown.held);
    CHECK(unknown.reported == "no such launch");

    expected = expect("==", 100);
    expected.kernel = "vectorAdd";
    CHECK_FALSE(only(sessionOf(Origin::Measured, 100), expected).held);
    expected.kernel = "scale<double>";
    CHECK(only(sessionOf(Origin::Measured, 100), expected).held);
}

TEST_CASE("Answers for GPUs are not asked of other origins") {
    Expectation expected = expect("==", 1);
    expected.gpuOnly = true;
    Session emulated = sessionOf(Origin::Emulated, 100);
    emulated.apply(expected);
    CHECK(verify(MetricEvaluator(emulated)).empty());
    CHECK_FALSE(only(sessionOf(Origin::Measured, 100), expected).held);
}

TEST_CASE("Verdicts, also one of several") {
    Session session = recordedSession();
    Launch launch = session.launches()[recorded::VectorAdd];
    launch.workload = "vector_add";
    session.apply(launch);
    const auto held = [&](const char* text) {
        Session with = session;
        with.apply(Expectation{"vector_add", "", "verdict", "verdict", 0, 0, text, "", false});
        const auto answers = verify(MetricEvaluator(with));
        REQUIRE(answers.size() == 1);
        CHECK(answers[0].reported == "Memory-bound, at DRAM");
        return answers[0].held;
    };
    CHECK(held("memory"));
    CHECK(held("latency|memory"));
    CHECK_FALSE(held("compute"));
    CHECK_FALSE(held("mem"));
}

TEST_CASE("A failed functional check is an answer that did not hold") {
    Session session;
    session.apply(Check{"reduce/device", false, "expected 10, got 9"});
    const auto answers = verify(MetricEvaluator(session));
    REQUIRE(answers.size() == 1);
    CHECK_FALSE(answers[0].held);
    CHECK(answers[0].reported == "expected 10, got 9");
}
