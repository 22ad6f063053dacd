// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/stalls/state_catalogue.h"
#include "tests/instrument/emulator/code/path_kernel.h"
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace dormer;
using emulator::counts::Stall;
using tests::EmulatedKernel;

namespace {

/// What the warps of a launch did, as shares of all.
struct Seen {
    std::map<Stall, double> share, notIssued;
    std::map<std::pair<std::uint32_t, Stall>, double> byLine; ///< of the PTX
    double operator[](Stall state) const {
        const auto at = share.find(state);
        return at != share.end() ? at->second : 0;
    }
    [[nodiscard]] double hidden(Stall state) const { return (*this)[state] - notIssued.at(state); }
    /// The line at which most of a state is.
    [[nodiscard]] std::uint32_t lineOf(Stall state) const {
        std::uint32_t line = 0;
        double most = 0;
        for (const auto& [at, part] : byLine)
            if (at.second == state && part > most) line = at.first, most = part;
        return line;
    }
};

/// %rd1 is the address of the data, %rd2 that of the thread's place in them, 4 bytes each; %r3 that of its
/// place in shared memory. The instructions begin at line kFirst.
constexpr std::uint32_t kFirst = 19;
std::string kernelOf(const std::string& instructions) {
    return tests::pathKernel("    shl.b32 %r3, %r1, 2;\n" + instructions, 32768);
}

emulator::engine::LaunchOutcome outcomeOf(const std::string& instructions, session::Dim3 grid,
                                          unsigned threads, unsigned workers = 2) {
    constexpr std::size_t kLines = 4096;
    EmulatedKernel run(kernelOf(instructions), workers);
    run.watchStalls = true;
    auto* data = run.allocate<std::uint64_t>(kLines * 16);
    for (std::size_t i = 0; i < kLines; ++i)
        data[i * 16] = reinterpret_cast<std::uint64_t>(data + (i + 1) % kLines * 16);
    auto outcome = run.launch("path", grid, {threads, 1, 1}, data);
    REQUIRE(outcome.has_value());
    return std::move(*outcome);
}

Seen seen(const std::string& instructions, session::Dim3 grid, unsigned threads) {
    Seen sum;
    for (const auto& each : outcomeOf(instructions, grid, threads).stalls) {
        sum.share[each.state] += each.share;
        sum.notIssued[each.state] += each.notIssued;
        sum.byLine[{each.ptxLine, each.state}] += each.share;
    }
    return sum;
}

std::string repeated(const std::string& instruction, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
        all += instruction;
    return all;
}

/// A loop of 200 rounds; its branch is at line kFirst + 1 + `lines` of what is repeated.
std::string loop(const std::string& body) {
    return "$again: " + body + "\nadd.s32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 200; @%p1 bra $again;";
}

} // namespace

TEST_CASE("Every state has the name that samples of a GPU have") {
    for (const std::string_view name : emulator::counts::kStallNames)
        CHECK(stalls::findState(name) != nullptr);
    CHECK(toString(Stall::Wait) == "wait");
    CHECK(toString(Stall::LongScoreboard) == "long_scoreboard");
}

TEST_CASE("A warp that follows addresses waits for long scoreboards, at the load that needs the last one") {
    const Seen warp = seen(loop("ld.global.u64 %rd1, [%rd1];"), {1, 1, 1}, 32);
    CHECK(warp[Stall::LongScoreboard] > 0.9);
    CHECK(warp.notIssued.at(Stall::LongScoreboard) == Approx(warp[Stall::LongScoreboard]));
    CHECK(warp.lineOf(Stall::LongScoreboard) == kFirst);
    double all = 0;
    for (const auto& [state, share] : warp.share)
        all += share;
    CHECK(all == Approx(1));
}

TEST_CASE("Dependent arithmetic waits three cycles of four") {
    // 64 additions of 4 cycles each, then three instructions and a branch, which takes 14: 5 of its own
    // latency, 6 until its target is known.
    const Seen one = seen(loop(repeated("add.f32 %f1, %f1, %f1;", 64)), {1, 1, 1}, 32);
    CHECK(one[Stall::Selected] == Approx(67.0 / (64 * 4 + 3 + 14)).epsilon(0.1));
    CHECK(one[Stall::Wait] == Approx(64 * 3.0 / (64 * 4 + 3 + 14)).epsilon(0.1));
    CHECK(one[Stall::BranchResolving] == Approx(6.0 / (64 * 4 + 3 + 14)).epsilon(0.1));
    // Eight warps for each scheduler: one issues in every cycle, and seven are ready or wait for their own.
    const Seen many = seen(loop(repeated("add.f32 %f1, %f1, %f1;", 64)), {1, 1, 1}, 1024);
    CHECK(many[Stall::Selected] == Approx(1.0 / 8).epsilon(0.1));
    CHECK(many[Stall::NotSelected] == Approx(4.0 / 8).epsilon(0.2));
    CHECK(many.notIssued.at(Stall::NotSelected) == 0);
    CHECK(many.hidden(Stall::Wait) > 0.9 * many[Stall::Wait]);
}

