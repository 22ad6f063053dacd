// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/annotated_source.h"

#include "analysis/session/kernel_code.h"

#include "tests/support/catch.h"
#include "tests/support/line_session.h"
#include "tests/support/prose.h"

using namespace dormer::lines;

using namespace dormer::session;

using namespace dormer::store;
using namespace dormer::tests;
using dormer::tests::kLineLaunches;
using dormer::tests::lineSession;

namespace {

const SourceFileView& fileNamed(const KernelSource& source, std::string_view name) {
    const auto at = std::ranges::find(source.files, name, &SourceFileView::name);
    REQUIRE(at != source.files.end());
    return *at;
}

const SourceRow& row(const SourceFileView& file, std::uint32_t number) {
    const auto at = std::ranges::find(file.rows, number, &SourceRow::number);
    REQUIRE(at != file.rows.end());
    return *at;
}

LineCounts loadAt(std::string file, std::uint32_t line, std::uint64_t pc, std::uint64_t sectors) {
    LineCounts counts;
    counts.file = std::move(file);
    counts.line = line;
    counts.pc = pc;
    counts.instruction = "LDG";
    counts.space = MemorySpace::Global;
    counts.op = MemoryOperation::Load;
    counts.widthBytes = 4;
    counts.executions = 10;
    counts.threads = 320;
    counts.sectors = sectors;
    counts.sectorsIdeal = 40;
    return counts;
}

Session sessionOf(std::vector<LineCounts> lines) {
    Session session;
    session.apply(ProcessStart{});
    session.apply(Kernel{});
    session.apply(Launch{});
    session.apply(LaunchLines{0, std::move(lines)});
    return session;
}

const std::vector<LaunchIndex> kFirst{LaunchIndex{0}};

} // namespace

// By hand: of two launches a.cu:5 moves 2 x 2 x 320 sectors (ideal 2 x 2 x 40), b.cuh:9 takes 2 x 310
// wavefronts (ideal 2 x 10). Beyond the ideal 1120 x 32 = 35840 and 600 x 128 = 76800 bytes; in all
// 1280 x 32 = 40960 and 620 x 128 = 79360.
TEST_CASE("a line has its share of the kernel's waste and traffic") {
    const KernelSource source = kernelSource(lineSession(), kLineLaunches);
    REQUIRE_FALSE(source.empty());
    REQUIRE(source.files.size() == 2);
    CHECK(source.files[0].path == "/src/b.cuh"); // the most waste
    CHECK(source.files[0].waste == Approx(76800.0 / 112640));
    CHECK(source.files[1].traffic == Approx(40960.0 / 120320));

    const SourceRow& load = row(fileNamed(source, "a.cu"), 5);
    REQUIRE(load.cost);
    CHECK(load.cost->executions == 40);
    CHECK(load.cost->sectors == 1280);
    CHECK(load.cost->sectorsIdeal == 160);
    CHECK(load.cost->wavefronts == 0);
    CHECK(load.cost->waste == Approx(35840.0 / 112640));
    CHECK(load.cost->traffic == Approx(40960.0 / 120320));
    CHECK(numbersIn(load.what) == Numbers{2, 32, 4, 1}); // loads, sectors, ideal, sectors per lane
    CHECK(load.accesses == std::vector<std::size_t>{0, 1});
    CHECK(row(fileNamed(source, "b.cuh"), 9).what.starts_with("shared store: 31 wavefronts"));
    CHECK(row(fileNamed(source, "a.cu"), 7).what.starts_with("branch: 15 %"));
    CHECK(row(fileNamed(source, "a.cu"), 7).cost->waste == 0);

    // One launch alone.
    CHECK(row(fileNamed(kernelSource(lineSession(), kFirst), "a.cu"), 5).cost->sectors == 640);
}

