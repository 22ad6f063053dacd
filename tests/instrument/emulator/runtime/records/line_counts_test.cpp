// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/records/line_counts.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::emulator::counts;
using namespace dormer::emulator::engine;

TEST_CASE("Counts per instruction carry place, chain and only the counts that mean something") {
    emulator::ptx::Module source;
    source.files = {{1, "app.cu"}, {2, "lib.cuh"}};
    source.positions = {
        {1, 40, 3, emulator::ptx::kNone, ""}, {2, 12, 5, 0, "_Z4loadPf"}, {2, 30, 1, 1, "_Z5innerv"}};
    LaunchOutcome outcome;
    CountedInstruction load;
    load.ptxLine = 71;
    load.position = 2;
    load.text = "ld.global.f32";
    load.isMemory = true;
    load.widthBytes = 4;
    load.counts.executions = 10;
    load.counts.threads = 320;
    load.counts.sectors = 50;
    load.counts.sectorsIdeal = 40;
    load.counts.lines = 20;
    load.lanes.mask = 0b101;
    load.lanes.address[0] = 1024 + 4;
    load.lanes.address[2] = 1024 + 132;
    CountedInstruction shared = load;
    shared.lanes = {};
    shared.space = MemorySpace::Shared;
    shared.op = MemoryOp::Atomic;
    shared.position = emulator::ptx::kNone;
    shared.counts.wavefronts = 9;
    shared.counts.wavefrontsIdeal = 3;
    shared.counts.serialized = 4;
    CountedInstruction unused = shared;
    unused.op = MemoryOp::Reduce;
    CountedInstruction branch;
    branch.text = "bra";
    branch.position = 0;
    branch.counts.executions = 5;
    branch.counts.divergent = 2;
    outcome.instructions = {load, shared, branch, unused};

    const auto lines = emulator::runtime::lineCounts(outcome, source);
    REQUIRE(lines.size() == 4);
    CHECK((lines[0].file == "lib.cuh" && lines[0].line == 30 && lines[0].function == "inner()"));
    CHECK(lines[0].inlinedAt == session::CallChain{{"lib.cuh", 12}, {"app.cu", 40}});
    CHECK((lines[0].pc == 71 && lines[0].space == session::MemorySpace::Global &&
           lines[0].op == session::MemoryOperation::Load));
    CHECK((lines[0].sectors == 50u && lines[0].sectorsIdeal == 40u && lines[0].tags == 20u));
    CHECK(toString(lines[0].lanes) == "4,,132,,,,,,,,,,,,,,,,,,,,,,,,,,,,,");
    CHECK_FALSE(lines[2].lanes.seen());
    CHECK((!lines[0].wavefronts && !lines[0].serialized && !lines[0].divergent));
    CHECK((lines[1].file.empty() && lines[1].line == 0));
    CHECK((lines[1].op == session::MemoryOperation::Atomic && lines[1].wavefronts == 9u &&
           lines[1].serialized == 4u && !lines[1].sectors));
    CHECK((lines[2].op == session::MemoryOperation::Branch && lines[2].space == session::MemorySpace::None &&
           lines[2].divergent == 2u && !lines[2].widthBytes));
    CHECK((lines[3].space == session::MemorySpace::Shared &&
           lines[3].op == session::MemoryOperation::Atomic)); // as a GPU's instruction is
}
