// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/lanes/half_table.h"
#include "tests/instrument/emulator/lanes/operation_rig.h"

#include <algorithm>

using namespace dormer::emulator::instructions;

using namespace dormer::emulator::test;

namespace {

/// Halves around everything that matters, and random ones.
std::vector<u16> halves(const FormatTable& table) {
    std::vector<u16> values = {0x0000, 0x8000, 0x0001, 0x8001, 0x7FFF, 0xFFFF, 0x7E12, 0xFE00};
    for (const double v : {1.0, 1.5, 2.0, 3.0, 0.5, 1.0 / 3, 1e-3, 100.0, 60000.0, 6e-5, 6.2e-5, 1e300}) {
        const u16 bits = u16(table.round(v));
        for (const int step : {-1, 0, 1})
            for (const u16 sign : {u16(0), u16(0x8000)})
                values.push_back(u16((bits + step) | sign));
    }
    std::mt19937 random(17);
    for (int i = 0; i < 60; ++i)
        values.push_back(u16(random()));
    return values;
}

template <std::size_t N>
std::vector<std::array<u16, N>> halfCases(const FormatTable& table) {
    const auto values = halves(table);
    std::mt19937 random(23);
    std::vector<std::array<u16, N>> cases(6400);
    for (auto& one : cases)
        for (u16& v : one)
            v = values[random() % values.size()];
    return cases;
}

/// One instruction on single halves and on pairs, whose two parts are two cases.
template <std::size_t N, typename F>
void checkHalf(const std::string& name, const std::string& type, const FormatTable& table, F reference) {
    const auto cases = halfCases<N>(table);
    std::vector<std::tuple<u16>> ones;
    const auto call = [&](const std::array<u16, N>& v) {
        return std::apply([&](auto... x) { return u16(reference(x...)); }, v);
    };
    for (const InstructionSet isa : instructionSets())
        for (const bool pair : {false, true}) {
            const std::string mnemonic = name + "." + type + (pair ? "x2" : "");
            INFO(mnemonic);
            const int width = pair ? 4 : 2;
            const unsigned perRun = pair ? 64 : 32;
            OperationRig rig(mnemonic, std::vector<int>(N + 1, width), isa);
            REQUIRE(rig.prepare());
            for (std::size_t start = 0; start + perRun <= cases.size(); start += perRun) {
                for (unsigned i = 0; i < perRun; ++i) {
                    rig.lanes<u16>(0)[i] = 0xABCD;
                    for (unsigned operand = 0; operand < N; ++operand)
                        rig.lanes<u16>(operand + 1)[i] = cases[start + i][operand];
                }
                const u32 exec = start % (2 * perRun) == 0 ? kAllLanes : 0x5F00F0F3;
                rig.run(exec);
                for (unsigned i = 0; i < perRun; ++i) {
                    const bool on = (exec >> (pair ? i / 2 : i) & 1) != 0;
                    const u16 wanted = on ? call(cases[start + i]) : u16(0xABCD), got = rig.lanes<u16>(0)[i];
                    if (got == wanted) continue;
                    std::string operands;
                    for (const u16 v : cases[start + i])
                        operands += std::to_string(v) + " ";
                    FAIL("halves " << operands << "gave " << got << ", not " << wanted);
                }
            }
        }
}

struct Format {
    std::string type;
    const FormatTable* table;
    u16 one;
};

/// bf16 values whose exponents are so far apart that 113 bits don't hold their sum: the smaller counts as a
/// direction.
__float128 fmaExact(const FormatTable& t, u16 a, u16 b, u16 c) {
    const __float128 product = __float128(t.valueOf(a)) * t.valueOf(b), addend = t.valueOf(c);
    const __float128 sum = product + addend;
    const __float128 large = product * product > addend * addend ? product : addend;
    const __float128 small = large == product ? addend : product;
    // A sum that lost the smaller operand altogether moves one step of 113 bits towards it.
    if (small != 0 && sum == large && large != 0) {
        const __float128 step = (large < 0 ? -large : large) * 0x1p-111;
        return small > 0 ? sum + step : sum - step;
    }
    return sum;
}

bool isNan(const FormatTable& t, u16 v) {
    return std::isnan(t.valueOf(v));
}

} // namespace

