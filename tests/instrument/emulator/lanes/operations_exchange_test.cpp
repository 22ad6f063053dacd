// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/lanes/operation_rig.h"

#include <map>

using namespace dormer::emulator::instructions;

using namespace dormer::emulator::test;

namespace {

/// The pseudo-code of the PTX ISA for shfl.
struct Shuffled {
    u32 lane;
    bool inside;
};
Shuffled shuffleOf(const std::string& way, u32 lane, u32 b, u32 c) {
    const u32 bval = b & 31, cval = c & 31, mask = c >> 8 & 31;
    const int maxLane = int((lane & mask) | (cval & ~mask)), minLane = int(lane & mask);
    int j = 0;
    bool p = false;
    if (way == "up") {
        j = int(lane) - int(bval);
        p = j >= maxLane;
    } else if (way == "down") {
        j = int(lane + bval);
        p = j <= maxLane;
    } else if (way == "bfly") {
        j = int(lane ^ bval);
        p = j <= maxLane;
    } else {
        j = minLane | int(bval & ~mask);
        p = j <= maxLane;
    }
    return {p ? u32(j) : lane, p};
}

void fill(u32* lanes, u32 value) {
    std::fill(lanes, lanes + kLanes, value);
}

} // namespace

TEST_CASE("shfl in all modes, segments and clamps") {
    for (const InstructionSet isa : instructionSets())
        for (const std::string way : {"up", "down", "bfly", "idx"})
            for (const u32 width : {32u, 16u, 8u, 4u, 2u, 1u})
                for (const u32 exec : {kAllLanes, 0x0FF0F00Fu})
                    for (u32 offset = 0; offset < 34; ++offset) {
                        OperationRig rig("shfl.sync." + way + ".b32", {4, 4, 4, 4, 4}, isa);
                        rig.second(kPredicate);
                        rig.alias(1);
                        REQUIRE(rig.prepare());
                        // As __shfl_sync and its relatives make it: the segment in bits 8 to 12.
                        const u32 c = (32 - width) << 8 | (way == "up" ? 0 : 0x1F);
                        for (unsigned i = 0; i < kLanes; ++i)
                            rig.lanes<u32>(1)[i] = 1000 + i;
                        fill(rig.lanes<u32>(2), offset);
                        fill(rig.lanes<u32>(3), c);
                        fill(rig.lanes<u32>(4), kAllLanes);
                        rig.secondPredicate() = 0x55555555;
                        rig.run(exec);
                        for (unsigned i = 0; i < kLanes; ++i) {
                            const bool on = (exec >> i & 1) != 0;
                            const Shuffled wanted = shuffleOf(way, i, offset, c);
                            // PTX leaves open what comes from a lane that does not execute: 0 on an H200.
                            const u32 got = (exec >> wanted.lane & 1) != 0 ? 1000 + wanted.lane : 0;
                            REQUIRE(rig.lanes<u32>(0)[i] == (on ? got : 1000 + i));
                            REQUIRE((rig.secondPredicate() >> i & 1) ==
                                    (on ? u32(wanted.inside) : 0x55555555u >> i & 1));
                        }
                    }
}

TEST_CASE("shfl with an offset of each lane's own") {
    for (const InstructionSet isa : instructionSets()) {
        OperationRig rig("shfl.sync.idx.b32", {4, 4, 4, 4, 4}, isa);
        REQUIRE(rig.prepare());
        for (unsigned i = 0; i < kLanes; ++i) {
            rig.lanes<u32>(1)[i] = i * i;
            rig.lanes<u32>(2)[i] = 31 - i;
        }
        fill(rig.lanes<u32>(3), 31);
        fill(rig.lanes<u32>(4), kAllLanes);
        rig.run();
        for (unsigned i = 0; i < kLanes; ++i)
            CHECK(rig.lanes<u32>(0)[i] == (31 - i) * (31 - i));
    }
}

