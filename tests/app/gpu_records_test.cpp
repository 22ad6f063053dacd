// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What a GPU tells of copies, memory and graphs, through the whole path: dormer run as a process, and its
// file.

#include "analysis/session/kernel_code.h"
#include "analysis/session/user_line.h"
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/dormer_beside.h"
#include "tests/support/gpu.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

using namespace dormer;
using namespace dormer::session;
using namespace dormer::store;

namespace {

/// The session of a run whose known answers all held. Ends the program as skipped where there is no GPU,
/// unless one is required.
Session sessionOf(const std::string& arguments) {
    const auto path = std::filesystem::temp_directory_path() / "dormer-gpu-records-test.dormer";
    const tests::Ran ran =
        tests::runDormer("run --on gpu " + arguments + " --verify --quiet -o '" + path.string() + "' 2>&1");
    if (ran.exitCode == 3) tests::skipWithoutGpu(ran.out);
    INFO(ran.out);
    CHECK(ran.exitCode == 0);
    Result<Session> session = loadSession(path.string());
    std::filesystem::remove(path);
    REQUIRE(session.has_value());
    return std::move(*session);
}

std::vector<Transfer> transfersOf(const Session& session, const std::string& workload,
                                  const std::string& kind) {
    std::vector<Transfer> found;
    for (const Transfer& transfer : session.transfers())
        if (transfer.workload == workload && toString(transfer.kind) == kind) found.push_back(transfer);
    return found;
}

} // namespace

TEST_CASE("copies tell bytes, memory, direction and times, equal ones of a run in one record") {
    const Session session = sessionOf(
        "transfer/pinned_to_device transfer/pageable_to_host transfer/fragmented/1000 --size 250000");
    const auto pinned = transfersOf(session, "transfer/pinned_to_device", "copy");
    REQUIRE(pinned.size() == 3); // runs
    for (const Transfer& copy : pinned) {
        CHECK((copy.count == 1 && copy.bytes == 1'000'000));
        CHECK((copy.direction == TransferDirection::HostToDevice && copy.source == MemoryKind::Pinned &&
               copy.destination == MemoryKind::Device));
        CHECK(copy.durationNs.value_or(0) > 0);
        CHECK(copy.callNs.value_or(0) > 0);
        CHECK(copy.startNs <= copy.endNs);
    }
    const auto pageable = transfersOf(session, "transfer/pageable_to_host", "copy");
    REQUIRE_FALSE(pageable.empty());
    CHECK((pageable[0].direction == TransferDirection::DeviceToHost &&
           pageable[0].destination == MemoryKind::Pageable));
    const auto pieces = transfersOf(session, "transfer/fragmented/1000", "copy");
    REQUIRE(pieces.size() == 1);
    CHECK((pieces[0].count == 1000 && pieces[0].bytes == 1'000'000));
    CHECK(session.launches().empty());
    // The first sequence's set-up and the checks copy and fill as well.
    for (const Transfer& transfer : session.transfers())
        CHECK_FALSE(transfer.workload.empty());
}

TEST_CASE("allocations are seen with their bytes and the host's time") {
    const Session session = sessionOf("transfer/allocate_device transfer/allocate_pinned --size 250000");
    std::map<std::string, std::uint64_t> bytes;
    for (const MemoryCall& call : session.memoryCalls()) {
        CHECK(call.durationNs.value_or(0) > 0);
        bytes[call.workload + " " + std::string(toString(call.memory))] += call.bytes;
    }
    CHECK(bytes["transfer/allocate_device device"] == 3'000'000);
    CHECK(bytes["transfer/allocate_pinned pinned"] == 3'000'000);
}

