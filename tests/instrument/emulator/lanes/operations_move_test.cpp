// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/lanes/operation_rig.h"

using namespace dormer::emulator::instructions;

using namespace dormer::emulator::test;

namespace {

/// mov {parts}, whole and mov whole, {parts}: `Stored` is the array of a part.
template <typename Whole, typename Stored, unsigned N>
void checkVector(const std::string& type) {
    constexpr unsigned kPartBits = sizeof(Whole) * 8 / N;
    const Whole mask = kPartBits >= 64 ? ~Whole(0) : Whole((u64(1) << kPartBits) - 1);
    for (const InstructionSet isa : instructionSets())
        for (const u32 exec : {kAllLanes, 0x13579BDFu}) {
            INFO(type << " of " << N);
            OperationRig pack("mov." + type, {int(sizeof(Whole)), 0}, isa),
                unpack("mov." + type, {0, int(sizeof(Whole))}, isa);
            pack.vector(1, N, int(sizeof(Stored)));
            unpack.vector(0, N, int(sizeof(Stored)));
            REQUIRE((pack.prepare() && unpack.prepare()));
            std::mt19937_64 random(31);
            for (unsigned i = 0; i < kLanes; ++i) {
                for (unsigned part = 0; part < N; ++part) {
                    pack.part<Stored>(part)[i] = Stored(random());
                    unpack.part<Stored>(part)[i] = Stored(77);
                }
                unpack.lanes<Whole>(1)[i] = Whole(random());
            }
            pack.run(exec);
            unpack.run(exec);
            for (unsigned i = 0; i < kLanes; ++i) {
                const bool on = (exec >> i & 1) != 0;
                Whole wanted = 0;
                for (unsigned part = 0; part < N; ++part) {
                    wanted |= Whole((Whole(pack.part<Stored>(part)[i]) & mask) << part * kPartBits);
                    const Whole piece = Whole(unpack.lanes<Whole>(1)[i] >> part * kPartBits) & mask;
                    CHECK(unpack.part<Stored>(part)[i] == (on ? Stored(piece) : Stored(77)));
                }
                CHECK(pack.lanes<Whole>(0)[i] == (on ? wanted : 0));
            }
        }
}

} // namespace

TEST_CASE("mov copies every width") {
    check<u16, u16>("mov.b16", [](u16 a) { return a; });
    check<u32, u32>("mov.u32", [](u32 a) { return a; });
    check<u64, u64>("mov.b64", [](u64 a) { return a; });
    check<float, float>("mov.f32", [](float a) { return a; });
    check<double, double>("mov.f64", [](double a) { return a; });
    CHECK(refused("mov.b32", {4, 8}));
}

TEST_CASE("mov packs and unpacks vectors") {
    checkVector<u16, u16, 2>("b16");
    checkVector<u32, u16, 2>("b32");
    checkVector<u32, u16, 4>("b32");
    checkVector<u64, u32, 2>("b64");
    checkVector<u64, u16, 4>("b64");
}

TEST_CASE("mov of 128 bits") {
    for (const InstructionSet isa : instructionSets()) {
        OperationRig copy("mov.b128", {16, 16}, isa), pack("mov.b128", {16, 0}, isa),
            unpack("mov.b128", {0, 16}, isa);
        pack.vector(1, 2, 8);
        unpack.vector(0, 2, 8);
        REQUIRE((copy.prepare() && pack.prepare() && unpack.prepare()));
        for (unsigned i = 0; i < 2 * kLanes; ++i) {
            copy.lanes<u64>(1)[i] = unpack.lanes<u64>(1)[i] = i + 1000;
            pack.part<u64>(i / kLanes)[i % kLanes] = i + 2000;
        }
        for (OperationRig* rig : {&copy, &pack, &unpack})
            rig->run(0x7FFFFFFF);
        for (unsigned i = 0; i < 2 * kLanes; ++i) {
            const bool on = i % kLanes != 31;
            CHECK(copy.lanes<u64>(0)[i] == (on ? i + 1000 : 0));
            CHECK(pack.lanes<u64>(0)[i] == (on ? i + 2000 : 0));
            CHECK(unpack.part<u64>(i / kLanes)[i % kLanes] == (on ? i + 1000 : 0));
        }
    }
}

TEST_CASE("mov of predicates and of immediates to them") {
    for (const InstructionSet isa : instructionSets()) {
        OperationRig copy("mov.pred", {kPredicate, kPredicate}, isa),
            set("mov.pred", {kPredicate, kPredicate}, isa);
        set.immediate(1, u64(-1));
        REQUIRE((copy.prepare() && set.prepare()));
        copy.predicate(0) = 0xFFFF0000;
        copy.predicate(1) = 0x12345678;
        copy.run(0x00FF00FF);
        CHECK(copy.predicate(0) == 0xFF340078);
        set.run(0x0FF0);
        CHECK(set.predicate(0) == 0x0FF0);
    }
}