TEST_CASE("Sums, products and fma of 16-bit floats round once") {
    for (const Format& f : {Format{"f16", &binary16(), 0x3C00}, Format{"bf16", &bfloat16(), 0x3F80}}) {
        const FormatTable& t = *f.table;
        const auto value = [&t](u16 v) { return t.valueOf(v); };
        const auto round = [&t](__float128 v) { return u16(t.round(v)); };
        checkHalf<2>("add", f.type, t, [=](u16 a, u16 b) { return round(value(a) + value(b)); });
        checkHalf<2>("sub.rn", f.type, t, [=](u16 a, u16 b) { return round(value(a) - value(b)); });
        checkHalf<2>("mul", f.type, t, [=](u16 a, u16 b) { return round(__float128(value(a)) * value(b)); });
        const auto fma = [&t, round, value](u16 a, u16 b, u16 c) {
            const double special = std::fma(value(a), value(b), value(c)); // infinities, NaN, signs of zero
            if (!std::isfinite(special) || special == 0) {
                if (std::isfinite(special) && fmaExact(t, a, b, c) != 0) return round(fmaExact(t, a, b, c));
                return round(special);
            }
            return round(fmaExact(t, a, b, c));
        };
        checkHalf<3>("fma.rn", f.type, t, fma);
        checkHalf<3>("fma.rn.relu", f.type, t, [=](u16 a, u16 b, u16 c) {
            const u16 v = fma(a, b, c);
            return (v & 0x8000) != 0 ? u16(0) : v;
        });
        checkHalf<3>("fma.rn.oob", f.type, t,
                     [=](u16 a, u16 b, u16 c) { return a == 0xFFFF || b == 0xFFFF ? u16(0) : fma(a, b, c); });
    }
    const FormatTable& t = binary16();
    const auto flush = [](u16 v) { return (v & 0x7C00) == 0 ? u16(v & 0x8000) : v; };
    checkHalf<2>("add.sat", "f16", t, [&](u16 a, u16 b) {
        const double v = t.valueOf(a) + t.valueOf(b);
        return t.round(std::isnan(v) || v <= 0 ? 0.0 : std::min(v, 1.0));
    });
    checkHalf<2>("mul.ftz", "f16", t, [&](u16 a, u16 b) {
        return flush(u16(t.round(__float128(t.valueOf(flush(a))) * t.valueOf(flush(b)))));
    });
}

TEST_CASE("A tie that a far smaller addend breaks") {
    // 1 + 2^-8 lies between two bf16 numbers; 2^-60 more or less decides. Rounding twice would miss it.
    const auto bf = [](double v) { return u16(bfloat16().round(v)); };
    for (const InstructionSet isa : instructionSets()) {
        OperationRig rig("fma.rn.bf16", {2, 2, 2, 2}, isa);
        REQUIRE(rig.prepare());
        for (unsigned i = 0; i < kLanes; ++i) {
            // (1 + 2^-4)^2 is 1 + 2^-3 + 2^-8.
            rig.lanes<u16>(1)[i] = rig.lanes<u16>(2)[i] = bf(1.0625);
            rig.lanes<u16>(3)[i] = bf(i == 0   ? 0x1p-60
                                      : i == 1 ? -0x1p-60
                                      : i == 2 ? 0x1p-130
                                      : i == 3 ? -0x1p-130
                                               : 0.0);
        }
        rig.run();
        CHECK(rig.lanes<u16>(0)[0] == bf(1.1328125));
        CHECK(rig.lanes<u16>(0)[1] == bf(1.125));
        CHECK(rig.lanes<u16>(0)[2] == bf(1.1328125));
        CHECK(rig.lanes<u16>(0)[3] == bf(1.125));
        CHECK(rig.lanes<u16>(0)[4] == bf(1.125)); // to even
    }
}

TEST_CASE("Signs, minima and maxima of 16-bit floats") {
    for (const Format& f : {Format{"f16", &binary16(), 0x3C00}, Format{"bf16", &bfloat16(), 0x3F80}}) {
        const FormatTable& t = *f.table;
        checkHalf<1>("abs", f.type, t, [](u16 a) { return u16(a & 0x7FFF); });
        checkHalf<1>("neg", f.type, t, [](u16 a) { return u16(a ^ 0x8000); });
        for (const bool max : {false, true})
            for (const bool nanWins : {false, true}) {
                const auto extremum = [&t, max, nanWins](u16 a, u16 b) {
                    if (isNan(t, a) && isNan(t, b)) return u16(0x7FFF);
                    if (isNan(t, a)) return nanWins ? u16(0x7FFF) : b;
                    if (isNan(t, b)) return nanWins ? u16(0x7FFF) : a;
                    const double x = t.valueOf(a), y = t.valueOf(b);
                    const bool less = x < y || (x == y && std::signbit(x));
                    return less != max ? a : b;
                };
                const std::string name = std::string(max ? "max" : "min") + (nanWins ? ".NaN" : "");
                checkHalf<2>(name, f.type, t, extremum);
                checkHalf<2>(name + ".xorsign.abs", f.type, t, [=](u16 a, u16 b) {
                    const u16 m = extremum(a & 0x7FFF, b & 0x7FFF);
                    return m == 0x7FFF ? m : u16(m | ((a ^ b) & 0x8000));
                });
            }
    }
}

