// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/cupti/passes/pass_controller_fakes.h"
#include "tests/support/answering_launcher.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

const std::string kThisFile =
    DORMER_SOURCE_DIR "/tests/instrument/cupti/passes/pass_controller_lines_test.cpp";

Run withLines(const std::string& set = "memory") {
    Run run;
    run.options.lines = true;
    run.options.counterSet = set;
    return run;
}

} // namespace

TEST_CASE("Lines take one more pass and come before the counters that complete a launch") {
    Run run = withLines();
    run.open();
    int bodies = 0;
    while (run.controller->nextPass()) {
        ++bodies;
        run.twoKernels();
    }
    CHECK(bodies == 1 + run.gpu.passes + 1);
    CHECK(run.gpu.linesBegun == 2);
    const auto launches = run.all<Launch>();
    const auto lines = run.all<LaunchLines>();
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].launch == launches[0].id);
    CHECK(lines[1].launch == launches[1].id);
    REQUIRE(lines[1].lines.size() == 1);
    CHECK(lines[1].lines[0].executions == 2U);
    const auto place = [&]<typename T>() {
        return std::ranges::find_if(run.records,
                                    [](const Record& r) { return std::holds_alternative<T>(r); }) -
               run.records.begin();
    };
    CHECK(place.operator()<LaunchLines>() < place.operator()<LaunchCounters>());
    CHECK(run.all<LaunchCounters>().size() == 2);
    CHECK(run.all<Progress>().back().pass == run.gpu.passes + 1);
    CHECK(run.all<Progress>().back().passes == run.gpu.passes + 1);
}

TEST_CASE("Lines need no counters") {
    Run run = withLines("none");
    run.open(false);
    int bodies = 0;
    for (int sequence = 0; sequence < 2; ++sequence) {
        while (run.controller->nextPass()) {
            ++bodies;
            run.twoKernels();
        }
    }
    CHECK(bodies == 4);
    CHECK(run.all<LaunchLines>().size() == 4);
    CHECK(run.all<LaunchCounters>().empty());
    CHECK(run.all<Launch>()[0].notCounted == "timing only (--set none)");
}

TEST_CASE("Filters hold for lines, too") {
    Run run = withLines("none");
    run.options.kernels = "scan";
    const AnsweringLauncher launcher{run.options.kernels};
    run.open(false);
    while (run.controller->nextPass())
        run.twoKernels();
    const auto lines = run.all<LaunchLines>();
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].launch == run.all<Launch>()[1].id);
}

TEST_CASE("Lines that fail leave the counters and a note") {
    Run run = withLines();
    run.gpu.failLines = "patching failed";
    run.open();
    for (int sequence = 0; sequence < 2; ++sequence)
        while (run.controller->nextPass())
            run.twoKernels();
    CHECK(run.all<LaunchLines>().empty());
    CHECK(run.all<LaunchCounters>().size() == 4);
    REQUIRE(run.all<Note>().size() == 1);
    CHECK(run.all<Note>()[0].code == "lines-failed");
    CHECK(run.all<Note>()[0].text == "counts per instruction: patching failed");
}

TEST_CASE("Counters that fail leave the lines") {
    Run run = withLines();
    run.gpu.failConfigure = "busy";
    run.open();
    while (run.controller->nextPass())
        run.twoKernels();
    CHECK(run.all<LaunchLines>().size() == 2);
    CHECK(run.all<LaunchCounters>().empty());
}

TEST_CASE("A program that launches something else in the pass for lines is noticed") {
    Run run = withLines();
    run.open();
    for (int pass = 0; run.controller->nextPass(); ++pass) {
        run.launch(kAdd, "_Z3addPf", "suite/add", pass == 1 + run.gpu.passes ? 5 : 4);
    }
    CHECK(run.all<LaunchLines>().empty());
    REQUIRE(run.all<Note>().size() == 1);
    CHECK(run.all<Note>()[0].code == "sequence-changed");
}

TEST_CASE("The source that lines name comes once, before them, unless it is not wanted") {
    for (const bool sources : {true, false}) {
        Run run = withLines("none");
        run.options.sources = sources;
        run.gpu.lineFile = kThisFile;
        run.open(false);
        while (run.controller->nextPass())
            run.twoKernels();
        const auto files = run.all<SourceFile>();
        REQUIRE(files.size() == (sources ? 1 : 0));
        CHECK(run.all<LaunchLines>().size() == 2);
        if (!sources) continue;
        CHECK(files[0].path == kThisFile);
        CHECK(files[0].text.find("comes once, before them") != std::string::npos);
        const auto first = [&]<typename T>() {
            return std::ranges::find_if(run.records,
                                        [](const Record& r) { return std::holds_alternative<T>(r); });
        };
        CHECK(first.operator()<SourceFile>() < first.operator()<LaunchLines>());
    }
}

TEST_CASE("A kernel's code comes once, and what is missing of it is said once") {
    Run run = withLines("none");
    run.gpu.codeLimitation = "nvdisasm was not found";
    run.open(false);
    for (int sequence = 0; sequence < 2; ++sequence)
        while (run.controller->nextPass())
            run.twoKernels();
    const auto code = run.all<KernelCode>();
    REQUIRE(code.size() == 2);
    CHECK(run.all<LaunchLines>().size() == 4);
    const auto kernels = run.all<Kernel>();
    REQUIRE(kernels.size() == 2);
    CHECK((code[0].kernel == kernels[0].id && code[1].kernel == kernels[1].id));
    REQUIRE(code[0].lines.size() == 1);
    CHECK(toString(code[0].lines[0]) == "16 0 0 LDG.E R2, [R4.64]");
    const auto notes = run.all<Note>();
    REQUIRE(notes.size() == 1);
    CHECK((notes[0].code == "no-disassembler" && notes[0].text == "nvdisasm was not found"));
}