TEST_CASE("migrations belong to the workload that caused them") {
    const Session session = sessionOf("'managed/*'");
    bool told = true;
    for (const Note& note : session.notes())
        told = told && note.code != "transfers-incomplete";
    if (!told) return; // where CUPTI gives none, it was said
    std::map<std::string, std::uint64_t> moved;
    for (const Transfer& transfer : session.transfers())
        if (transfer.kind == TransferKind::Migration && transfer.direction == TransferDirection::HostToDevice)
            moved[transfer.workload] += transfer.bytes;
    CHECK(moved["managed/on_demand"] >= 3 * 4 * (std::uint64_t{1} << 22));
    CHECK(moved["managed/prefetch"] >= 3 * 4 * (std::uint64_t{1} << 22));
    CHECK_FALSE(moved.contains("managed/advise"));
    CHECK_FALSE(moved.contains(""));
}

TEST_CASE("a graph's kernels are launches with their capture's range, counted like plain ones") {
    const Session session = sessionOf("'graphs/*' --repeat 1");
    constexpr const char* kSectors = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum";
    std::map<std::string, std::set<double>> sectors; // by kernel: those of each launch
    bool replayed = false;
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const Launch& launch = session.launches()[i];
        INFO(launch.workload << " " << launch.nvtx << ": " << launch.notCounted);
        CHECK(launch.counted);
        CHECK(launch.durationNs.value_or(0) > 0);
        CHECK(launch.blocksPerSm.value_or(0) > 0);
        CHECK(launch.graphNode.has_value() == (launch.workload != "graphs/launched_one_by_one"));
        replayed = replayed || launch.nvtx.find("capture > rod 0") != std::string::npos;
        const auto loads = session.counter(LaunchIndex{i}, kSectors);
        REQUIRE(loads.has_value());
        sectors[session.kernelOf(LaunchIndex{i}).name].insert(*loads);
    }
    CHECK(replayed);
    CHECK(sectors.size() == 4);
    for (const auto& [kernel, values] : sectors) {
        INFO(kernel);
        CHECK(values.size() == 1); // the same work, however it was launched
    }
}

TEST_CASE("counts per line bring the source they name and the kernel's whole machine code") {
    const Session session = sessionOf("transpose/tiled vector_sum/uncoalesced --lines --repeat 1");
    bool listed = true;
    for (const Note& note : session.notes())
        listed = listed && note.code != "no-disassembler"; // then it was said that the code is a part only
    std::set<std::string> files;
    std::size_t launches = 0;
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const std::span<const LineCounts> lines = session.lines(LaunchIndex{i});
        if (lines.empty()) continue;
        ++launches;
        const Launch& launch = session.launches()[i];
        INFO(launch.workload);
        const KernelCode* code = session.codeOf(launch.kernel);
        REQUIRE(code != nullptr);
        CHECK(code->language == CodeLanguage::Sass);
        const std::vector<CodeLine>& instructions = code->lines;
        if (listed) CHECK(instructions.size() > lines.size());
        for (const LineCounts& line : lines) {
            if (!line.file.empty() && !isLibraryFile(line.file)) files.insert(line.file);
            // A label stands before the instruction with its pc.
            const auto after = std::ranges::upper_bound(instructions, line.pc, {}, &CodeLine::pc);
            const bool found = after != instructions.begin() && std::prev(after)->pc == line.pc;
            INFO("pc " << line.pc << ", " << line.instruction);
            if (listed) CHECK(found);
            if (!found) continue;
            const CodeLine& row = *std::prev(after);
            CHECK((fileOf(*code, row) == line.file && row.line == line.line));
            // "LDG.64" of "@P0 LDG.E.64.CONSTANT R2, ..."; RED is called REDG on some chips.
            CHECK(row.text.find(line.instruction.substr(0, line.instruction.find('.'))) !=
                  std::string_view::npos);
        }
    }
    CHECK(launches >= 2);
    REQUIRE_FALSE(files.empty());
    for (const std::string& file : files)
        // The program may have been built on another machine.
        if (std::filesystem::exists(file)) CHECK(session.sourceText(file) != nullptr);
}