TEST_CASE("vote among members that execute") {
    for (const InstructionSet isa : instructionSets())
        for (const u32 members : {kAllLanes, 0x0000FFFFu, 0x00000001u})
            for (const u32 asked : {0u, kAllLanes, 0x0000FFFFu, 0x00000002u})
                for (const bool negated : {false, true}) {
                    const u32 exec = 0xFFFF0FFF & members, yes = negated ? ~asked : asked;
                    const auto run = [&](const std::string& name, int width) {
                        OperationRig rig(name, {width, kPredicate, 4}, isa);
                        REQUIRE(rig.prepare());
                        if (negated) rig.inst.flags |= kNegatedA;
                        rig.predicate(1) = asked;
                        fill(rig.lanes<u32>(2), members);
                        rig.run(exec);
                        return width == 4 ? rig.lanes<u32>(0)[0] : rig.predicate(0);
                    };
                    CHECK(run("vote.sync.ballot.b32", 4) == (yes & exec));
                    CHECK(run("vote.sync.all.pred", kPredicate) == ((yes & exec) == exec ? exec : 0));
                    CHECK(run("vote.sync.any.pred", kPredicate) == ((yes & exec) != 0 ? exec : 0));
                    CHECK(run("vote.sync.uni.pred", kPredicate) ==
                          ((yes & exec) == exec || (yes & exec) == 0 ? exec : 0));
                }
}

TEST_CASE("vote keeps groups with different masks apart") {
    for (const InstructionSet isa : instructionSets()) {
        OperationRig rig("vote.sync.ballot.b32", {4, kPredicate, 4}, isa);
        REQUIRE(rig.prepare());
        rig.predicate(1) = 0x0F0F0F0F;
        for (unsigned i = 0; i < kLanes; ++i)
            rig.lanes<u32>(2)[i] = i % 2 == 0 ? 0x55555555 : 0xAAAAAAAA;
        rig.run();
        CHECK(rig.lanes<u32>(0)[0] == 0x05050505);
        CHECK(rig.lanes<u32>(0)[1] == 0x0A0A0A0A);
    }
}

TEST_CASE("match finds equal values") {
    const auto run = [](auto zero, const std::string& type) {
        using T = decltype(zero);
        for (const InstructionSet isa : instructionSets())
            for (const u32 exec : {kAllLanes, 0xF0F1F2F3u}) {
                OperationRig any("match.any.sync." + type, {4, int(sizeof(T)), 4}, isa),
                    all("match.all.sync." + type, {4, int(sizeof(T)), 4}, isa);
                all.second(kPredicate);
                REQUIRE((any.prepare() && all.prepare()));
                std::map<T, u32> groups;
                for (unsigned i = 0; i < kLanes; ++i) {
                    // For 64 bits the values differ in their upper halves only.
                    const T value = T(T(i % 5) << (sizeof(T) == 8 ? 40 : 0));
                    any.lanes<T>(1)[i] = value;
                    all.lanes<T>(1)[i] = 7;
                    if ((exec >> i & 1) != 0) groups[value] |= 1u << i;
                }
                fill(any.lanes<u32>(2), exec);
                fill(all.lanes<u32>(2), exec);
                any.run(exec);
                all.run(exec);
                for (unsigned i = 0; i < kLanes; ++i) {
                    const bool on = (exec >> i & 1) != 0;
                    CHECK(any.lanes<u32>(0)[i] == (on ? groups[any.lanes<T>(1)[i]] : 0));
                    CHECK(all.lanes<u32>(0)[i] == (on ? exec : 0));
                }
                CHECK(all.secondPredicate() == exec);
                all.lanes<T>(1)[31] = 8;
                all.run(exec);
                CHECK(all.lanes<u32>(0)[0] == 0);
                CHECK(all.secondPredicate() == 0);
            }
    };
    run(u32{}, "b32");
    run(u64{}, "b64");
}

