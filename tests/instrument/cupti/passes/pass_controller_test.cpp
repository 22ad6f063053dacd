// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/cupti/passes/pass_controller_fakes.h"
#include "tests/support/answering_launcher.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("A sequence runs once undisturbed and once for each counter pass") {
    Run run;
    run.open();
    int bodies = 0;
    while (run.controller->nextPass()) {
        ++bodies;
        run.twoKernels();
    }
    CHECK(bodies == 1 + run.gpu.passes);
    const auto launches = run.all<Launch>();
    REQUIRE(launches.size() == 2);
    CHECK(launches[0].durationNs == 1000.0); // of the first pass, not of a counter pass
    CHECK(launches[1].durationNs == 2000.0);
    CHECK(launches[1].workload == "suite/scan");
    const auto kernels = run.all<Kernel>();
    REQUIRE(kernels.size() == 2);
    CHECK(kernels[0].name == "add(float*)");
    CHECK(kernels[0].registersPerThread == 16);
    CHECK(kernels[0].localBytesPerThread == 256); // the driver's word: the launch's record may say 0
    const auto counters = run.all<LaunchCounters>();
    REQUIRE(counters.size() == 2);
    CHECK(counters[1].launch == launches[1].id);
    CHECK(counters[1].values.at("smsp__inst_executed.sum") == 101);
    CHECK(counters[1].complete);
    CHECK(run.all<Note>().empty());
}

TEST_CASE("Sequences follow one another with running launch ids and counters after each") {
    Run run;
    run.open();
    for (int sequence = 0; sequence < 2; ++sequence) {
        while (run.controller->nextPass())
            run.twoKernels();
        CHECK(run.all<LaunchCounters>().size() == 2u * (sequence + 1u)); // not only at the end
    }
    const auto launches = run.all<Launch>();
    REQUIRE(launches.size() == 4);
    CHECK(launches[3].id == 3);
    CHECK(run.all<Kernel>().size() == 2);
    CHECK(run.gpu.configured == std::vector<std::size_t>{2, 2});
}

TEST_CASE("Launches outside a pass are not the program's sequence") {
    Run run;
    run.open();
    run.launch(kAdd, "_Z4initv", "");
    while (run.controller->nextPass())
        run.launch(kAdd, "_Z3addPf", "suite/add");
    run.launch(kScan, "_Z5checkv", "");
    CHECK(run.all<Launch>().size() == 1);
}

TEST_CASE("Caches are flushed before each launch of every pass when asked") {
    Run run;
    run.open();
    while (run.controller->nextPass())
        run.twoKernels();
    CHECK(run.gpu.flushes == 2 * (1 + run.gpu.passes));
    CHECK_FALSE(run.gpu.bufferHeld); // the program's next allocations must not feel us
    Run keep;
    keep.options.flushCaches = false;
    keep.open();
    while (keep.controller->nextPass())
        keep.twoKernels();
    CHECK(keep.gpu.flushes == 0);
}

TEST_CASE("Filters and limits say why a launch was not counted, and it is still timed") {
    Run run;
    run.options.kernels = "scan";
    const AnsweringLauncher launcher{run.options.kernels};
    run.options.launches = 1;
    run.open();
    while (run.controller->nextPass()) {
        run.twoKernels();
        run.twoKernels();
    }
    const auto launches = run.all<Launch>();
    REQUIRE(launches.size() == 4);
    CHECK(launches[0].notCounted == "its name does not match --kernels scan");
    CHECK(launches[1].notCounted.empty());
    CHECK(launches[3].notCounted == "--launches 1: that many launches like it were already counted");
    CHECK(launches[3].durationNs.has_value());
    const auto counters = run.all<LaunchCounters>();
    REQUIRE(counters.size() == 1);
    CHECK(counters[0].launch == launches[1].id);
}

TEST_CASE("When no launch is wanted the body runs once") {
    Run run;
    run.options.nvtx = "other/*";
    run.open();
    int bodies = 0;
    while (run.controller->nextPass()) {
        ++bodies;
        run.twoKernels();
    }
    CHECK(bodies == 1);
    CHECK(run.all<Launch>()[0].notCounted == "its NVTX range does not match --nvtx other/*");
}

TEST_CASE("Without counters launches are timed") {
    Run run;
    run.open(false);
    int bodies = 0;
    while (run.controller->nextPass()) {
        ++bodies;
        run.twoKernels();
    }
    CHECK(bodies == 1);
    CHECK(run.all<Launch>().size() == 2);
    CHECK_FALSE(run.all<Launch>()[0].notCounted.empty());
}

TEST_CASE(
    "A program that launches something else in a later pass loses that sequence's counters, with a note") {
    Run run;
    run.open();
    int body = 0;
    while (run.controller->nextPass()) {
        run.launch(kAdd, "_Z3addPf", "suite/add", ++body == 2 ? 8 : 4);
        REQUIRE(body < 10);
    }
    CHECK(run.all<LaunchCounters>().empty());
    REQUIRE(run.all<Note>().size() == 1);
    CHECK(run.all<Note>()[0].code == "sequence-changed");
    CHECK(run.all<Launch>()[0].durationNs.has_value());
}

TEST_CASE("A program that launches less in a later pass is noticed too") {
    Run run;
    run.open();
    int body = 0;
    while (run.controller->nextPass()) {
        run.launch(kAdd, "_Z3addPf", "suite/add");
        if (++body == 1) run.launch(kScan, "_Z4scanPf", "suite/scan");
        REQUIRE(body < 10);
    }
    CHECK(run.all<LaunchCounters>().empty());
    REQUIRE(run.all<Note>().size() == 1);
    CHECK(run.all<Note>()[0].code == "sequence-changed");
}

TEST_CASE("Counters that fail leave durations, a note and a reason at each launch") {
    Run run;
    run.gpu.failConfigure = "the hardware counters are held by another tool";
    run.open();
    for (int sequence = 0; sequence < 2; ++sequence) {
        int bodies = 0;
        while (run.controller->nextPass()) {
            run.twoKernels();
            REQUIRE(++bodies < 10);
        }
        CHECK(bodies == 1);
    }
    REQUIRE(run.all<Note>().size() == 1);
    CHECK(run.all<Note>()[0].code == "counters-failed");
    CHECK(run.all<Launch>().back().notCounted == "counters are not available here, see the notes");
    CHECK(run.all<LaunchCounters>().empty());
}

TEST_CASE("A range CUPTI lost is said, the others are kept") {
    Run run;
    run.gpu.loseFirstRange = true;
    run.open();
    while (run.controller->nextPass())
        run.twoKernels();
    CHECK(run.all<LaunchCounters>().size() == 1);
    REQUIRE(run.all<Note>().size() == 1);
    CHECK(run.all<Note>()[0].code == "range-lost");
}

TEST_CASE("NVTX ranges are kept from the undisturbed pass only") {
    Run run;
    run.open();
    while (run.controller->nextPass()) {
        run.twoKernels();
        run.controller->rangeEnded("suite/add", 1, 2);
    }
    REQUIRE(run.all<NvtxRange>().size() == 1);
    CHECK(run.all<NvtxRange>()[0].path == "suite/add");
}
