// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/cupti/passes/pass_controller_fakes.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

/// The program copies: the call, and what the GPU will tell of it.
void copy(Run& run, const char* function = "cuMemcpyHtoD_v2") {
    const std::uint32_t correlation = ++run.correlation;
    TransferTiming timing;
    timing.correlationId = correlation;
    timing.kind = session::TransferKind::Copy;
    timing.bytes = 1024;
    timing.startNs = 2000;
    timing.endNs = 2500;
    run.gpu.moved.push_back(timing);
    run.controller->memoryCalled(
        {*apiCallOf(function), 0, correlation, 1900, 2600, {"suite/copy", "suite/copy", 1}});
}

} // namespace

TEST_CASE("A pass with copies and no kernels runs once and is told") {
    Run run;
    run.open();
    int bodies = 0;
    while (run.controller->nextPass()) {
        ++bodies;
        copy(run);
        copy(run);
        REQUIRE(bodies < 10);
    }
    CHECK(bodies == 1);
    CHECK(run.all<Launch>().empty());
    const auto transfers = run.all<Transfer>();
    REQUIRE(transfers.size() == 1);
    CHECK((transfers[0].count == 2 && transfers[0].bytes == 2048 && transfers[0].durationNs == 1000.0));
    CHECK(transfers[0].callNs == 1400.0);
    CHECK(run.all<Note>().empty());
}

TEST_CASE("Copies are kept from the undisturbed pass only") {
    Run run;
    run.open();
    copy(run); // before any pass
    while (run.controller->nextPass()) {
        run.twoKernels();
        copy(run);
    }
    copy(run);
    const auto transfers = run.all<Transfer>();
    REQUIRE(transfers.size() == 1);
    CHECK(transfers[0].count == 1);
}

TEST_CASE("What can't be watched is said once") {
    Run run;
    run.gpu.limitation = "migrations can't be seen";
    run.open();
    for (int sequence = 0; sequence < 2; ++sequence)
        while (run.controller->nextPass())
            run.twoKernels();
    REQUIRE(run.all<Note>().size() == 1);
    CHECK(run.all<Note>()[0].code == "transfers-incomplete");
}

TEST_CASE("A launch behind a copy that is under way is timed without emptying the caches, and said") {
    Run run;
    run.open();
    run.gpu.streamBusy = true;
    while (run.controller->nextPass()) {
        copy(run, "cuMemcpyHtoDAsync_v2");
        run.launch(kAdd, "_Z3addPf", "suite/add");
    }
    CHECK(run.gpu.flushes == run.gpu.passes); // counting runs one after the other anyway
    REQUIRE(run.all<Note>().size() == 1);
    CHECK(run.all<Note>()[0].code == "cache-kept");
}

TEST_CASE("A copy that is over, or that the host waited for, keeps no launch from its flush") {
    Run over;
    over.open();
    while (over.controller->nextPass()) {
        copy(over, "cuMemcpyHtoDAsync_v2");
        over.launch(kAdd, "_Z3addPf", "suite/add");
    }
    CHECK(over.gpu.flushes == 1 + over.gpu.passes);
    Run waited;
    waited.open();
    waited.gpu.streamBusy = true; // with kernels
    while (waited.controller->nextPass()) {
        copy(waited, "cuMemcpyHtoD_v2");
        waited.launch(kAdd, "_Z3addPf", "suite/add");
    }
    CHECK(waited.gpu.flushes == 1 + waited.gpu.passes);
    CHECK(waited.all<Note>().empty());
}
