// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_catalogue.h"
#include "analysis/lines/annotated_source.h"
#include "analysis/report/report.h"
#include "analysis/session/kernel_code.h"
#include "analysis/stalls/kernel_stalls.h"
#include "analysis/stalls/producers.h"
#include "analysis/stalls/state_catalogue.h"
#include "analysis/store/session_file.h"
#include "analysis/view/details/source_heat.h"
#include "analysis/view/details/stall_tables.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

using namespace dormer;
using namespace dormer::session;

namespace {

/// A load at line 10, its use at line 12, a loop's branch, and the end.
Session sampled() {
    Session session;
    Kernel kernel;
    kernel.name = "sum(float const*, float*)";
    session.apply(kernel, 0);
    KernelCode code;
    code.language = CodeLanguage::Sass;
    addCodeLine(code, 0, "a.cu", 9, "MOV R4, c[0x0][0x160]");
    addCodeLine(code, 16, "", 0, ".L_x_1:");
    addCodeLine(code, 16, "a.cu", 10, "LDG.E R2, [R4.64]");
    addCodeLine(code, 32, "a.cu", 11, "IADD3 R4, R4, 0x4, RZ");
    addCodeLine(code, 48, "a.cu", 12, "FADD R7, R2, R7");
    addCodeLine(code, 64, "a.cu", 12, "@P0 BRA `(.L_x_1)");
    addCodeLine(code, 80, "a.cu", 13, "EXIT");
    session.apply(code, 0);
    const auto see = [&](std::uint64_t pc, const char* state, std::uint64_t samples) {
        session.apply(WarpSamples{0, pc, {{{state, samples, samples / 2}}}}, 0);
    };
    see(16, "selected", 10);
    see(32, "wait", 5);
    see(48, "long_scoreboard", 80);
    see(48, "not_selected", 5);
    return session;
}

} // namespace

TEST_CASE("Samples are summed by line, and a stall names what it waits for") {
    const stalls::KernelStalls kernel = stalls::kernelStalls(sampled(), 0);
    CHECK(kernel.states.samples() == 100);
    CHECK(kernel.mainStall == "long_scoreboard");
    REQUIRE(kernel.lines.size() == 3);
    CHECK(kernel.lines[0].place.line == 12);
    CHECK(stalls::stalledSamples(kernel.lines[0].states) == 80);
    CHECK(kernel.lines[1].place.line == 11);
    CHECK(kernel.lines[2].mainStall.empty()); // it issues
    const stalls::InstructionStalls& use = kernel.instructions[kernel.lines[0].instructions.front()];
    REQUIRE(use.producer);
    CHECK(use.producer->text == "LDG.E R2, [R4.64]");
    CHECK(use.producer->place.line == 10);
}

TEST_CASE("What a loop brings before an instruction is found behind it") {
    KernelCode code;
    addCodeLine(code, 0, "", 0, "FADD R7, R2, R7");
    addCodeLine(code, 16, "", 0, "LDG.E R2, [R4.64]");
    addCodeLine(code, 32, "", 0, "@P0 BRA `(.L_x_1)");
    const std::vector<CodeLine>& lines = code.lines;
    CHECK(stalls::producerOf(lines, 0, "long_scoreboard") == 1);
    CHECK_FALSE(stalls::producerOf(lines, 0, "short_scoreboard"));
    CHECK_FALSE(stalls::producerOf(lines, 0, "barrier"));
    CHECK(stalls::producerOf(lines, 2, "wait") == 1);
}

TEST_CASE("In a listing of memory accesses alone nothing is said to come before") {
    KernelCode code;
    addCodeLine(code, 16, "", 0, "LDG");
    addCodeLine(code, 96, "", 0, "");
    addCodeLine(code, 112, "", 0, "STG");
    const std::vector<CodeLine>& lines = code.lines;
    CHECK_FALSE(stalls::producerOf(lines, 2, "wait"));
    CHECK_FALSE(stalls::producerOf(lines, 2, "long_scoreboard"));
}

TEST_CASE("The table of stalls names line, state and producer") {
    const Session session = sampled();
    const diagnosis::Diagnosis diagnosis{session};
    const std::string text = report::stallsTableText(diagnosis);
    INFO(text);
    CHECK(text.find("sum: 100 samples of warps, 85 % of them stalled, mostly by long scoreboard") !=
          std::string::npos);
    CHECK(text.find("a.cu:12        80.0  long scoreboard      80.0  FADD R7, R2, R7") != std::string::npos);
    CHECK(text.find("LDG.E R2, [R4.64] at a.cu:10") != std::string::npos);
    CHECK(report::stallsMarkdownText(diagnosis).find("| a.cu:12 | 80.0 | long scoreboard | 80.0 |") !=
          std::string::npos);
}