TEST_CASE("Warps that wait for one of them are seen at a barrier") {
    // One warp of eight walks; each of four schedulers is looked at as often, one of them has the walker.
    const std::string body = "setp.ge.u32 %p2, %r1, 32; @%p2 bra $meet;\n" +
                             repeated("ld.global.u64 %rd1, [%rd1];", 20) + "\n$meet: bar.sync 0;";
    const Seen block = seen(loop(body), {1, 1, 1}, 256);
    CHECK(block[Stall::Barrier] == Approx(0.875).margin(0.03));
    CHECK(block[Stall::LongScoreboard] == Approx(0.125).margin(0.03));
    CHECK(block.notIssued.at(Stall::Barrier) > 0.8);
}

TEST_CASE("Units that are too busy throttle the warps that want them") {
    // 32 lanes in one bank: 32 wavefronts for each load.
    const std::string conflicts =
        "shl.b32 %r4, %r1, 7;\nand.b32 %r4, %r4, 32767;" + repeated("ld.volatile.shared.f32 %f2, [%r4];", 8);
    CHECK(seen(loop(conflicts), {1, 1, 1}, 512)[Stall::MioThrottle] > 0.7);
    // The same of global memory, whose queue is the other one: 32 lines, which L1 has.
    const std::string lines =
        "mul.wide.u32 %rd4, %r1, 128;\nand.b64 %rd4, %rd4, 8191;\nadd.s64 %rd4, %rd1, %rd4;" +
        repeated("ld.global.f32 %f2, [%rd4];", 8);
    const Seen global = seen(loop(lines), {1, 1, 1}, 512);
    CHECK(global[Stall::LgThrottle] > 0.4);
    CHECK(global[Stall::MioThrottle] < 0.01);
    // Two FP64 results for each of 32 lanes take the 16 lanes of a part two cycles each.
    const std::string fp64 = "cvta.global.u64 %rd4, %rd1;\n" + [] {
        std::string all;
        for (int i = 0; i < 8; ++i)
            all += fmt::format("mul.lo.s32 %r{}, %r1, %r1;", 4 + i % 4);
        return all;
    }();
    CHECK(seen(loop(fp64), {1, 1, 1}, 1024)[Stall::MathPipeThrottle] > 0.3);
}

TEST_CASE("Results of shared memory and special functions are waited for as short scoreboards") {
    const std::string ownAddress = "st.shared.u32 [%r3], %r3;\n";
    const Seen shared = seen(ownAddress + loop(repeated("ld.shared.u32 %r3, [%r3];", 8)), {1, 1, 1}, 32);
    CHECK(shared[Stall::ShortScoreboard] > 0.8);
    CHECK(shared.lineOf(Stall::ShortScoreboard) == kFirst + 1);
    const Seen special = seen(loop(repeated("rcp.approx.f32 %f1, %f1;", 8)), {1, 1, 1}, 32);
    CHECK(special[Stall::ShortScoreboard] > 0.7);
}

TEST_CASE("A fence is waited for at itself, and stores when a warp has ended") {
    const Seen fence = seen(loop("\nst.global.f32 [%rd2], %f1;\nmembar.gl;"), {1, 1, 1}, 32);
    CHECK(fence[Stall::Membar] > 0.8);
    CHECK(fence.lineOf(Stall::Membar) == kFirst + 2);
    const Seen stores =
        seen("mul.wide.u32 %rd4, %r1, 128;\nand.b64 %rd4, %rd4, 524287;\nadd.s64 %rd4, %rd1, %rd4;"
             "st.global.f32 [%rd4], %f1;",
             {660, 1, 1}, 1024);
    CHECK(stores[Stall::Drain] > 0.05);
    CHECK(seen("add.f32 %f1, %f1, %f1;", {660, 1, 1}, 1024)[Stall::Drain] == 0);
}

TEST_CASE("Stalls are the same in every run and on any number of threads, and change no time") {
    const std::string body = "ld.global.f32 %f2, [%rd2];\nadd.f32 %f1, %f1, %f2;\nst.shared.f32 [%r3], %f1;\n"
                             "bar.sync 0;\nld.shared.f32 %f3, [%r3];";
    const auto one = outcomeOf(loop(body), {500, 1, 1}, 256, 1);
    const auto three = outcomeOf(loop(body), {500, 1, 1}, 256, 3);
    REQUIRE(one.stalls.size() > 20);
    const auto same = [](const auto& a, const auto& b) {
        return a.ptxLine == b.ptxLine && a.state == b.state && a.share == b.share &&
               a.notIssued == b.notIssued;
    };
    CHECK(std::ranges::equal(one.stalls, three.stalls, same));
    EmulatedKernel unwatched(kernelOf(loop(body)), 2);
    auto* data = unwatched.allocate<std::uint64_t>(4096 * 16);
    const auto outcome = unwatched.launch("path", {500, 1, 1}, {256, 1, 1}, data);
    REQUIRE(outcome.has_value());
    CHECK(outcome->stalls.empty());
    CHECK(outcome->replayed.cycles ==
          Approx(one.replayed.cycles).epsilon(0.02)); // its data have other places
}