TEST_CASE("without code the instructions that were counted stand for it") {
    const KernelSource source = kernelSource(lineSession(), kLineLaunches);
    CHECK(source.language == CodeLanguage::Sass);
    REQUIRE(source.code.size() == 5);
    CHECK(source.code[0].text == "LDG");
    CHECK(source.code[0].line == 5);
    CHECK(source.code[0].access == std::size_t{0});
    CHECK(source.code[0].cost->sectors == 640);
    CHECK(source.code[4].pc == 0x50);
    CHECK(source.code[4].file.empty());
    CHECK(source.hint ==
          "the text of b.cuh, a.cu is not in the session: it is kept when the file can be read "
          "where the program runs");
}

TEST_CASE("text and code stand beside the counts, in both directions") {
    Session session = lineSession();
    session.apply(SourceFile{"/src/a.cu", "one\r\n\ttwo\nthree\nfour\nfive\nsix\n"});
    KernelCode code;
    code.language = CodeLanguage::Sass;
    addCodeLine(code, 0x00, "/src/a.cu", 3, "MOV R1, c[0x0][0x28]");
    addCodeLine(code, 0x10, "", 0, ".L_x_0:");
    addCodeLine(code, 0x10, "/src/a.cu", 5, "LDG.E R2, [R4.64]");
    addCodeLine(code, 0x20, "/src/a.cu", 5, "LDG.E R3, [R6.64]");
    addCodeLine(code, 0x30, "/src/b.cuh", 9, "STS [R5], R2");
    addCodeLine(code, 0x60, "", 0, "EXIT");
    session.apply(code);
    const KernelSource source = kernelSource(session, kLineLaunches);
    const SourceFileView& file = fileNamed(source, "a.cu");
    CHECK(file.embedded);
    REQUIRE(file.rows.size() == 7); // six lines, and the branch at line 7 of what the text was before
    CHECK(file.rows[0].text == "one");
    CHECK(file.rows[1].text == "\ttwo");
    CHECK_FALSE(file.rows[1].cost);
    CHECK(file.rows[6].number == 7);
    CHECK(file.rows[6].text.empty());
    CHECK(file.rows[6].cost);

    REQUIRE(source.code.size() == 8);   // and the counted 0x40 and 0x50, which the listing lacks
    CHECK_FALSE(source.code[1].access); // the label
    CHECK(source.code[2].access == std::size_t{0});
    CHECK(source.code[2].text == "LDG.E R2, [R4.64]");
    CHECK(source.code[5].text == "BRA");
    CHECK(file.rows[2].code == std::vector<std::size_t>{0});
    CHECK(file.rows[4].code == std::vector<std::size_t>{2, 3});
    CHECK(row(fileNamed(source, "b.cuh"), 9).code == std::vector<std::size_t>{4});
    CHECK(source.hint.starts_with("the text of b.cuh is not in the session"));
}

TEST_CASE("an access in a library stands at the line that called it") {
    LineCounts inCub = loadAt("/usr/local/cuda/include/cub/load.cuh", 80, 0x10, 320);
    inCub.inlinedAt = {{"/usr/local/cuda/include/cub/block.cuh", 7}, {"/src/main.cu", 4}};
    const LineCounts onlyCub = loadAt("/usr/local/cuda/include/cub/scan.cuh", 3, 0x20, 1000);
    Session session = sessionOf({inCub, onlyCub});
    session.apply(SourceFile{"/src/main.cu", "a\nb\nc\nload(x);\n"});
    const KernelSource source = kernelSource(session, kFirst);
    REQUIRE(source.files.size() == 2);
    CHECK(source.files[0].name == "main.cu"); // the user's first, though the library wastes more
    CHECK(source.files[1].name == "scan.cuh");
    const SourceRow& call = row(source.files[0], 4);
    CHECK(call.cost->sectors == 320);
    CHECK(call.text == "load(x);");
    REQUIRE(call.accesses.size() == 1);
    CHECK(source.accesses[call.accesses[0]].inlinedAt == inCub.inlinedAt);
    CHECK(source.code[0].line == 4);
    CHECK(source.hint.empty()); // library files are no loss
}

