// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/verify.h"

#include "tests/support/catch.h"
#include "tests/support/recorded_h200.h"
#include "tests/support/sample_session.h"
#include "tests/support/workload_session.h"

#include <algorithm>

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::verdict;

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

TEST_CASE("A counter may be named as it is") {
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
        CHECK(answers[0].reported == "Memory-bound (DRAM)");
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

TEST_CASE("An answer about a workload as a whole is asked once") {
    Expectation expected{"transfer/pinned", "", "transfer_bytes", "==", 3 * 4096, 0, "", "", false};
    const Answer answer = only(workloadSession(Origin::Measured), expected);
    CHECK(answer.held);
    CHECK(answer.what == "transfer_bytes == 12288");
    CHECK(answer.reported == "12288");
    expected.value = 1;
    CHECK_FALSE(only(workloadSession(Origin::Measured), expected).held);
    expected.metric = "elapsed_ns";
    const Answer absent = only(workloadSession(Origin::Emulated), expected);
    CHECK_FALSE(absent.held);
    CHECK(absent.reported == "no value: elapsed_ns is not known of transfer/pinned");
    expected.gpuOnly = true;
    for (const char* workload : {"transfer/pinned", "transfer/unseen"}) {
        expected.workload = workload;
        Session emulated = workloadSession(Origin::Emulated);
        emulated.apply(expected);
        CHECK(verify(MetricEvaluator(emulated)).empty());
    }
    // On a GPU an unseen workload is a fault of the tool.
    CHECK_FALSE(only(workloadSession(Origin::Measured), expected).held);
}

TEST_CASE("An answer may compare two workloads, and says both values") {
    const auto compared = [](std::string relation, double factor, double tolerance = 0) {
        Expectation expected{"reduce/two", "",  "kernel_count", std::move(relation), factor, tolerance, "",
                             "",           true};
        expected.reference = "reduce/one";
        return expected;
    };
    Session session = workloadSession(Origin::Measured);
    session.apply(NvtxRange{0, "reduce/one", 0, 10});
    Launch launch;
    launch.workload = "reduce/one";
    launch.durationNs = 100;
    for (launch.id = 100; launch.id < 102; ++launch.id)
        session.apply(launch);
    const Answer answer = only(session, compared("<=", 2.5)); // 5 kernels against 2
    CHECK(answer.held);
    CHECK(answer.what == "kernel_count <= 2.5 x that of reduce/one");
    CHECK(answer.reported == "5 against 2: 2.5 x");
    CHECK_FALSE(only(session, compared("<=", 2.4)).held);
    CHECK(only(session, compared(">=", 2.5)).held);
    CHECK_FALSE(only(session, compared(">=", 2.6)).held);
    CHECK(only(session, compared("~", 2.4, 0.05)).held);
    CHECK_FALSE(only(session, compared("~", 2, 0.05)).held);
    // Metrics of launches: 300 ns in the middle against 100.
    Expectation slower = compared(">=", 3);
    slower.metric = "duration_ns";
    CHECK(only(session, slower).held);
    slower.metric = "dram_bytes";
    CHECK(only(session, slower).reported == "no value: dram_bytes is not known of reduce/two");
    // The other was not asked to run.
    Session alone = workloadSession(Origin::Measured);
    alone.apply(compared("<=", 1));
    CHECK(verify(MetricEvaluator(alone)).empty());
}

TEST_CASE("A result that is wrong by design is told as that") {
    Session session;
    Workload racy;
    racy.workload = "histogram/racy";
    racy.wrongByDesign = true;
    session.apply(racy);
    session.apply(Check{"histogram/racy", true, "412 of 1024 counts lost"});
    session.apply(Check{"histogram/shared", true, "all there"});
    const auto answers = verify(MetricEvaluator(session));
    REQUIRE(answers.size() == 2);
    CHECK(answers[0].what == "result is wrong, by design");
    CHECK(answers[0].held);
    CHECK(answers[1].what == "result is right");
}