// Of 100 samples 10 issue, all at line 10, 5 wait at line 11 and 80 at line 12, where 5 more could issue.
TEST_CASE("Source and code have the stalls of each line, and what it waits for") {
    Session session = sampled();
    session.apply(ProcessStart{}, 0);
    session.apply(Launch{}, 0);
    const std::vector<LaunchIndex> launches{LaunchIndex{0}};
    const lines::KernelSource source = lines::kernelSource(session, launches);
    CHECK(source.samples == 100);
    CHECK(source.hint.find("a.cu") != std::string::npos); // its text is not here, its lines are
    REQUIRE(source.files.size() == 1);
    const auto& rows = source.files[0].rows;
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].stalls->issued == 1);
    CHECK(rows[0].stalls->stalled == 0);
    CHECK(rows[1].stalls->reason == "wait");
    CHECK(rows[2].stalls->stalled == Approx(0.8));
    CHECK(rows[2].stalls->byReason == Approx(0.8));
    REQUIRE(rows[2].waitsFor);
    CHECK(source.code[*rows[2].waitsFor].text == "LDG.E R2, [R4.64]");
    CHECK(view::details::producerText(source, *rows[2].waitsFor) == "LDG.E R2, [R4.64] at a.cu:10");
    CHECK(view::details::stallText(rows[2].stalls) ==
          "80.0 % of the sampled warps wait here, by long scoreboard");
    CHECK(view::details::stallText(rows[0].stalls).empty());
    const auto use = std::ranges::find(source.code, 48U, &lines::CodeRow::pc);
    REQUIRE(use != source.code.end());
    CHECK(use->waitsFor == rows[2].waitsFor);
    CHECK_FALSE(source.code[0].stalls); // MOV was not seen
}

TEST_CASE("A kernel that was counted shows the stalls of the run that sampled it") {
    Session session = sampled();
    session.apply(ProcessStart{}, 1);
    Kernel counted;
    counted.name = "sum(float const*, float*)";
    session.apply(counted, 1);
    session.apply(Launch{}, 1);
    REQUIRE(session.kernels().size() == 2);
    const std::vector<LaunchIndex> launches{LaunchIndex{0}};
    const lines::KernelSource source = lines::kernelSource(session, launches);
    CHECK(source.samples == 100);
    CHECK(source.code.size() == 7);
    CHECK(source.files[0].rows.back().stalls->stalled == Approx(0.8));
}

TEST_CASE("States are bars: all samples of one, and solid those in which nothing issued") {
    const auto tables = view::details::stallTables(sampled(), stalls::kernelStalls(sampled(), 0), 8);
    REQUIRE(tables.bars.size() == 4);
    CHECK(tables.bars[0].name == "long scoreboard");
    CHECK(tables.bars[0].share == Approx(0.8));
    CHECK(tables.bars[0].solid == Approx(0.4));
    CHECK(tables.bars[0].side == verdict::Bound::Latency);
    CHECK(tables.bars[1].side == verdict::Bound::Unknown); // selected
    CHECK(view::details::barText(tables.bars[0], 10) == "████░░░░");
    CHECK(view::details::barText(tables.bars[0], 0).empty());
    REQUIRE(tables.places.size() == tables.lines.rows.size());
    CHECK(tables.places[0].place.line == 12);
    CHECK(tables.places[0].pc == 48);
}

TEST_CASE("Every state that an H100 tells is explained, and stalls have advice") {
    const auto session = store::loadSession(DORMER_SOURCE_DIR "/samples/h100-stalls.dormer");
    REQUIRE(session);
    std::set<std::string> seen;
    for (std::size_t i = 0; i < session->kernels().size(); ++i)
        for (const auto& [pc, states] : session->warpSamples(i))
            for (const WarpState& each : states.states)
                seen.insert(each.state);
    CHECK(seen.size() > 10);
    for (const std::string& state : seen) {
        CAPTURE(state);
        REQUIRE(stalls::findState(state) != nullptr);
        const bool nothingToDo = stalls::isEligible(state) || state == "misc" || state == "dispatch_stall";
        CHECK((findings::findStall(state) == nullptr) == nothingToDo);
    }
}

TEST_CASE("Recorded kernels wait for what their names say") {
    const auto session = store::loadSession(DORMER_SOURCE_DIR "/samples/h100-stalls.dormer");
    REQUIRE(session);
    std::size_t copies = 0, shared = 0;
    for (std::size_t i = 0; i < session->kernels().size(); ++i) {
        const stalls::KernelStalls kernel = stalls::kernelStalls(*session, i);
        if (kernel.states.samples() < 300) continue;
        const std::string& name = session->kernels()[i].name;
        if (name.find("readShared") != std::string::npos) {
            ++shared;
            CAPTURE(name);
            CHECK((kernel.mainStall == "mio_throttle" || kernel.mainStall == "short_scoreboard"));
        }
        if (name.find("vectorAdd") != std::string::npos || name.find("transposeNaive") != std::string::npos) {
            ++copies;
            CAPTURE(name);
            CHECK((kernel.mainStall == "long_scoreboard" || kernel.mainStall == "lg_throttle"));
        }
    }
    CHECK(shared > 0);
}