TEST_CASE("redux reduces each group") {
    const auto run = [](const std::string& name, auto fold, u32 exec) {
        using T = decltype(fold(0, 0));
        for (const InstructionSet isa : instructionSets()) {
            OperationRig rig("redux.sync." + name, {4, 4, 4}, isa);
            REQUIRE(rig.prepare());
            std::mt19937 random(29);
            // Two groups: the lower and the upper half-warp.
            for (unsigned i = 0; i < kLanes; ++i) {
                rig.lanes<u32>(1)[i] = u32(random());
                rig.lanes<u32>(2)[i] = i < 16 ? 0x0000FFFF : 0xFFFF0000;
            }
            rig.run(exec);
            for (unsigned half = 0; half < 2; ++half) {
                bool first = true;
                T wanted{};
                for (unsigned i = half * 16; i < half * 16 + 16; ++i) {
                    if ((exec >> i & 1) == 0) continue;
                    const T v = T(rig.lanes<u32>(1)[i]);
                    wanted = first ? v : fold(wanted, v);
                    first = false;
                }
                for (unsigned i = half * 16; i < half * 16 + 16; ++i)
                    CHECK(rig.lanes<T>(0)[i] == ((exec >> i & 1) != 0 ? wanted : T(0)));
            }
        }
    };
    for (const u32 exec : {kAllLanes, 0x8001F00Fu}) {
        run(
            "add.u32", [](u32 a, u32 b) { return a + b; }, exec);
        run(
            "add.s32", [](u32 a, u32 b) { return a + b; }, exec);
        run(
            "min.u32", [](u32 a, u32 b) { return std::min(a, b); }, exec);
        run(
            "max.u32", [](u32 a, u32 b) { return std::max(a, b); }, exec);
        run(
            "min.s32", [](s32 a, s32 b) { return std::min(a, b); }, exec);
        run(
            "max.s32", [](s32 a, s32 b) { return std::max(a, b); }, exec);
        run(
            "and.b32", [](u32 a, u32 b) { return a & b; }, exec);
        run(
            "or.b32", [](u32 a, u32 b) { return a | b; }, exec);
        run(
            "xor.b32", [](u32 a, u32 b) { return a ^ b; }, exec);
    }
}

TEST_CASE("redux over the whole warp") {
    for (const InstructionSet isa : instructionSets()) {
        OperationRig rig("redux.sync.add.s32", {4, 4, 4}, isa), least("redux.sync.min.s32", {4, 4, 4}, isa);
        REQUIRE((rig.prepare() && least.prepare()));
        for (unsigned i = 0; i < kLanes; ++i)
            rig.lanes<s32>(1)[i] = least.lanes<s32>(1)[i] = s32(i * i) - 100;
        fill(rig.lanes<u32>(2), kAllLanes);
        fill(least.lanes<u32>(2), kAllLanes);
        rig.run();
        least.run();
        for (unsigned i = 0; i < kLanes; ++i) {
            CHECK(rig.lanes<s32>(0)[i] == 31 * 32 * 63 / 6 - 3200); // sum of squares
            CHECK(least.lanes<s32>(0)[i] == -100);
        }
    }
}

TEST_CASE("activemask and elect") {
    for (const InstructionSet isa : instructionSets()) {
        OperationRig active("activemask.b32", {4}, isa), elect("elect.sync", {4, 4}, isa);
        elect.second(kPredicate);
        REQUIRE((active.prepare() && elect.prepare()));
        fill(elect.lanes<u32>(1), 0xFFFFFF00);
        active.run(0x00FFF000);
        elect.run(0x00FFF000);
        CHECK(active.lanes<u32>(0)[12] == 0x00FFF000);
        CHECK(active.lanes<u32>(0)[0] == 0);
        CHECK(elect.lanes<u32>(0)[20] == 12);
        CHECK(elect.secondPredicate() == 0x1000);
    }
}
