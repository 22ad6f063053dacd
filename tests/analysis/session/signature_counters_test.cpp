// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/session.h"
#include "analysis/store/session_file.h"

#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace dormer;
using namespace dormer::session;

namespace {

SignatureCounter counterOf(std::uint32_t blocks, const char* name, double value, CounterMethod method) {
    SignatureCounter counter;
    counter.kernel = 7;
    counter.grid = {blocks, 1, 1};
    counter.counter = name;
    counter.method = method;
    counter.value = value;
    counter.coveredNs = 1;
    return counter;
}

Session twoLaunches() {
    Session session;
    Process process;
    process.bySignature = true;
    session.apply(ProcessStart{process});
    Kernel kernel;
    kernel.id = 7;
    session.apply(kernel);
    for (std::uint32_t id = 0; id < 2; ++id) {
        Launch launch;
        launch.id = id;
        launch.kernel = 7;
        launch.grid = {id + 1, 1, 1};
        launch.durationNs = 1'000.0 * (id + 1);
        session.apply(launch);
    }
    return session;
}

} // namespace

TEST_CASE("Sampled sums are rates, other counters are what they are") {
    Session session = twoLaunches();
    session.apply(counterOf(1, "dram__bytes_read.sum", 3e12, CounterMethod::Sampled));
    session.apply(counterOf(1, "sm__cycles_elapsed.avg.per_second", 1.98e9, CounterMethod::Sampled));
    session.apply(counterOf(2, "dram__bytes_read.sum", 500, CounterMethod::Counted));
    CHECK(session.counter(LaunchIndex{0}, "dram__bytes_read.sum") == Approx(3e6));
    CHECK(session.counter(LaunchIndex{0}, "sm__cycles_elapsed.avg.per_second") == 1.98e9);
    CHECK(session.counter(LaunchIndex{1}, "dram__bytes_read.sum") == 500.0);
    CHECK(!session.counter(LaunchIndex{1}, "sm__cycles_elapsed.avg.per_second"));
    CHECK(!session.launch(LaunchIndex{0}).counted);
    CHECK(session.hasCounters(LaunchIndex{0}));
    // The last word counts.
    session.apply(counterOf(1, "dram__bytes_read.sum", 1e12, CounterMethod::Sampled));
    CHECK(session.counter(LaunchIndex{0}, "dram__bytes_read.sum") == Approx(1e6));
    CHECK(session.signatureCounters().size() == 3);
}

TEST_CASE("Without a duration a rate tells nothing of a launch") {
    Session session = twoLaunches();
    session.apply(counterOf(3, "dram__bytes_read.sum", 3e12, CounterMethod::Sampled));
    Launch launch;
    launch.id = 2;
    launch.kernel = 7;
    launch.grid = {3, 1, 1};
    session.apply(launch);
    CHECK(!session.counter(LaunchIndex{2}, "dram__bytes_read.sum"));
}

TEST_CASE("Counters of a kernel that was never announced are a note") {
    Session session;
    CHECK(!session.apply(counterOf(1, "dram__bytes_read.sum", 1, CounterMethod::Sampled)));
    REQUIRE(session.notes().size() == 1);
    CHECK(session.notes().front().code == "counters-of-unknown-kernel");
}

TEST_CASE("A program sampled on an H100 moved the bytes that it must") {
    const auto session = store::loadSession(DORMER_SOURCE_DIR "/samples/h100-triton.dormer");
    REQUIRE(session);
    constexpr double kArray = 4.0 * (1 << 24); // 2^24 floats
    double written = 0;
    std::set<std::string> seen;
    for (std::uint32_t i = 0; i < session->launches().size() && seen.size() < 2; ++i) {
        const std::string& kernel = session->kernelOf(LaunchIndex{i}).name;
        if ((kernel != "add_kernel" && kernel != "softmax_kernel") || i < 10 || !seen.insert(kernel).second)
            continue;
        CAPTURE(kernel);
        // x + y, and softmax(x): what is read is larger than the L2.
        const double arrays = kernel == "add_kernel" ? 2 : 1;
        CHECK(*session->counter(LaunchIndex{i}, "dram__bytes_read.sum") ==
              Approx(arrays * kArray).epsilon(0.05));
        CHECK(*session->counter(LaunchIndex{i}, "l1tex__t_bytes.sum") ==
              Approx((arrays + 1) * kArray).epsilon(0.05));
        written += *session->counter(LaunchIndex{i}, "dram__bytes_write.sum");
    }
    CHECK(seen.size() == 2);
    CHECK(written == Approx(2 * kArray).epsilon(0.05)); // the L2 writes some of it back a launch later
}

TEST_CASE("Counters by signature survive the session file") {
    Session session = twoLaunches();
    session.apply(counterOf(1, "dram__bytes_read.sum", 3e12, CounterMethod::Sampled));
    session.apply(counterOf(1, "dram__bytes_read.sum", 2e12, CounterMethod::Sampled));
    session.apply(counterOf(2, "smsp__inst_executed.sum", 64, CounterMethod::Counted));
    const tests::TemporaryFolder folder;
    const auto path = folder.path() / "counters.dormer";
    REQUIRE(store::saveSession(session, path));
    const auto loaded = store::loadSession(path);
    REQUIRE(loaded);
    CHECK(loaded->counter(LaunchIndex{0}, "dram__bytes_read.sum") == Approx(2e6));
    CHECK(loaded->counter(LaunchIndex{1}, "smsp__inst_executed.sum") == 64.0);
    CHECK(loaded->signatureCounters().size() == 2);
    CHECK(loaded->processes().front().bySignature);
}