TEST_CASE("ex2 and tanh of 16-bit floats") {
    for (const InstructionSet isa : instructionSets())
        for (const bool brain : {false, true})
            for (const bool hyperbolic : {false, true}) {
                const FormatTable& t = brain ? bfloat16() : binary16();
                const std::string name = std::string(hyperbolic ? "tanh.approx."
                                                     : brain    ? "ex2.approx.ftz."
                                                                : "ex2.approx.") +
                                         (brain ? "bf16" : "f16");
                INFO(name);
                OperationRig rig(name, {2, 2}, isa);
                REQUIRE(rig.prepare());
                // Every pattern; PTX allows 2^-9.9 (f16 ex2), 2^-10.987 (f16 tanh), 2^-7 and 2^-8 (bf16).
                for (u32 first = 0; first < 65536; first += kLanes) {
                    for (unsigned i = 0; i < kLanes; ++i)
                        rig.lanes<u16>(1)[i] = u16(first + i);
                    rig.run();
                    for (unsigned i = 0; i < kLanes; ++i) {
                        const double x = t.valueOf(first + i), got = t.valueOf(rig.lanes<u16>(0)[i]);
                        const double wanted = hyperbolic ? std::tanh(x) : std::exp2(x);
                        const double rounded = t.valueOf(t.round(wanted));
                        if (std::isnan(x)) {
                            REQUIRE(rig.lanes<u16>(0)[i] == 0x7FFF);
                        } else if (std::isinf(rounded)) {
                            REQUIRE(got == rounded);
                        } else {
                            REQUIRE(std::fabs(got - wanted) <=
                                    std::fabs(wanted) * (brain ? 0x1p-7 : 0x1p-10) +
                                        (brain ? 0x1p-126 : 0x1p-24));
                        }
                    }
                }
            }
}

TEST_CASE("Comparisons of 16-bit floats and of pairs") {
    const FormatTable& t = binary16();
    const auto cases = halfCases<2>(t);
    for (const InstructionSet isa : instructionSets()) {
        OperationRig one("setp.ltu.f16", {kPredicate, 2, 2}, isa),
            pair("setp.ge.f16x2", {kPredicate, 4, 4}, isa), number("set.gt.f16.f16", {2, 2, 2}, isa);
        pair.second(kPredicate);
        REQUIRE((one.prepare() && pair.prepare() && number.prepare()));
        for (std::size_t start = 0; start + 64 <= cases.size(); start += 64) {
            u32 less = 0, low = 0, high = 0;
            for (unsigned i = 0; i < 64; ++i) {
                const auto [a, b] = cases[start + i];
                const double x = t.valueOf(a), y = t.valueOf(b);
                pair.lanes<u16>(1)[i] = a;
                pair.lanes<u16>(2)[i] = b;
                (i % 2 == 0 ? low : high) |= u32(x >= y) << i / 2;
                if (i >= kLanes) continue;
                one.lanes<u16>(1)[i] = number.lanes<u16>(1)[i] = a;
                one.lanes<u16>(2)[i] = number.lanes<u16>(2)[i] = b;
                less |= u32(!(x >= y)) << i;
            }
            one.run();
            pair.run();
            number.run();
            REQUIRE(one.predicate(0) == less);
            REQUIRE(pair.predicate(0) == low);
            REQUIRE(pair.secondPredicate() == high);
            for (unsigned i = 0; i < kLanes; ++i) {
                const auto [a, b] = cases[start + i];
                REQUIRE(number.lanes<u16>(0)[i] == (t.valueOf(a) > t.valueOf(b) ? 0x3C00 : 0));
            }
        }
    }
}

TEST_CASE("set on pairs gives each half its answer") {
    const auto test = [](const std::string& mnemonic, const FormatTable& t, u32 yes, auto holds) {
        check<u32, u32, u32>(mnemonic, [&t, yes, holds](u32 a, u32 b) {
            const auto one = [&](unsigned shift) {
                const double x = t.valueOf(a >> shift & 0xFFFF), y = t.valueOf(b >> shift & 0xFFFF);
                return holds(x, y) ? yes << shift : 0;
            };
            return one(0) | one(16);
        });
    };
    test("set.gt.f16x2.f16x2", binary16(), 0x3C00, [](double x, double y) { return x > y; });
    test("set.ltu.u32.f16x2", binary16(), 0xFFFF, [](double x, double y) { return !(x >= y); });
    test("set.eq.bf16x2.bf16x2", bfloat16(), 0x3F80, [](double x, double y) { return x == y; });
}

TEST_CASE("Single precision with 16-bit operands") {
    const auto value = [](u16 v) { return float(binary16().valueOf(v)); };
    const auto canonical = [](float v) { return std::isnan(v) ? std::bit_cast<float>(0x7FFFFFFFu) : v; };
    check<float, u16, float>("add.f32.f16", [=](u16 a, float c) { return canonical(value(a) + c); });
    check<float, u16, u16, float>(
        "fma.rn.f32.f16", [=](u16 a, u16 b, float c) { return canonical(std::fmaf(value(a), value(b), c)); });
}