TEST_CASE("nothing is wasted where all is ideal or no ideal is known") {
    LineCounts unknown = loadAt("/src/a.cu", 2, 0x20, 100);
    unknown.sectorsIdeal.reset();
    const KernelSource source = kernelSource(sessionOf({loadAt("/src/a.cu", 1, 0x10, 40), unknown}), kFirst);
    CHECK(row(source.files[0], 1).cost->waste == 0);
    CHECK(row(source.files[0], 1).what == "load: coalesced");
    CHECK(row(source.files[0], 2).cost->waste == 0);
    CHECK(row(source.files[0], 2).cost->traffic == Approx(100.0 / 140));
    CHECK(source.files[0].waste == 0);
}

TEST_CASE("what is missing is said with the flag that brings it") {
    const KernelSource none = kernelSource(sessionOf({}), kFirst);
    CHECK(none.empty());
    CHECK(none.hint == "collected without counts per line: add --lines");
    CHECK(kernelSource(sessionOf({}), {}).hint == "collected without counts per line: add --lines");
    const KernelSource bare = kernelSource(sessionOf({loadAt("", 0, 0x110, 320)}), kFirst);
    CHECK(bare.hint == "compiled without line information: add -lineinfo (or -G)");
    CHECK(bare.files.empty());
    REQUIRE(bare.code.size() == 1);
    CHECK(bare.code[0].cost->waste == 1);
}

TEST_CASE("several kinds of access on a line are told apart, the worst first") {
    LineCounts store = loadAt("/src/a.cu", 1, 0x30, 80);
    store.op = MemoryOperation::Store;
    LineCounts atomic = loadAt("/src/a.cu", 1, 0x40, 40);
    atomic.op = MemoryOperation::Atomic;
    atomic.serialized = 80;
    const KernelSource source = kernelSource(
        sessionOf({loadAt("/src/a.cu", 1, 0x10, 40), loadAt("/src/a.cu", 1, 0x20, 50), store, atomic}),
        kFirst);
    const std::string& what = source.files[0].rows[0].what;
    CHECK(numbersIn(what) ==
          Numbers{8, 4, 2, 5, 4, 25}); // sectors, ideal, stride; sectors, ideal; % of lanes
    CHECK(what.starts_with("store: 8 "));
    CHECK(what.find("load: 5 ") < what.find("load: coalesced"));
    CHECK(what.find("load: coalesced") < what.find("atomic: coalesced"));
}

TEST_CASE("conflicts of about as many ways are one kind") {
    std::vector<LineCounts> reads;
    for (const std::uint64_t wavefronts : {25, 26, 320, 10}) {
        LineCounts read = loadAt("/src/a.cu", 1, 16 * (1 + reads.size()), 0);
        read.space = MemorySpace::Shared;
        read.sectors.reset();
        read.sectorsIdeal.reset();
        read.wavefronts = wavefronts;
        read.wavefrontsIdeal = 10;
        reads.push_back(read);
    }
    const std::string what = kernelSource(sessionOf(reads), kFirst).files[0].rows[0].what;
    CHECK(numbersIn(what) == Numbers{32, 1, 2, 2.55, 1}); // wavefronts, ideal; loads, wavefronts, ideal
    CHECK(what.ends_with("shared load: conflict-free"));
}

TEST_CASE("a hostile session makes a large file, not a large amount of work") {
    Session session =
        sessionOf({loadAt("/src/a.cu", 4'000'000'000U, 0x10, 320), loadAt("/src/b.cu", 0, 0x20, 320)});
    session.apply(SourceFile{"/src/a.cu", std::string(100'000, '\n') + std::string(10'000, 'x')});
    KernelCode code;
    code.lines = {{16, 99, 7, "LDG"}, {18'446'744'073'709'551'615ULL, 0, 1, "MOV"}};
    session.apply(code);
    const KernelSource source = kernelSource(session, kFirst);
    const SourceFileView& file = fileNamed(source, "a.cu");
    CHECK(file.rows.size() == 100'002);
    CHECK(file.rows[100'000].text.size() == 10'000);
    CHECK(file.rows.back().number == 4'000'000'000U);
    CHECK(source.files.size() == 1); // a line 0 is no line
}
