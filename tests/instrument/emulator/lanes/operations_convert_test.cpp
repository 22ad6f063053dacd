// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/lanes/half_table.h"
#include "tests/instrument/emulator/lanes/operation_rig.h"

#include <algorithm>
#include <cfenv>
#include <limits>

using namespace dormer::emulator::instructions;

using namespace dormer::emulator::test;

namespace {

using i128 = __int128;

template <typename T>
std::string nameOf() {
    const std::string sign = std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "s" : "u";
    return sign + std::to_string(sizeof(T) * 8);
}

/// D and S are the types, StoredD and StoredS those of registers, which may be wider.
template <typename D, typename StoredD, typename S, typename StoredS>
void checkIntegers() {
    check<StoredD, StoredS>("cvt." + nameOf<D>() + "." + nameOf<S>(),
                            [](StoredS a) { return StoredD(D(S(a))); });
    check<StoredD, StoredS>("cvt.sat." + nameOf<D>() + "." + nameOf<S>(), [](StoredS a) {
        using Limits = std::numeric_limits<D>;
        return StoredD(D(std::clamp<i128>(S(a), Limits::min(), Limits::max())));
    });
}
template <typename D, typename StoredD>
void checkFromAll() {
    checkIntegers<D, StoredD, u8, u16>();
    checkIntegers<D, StoredD, s8, s16>();
    checkIntegers<D, StoredD, u8, u32>();
    checkIntegers<D, StoredD, s8, u32>();
    checkIntegers<D, StoredD, s8, u64>();
    checkIntegers<D, StoredD, u16, u16>();
    checkIntegers<D, StoredD, s16, s16>();
    checkIntegers<D, StoredD, u16, u32>();
    checkIntegers<D, StoredD, s16, s32>();
    checkIntegers<D, StoredD, u32, u32>();
    checkIntegers<D, StoredD, s32, s32>();
    checkIntegers<D, StoredD, s32, u64>();
    checkIntegers<D, StoredD, u64, u64>();
    checkIntegers<D, StoredD, s64, s64>();
}

const std::vector<std::pair<std::string, int>> kModes = {
    {"n", FE_TONEAREST}, {"z", FE_TOWARDZERO}, {"m", FE_DOWNWARD}, {"p", FE_UPWARD}};

double roundedIn(int mode, double v) {
    std::fesetround(mode);
    volatile double x = v;
    volatile double result = std::nearbyint(x);
    std::fesetround(FE_TONEAREST);
    return result;
}

/// The PTX ISA's rule for NaN: 0, unless a 64-bit type takes part.
template <typename I, typename F>
I toInteger(F v, int mode) {
    using Limits = std::numeric_limits<I>;
    if (std::isnan(v)) return sizeof(F) == 8 || sizeof(I) == 8 ? I(u64(1) << (sizeof(I) * 8 - 1)) : I(0);
    const double r = roundedIn(mode, double(v));
    if (r >= 0x1p120) return Limits::max();
    if (r <= -0x1p120) return Limits::min();
    return I(std::clamp<i128>(i128(r), Limits::min(), Limits::max()));
}
template <typename I, typename Stored, typename F>
void checkToInteger() {
    for (const auto& [letter, mode] : kModes) {
        const int hostMode = mode;
        check<Stored, F>("cvt.r" + letter + "i." + nameOf<I>() + "." + nameOf<F>(),
                         [=](F v) { return Stored(toInteger<I>(v, hostMode)); });
    }
}

template <typename F, typename I, typename Stored>
void checkFromInteger() {
    for (const auto& [letter, mode] : kModes) {
        const int hostMode = mode;
        check<F, Stored>("cvt.r" + letter + "." + nameOf<F>() + "." + nameOf<I>(), [=](Stored v) {
            // Search for the two neighbours, exactly: long double holds every 64-bit integer.
            const long double exact = static_cast<long double>(I(v));
            F nearest = static_cast<F>(exact);
            if (hostMode == FE_TONEAREST) return nearest;
            const F infinity = std::numeric_limits<F>::infinity();
            const bool wantsLess = hostMode == FE_DOWNWARD || (hostMode == FE_TOWARDZERO && exact > 0);
            if (wantsLess && nearest > exact) return std::nextafter(nearest, -infinity);
            if (!wantsLess && nearest < exact) return std::nextafter(nearest, infinity);
            return nearest;
        });
    }
}

Round roundOf(const std::string& letter) {
    return letter == "n"   ? Round::Nearest
           : letter == "z" ? Round::Zero
           : letter == "m" ? Round::Down
                           : Round::Up;
}

float flushed(float v) {
    return std::fabs(v) < 0x1p-126f ? std::copysign(0.0f, v) : v;
}
float canonical(float v) {
    return std::isnan(v) ? std::bit_cast<float>(0x7FFFFFFFu) : v;
}

/// Each value of a format, the middle to the next one, and a little on both sides of it.
std::vector<std::tuple<float>> aroundAll(const FormatTable& t) {
    std::vector<std::tuple<float>> cases;
    const u32 stride = t.patterns() > 1000 ? 7 : 1;
    for (u32 bits = 0; bits + 1 < t.patterns(); bits += stride) {
        const double a = t.valueOf(bits), b = t.valueOf(bits + 1);
        if (std::isnan(a)) continue;
        cases.emplace_back(float(a));
        const float middle = float((a + b) / 2);
        if (!std::isfinite(middle)) continue;
        cases.emplace_back(middle);
        cases.emplace_back(std::nextafter(middle, INFINITY));
        cases.emplace_back(std::nextafter(middle, -INFINITY));
    }
    for (const float v : interesting<float>())
        cases.emplace_back(v);
    return cases;
}

/// cvt with two sources, of which the first becomes the upper part.
template <typename D>
void checkPacked(const std::string& mnemonic, const FormatTable& t, Round mode, bool finite, bool relu) {
    std::vector<std::tuple<float, float>> cases;
    const auto values = aroundAll(t);
    for (std::size_t i = 0; i < values.size(); ++i)
        cases.emplace_back(std::get<0>(values[i]), std::get<0>(values[(i * 7 + 3) % values.size()]));
    checkCases<D, float, float>(
        mnemonic,
        [&](float a, float b) {
            const auto one = [&](float v) {
                return t.round(relu && v <= 0 ? 0 : __float128(v), mode, finite);
            };
            return D(one(a) << sizeof(D) * 4 | one(b));
        },
        cases);
}

const FormatTable& e4m3() {
    static const FormatTable table(4, 3, false, 0x7F);
    return table;
}
const FormatTable& e5m2() {
    static const FormatTable table(5, 2, true, 0x7F);
    return table;
}

} // namespace

TEST_CASE("cvt among integers, also in wider registers and saturating") {
    checkFromAll<u8, u16>();
    checkFromAll<s8, s16>();
    checkFromAll<u8, u32>();
    checkFromAll<s8, s32>();
    checkFromAll<u16, u16>();
    checkFromAll<s16, s16>();
    checkFromAll<s16, s32>();
    checkFromAll<s16, s64>();
    checkFromAll<u32, u32>();
    checkFromAll<s32, s32>();
    checkFromAll<u64, u64>();
    checkFromAll<s64, s64>();
}

TEST_CASE("cvt from floats to integers saturates") {
    checkToInteger<u8, u16, float>();
    checkToInteger<s8, s16, float>();
    checkToInteger<s8, s32, double>();
    checkToInteger<u16, u16, float>();
    checkToInteger<s16, s16, double>();
    checkToInteger<u32, u32, float>();
    checkToInteger<s32, s32, float>();
    checkToInteger<u64, u64, float>();
    checkToInteger<s64, s64, float>();
    checkToInteger<u32, u32, double>();
    checkToInteger<s32, s32, double>();
    checkToInteger<u64, u64, double>();
    checkToInteger<s64, s64, double>();
    check<s32, float>("cvt.rpi.ftz.s32.f32", [](float v) { return toInteger<s32>(flushed(v), FE_UPWARD); });
    CHECK(refused("cvt.s32.f32", {4, 4}));
}

TEST_CASE("cvt from integers to floats in four rounding modes") {
    checkFromInteger<float, u8, u16>();
    checkFromInteger<float, s8, s16>();
    checkFromInteger<float, u16, u16>();
    checkFromInteger<float, s16, s32>();
    checkFromInteger<float, u32, u32>();
    checkFromInteger<float, s32, s32>();
    checkFromInteger<float, u64, u64>();
    checkFromInteger<float, s64, s64>();
    checkFromInteger<double, u32, u32>();
    checkFromInteger<double, s32, s32>();
    checkFromInteger<double, u64, u64>();
    checkFromInteger<double, s64, s64>();
}

TEST_CASE("cvt between single and double precision") {
    const auto sameNan = [](double v) { return std::isnan(v) ? std::nan("") : v; };
    for (const auto& [letter, mode] : kModes) {
        const int hostMode = mode;
        check<float, double>("cvt.r" + letter + ".f32.f64", [=](double v) {
            std::fesetround(hostMode);
            volatile double x = v;
            volatile float r = float(x);
            std::fesetround(FE_TONEAREST);
            return canonical(r);
        });
        check<float, float>("cvt.r" + letter + "i.f32.f32",
                            [=](float v) { return canonical(float(roundedIn(hostMode, double(v)))); });
    }
    std::vector<std::tuple<float>> numbers;
    for (const float v : interesting<float>())
        if (!std::isnan(v)) numbers.emplace_back(v);
    checkCases<double, float>(
        "cvt.f64.f32", [=](float v) { return sameNan(double(v)); }, numbers);
    checkCases<double, float>(
        "cvt.ftz.f64.f32", [](float v) { return double(flushed(v)); }, numbers);
    check<float, float>("cvt.sat.f32.f32", [](float v) { return v > 0 ? std::min(v, 1.0f) : 0.0f; });
    check<float, float>("cvt.ftz.f32.f32", [](float v) { return canonical(flushed(v)); });
    CHECK(refused("cvt.f32.f64", {4, 8}));
}

TEST_CASE("All 65536 halves to single and double precision") {
    for (const InstructionSet isa : instructionSets())
        for (const bool brain : {false, true}) {
            const FormatTable& t = brain ? bfloat16() : binary16();
            const std::string type = brain ? "bf16" : "f16";
            OperationRig single("cvt.f32." + type, {4, 2}, isa), twice("cvt.f64." + type, {8, 2}, isa);
            REQUIRE((single.prepare() && twice.prepare()));
            for (u32 first = 0; first < 65536; first += kLanes) {
                for (unsigned i = 0; i < kLanes; ++i)
                    single.lanes<u16>(1)[i] = twice.lanes<u16>(1)[i] = u16(first + i);
                single.run();
                twice.run();
                for (unsigned i = 0; i < kLanes; ++i) {
                    const double wanted = t.valueOf(first + i);
                    REQUIRE(sameBits(single.lanes<float>(0)[i], canonical(float(wanted))));
                    REQUIRE((std::isnan(wanted) ? std::isnan(twice.lanes<double>(0)[i])
                                                : sameBits(twice.lanes<double>(0)[i], wanted)));
                }
            }
        }
}

TEST_CASE("cvt to 16-bit floats and tf32, by neighbours") {
    for (const bool brain : {false, true}) {
        const FormatTable& t = brain ? bfloat16() : binary16();
        const std::string type = brain ? "bf16" : "f16";
        const auto cases = aroundAll(t);
        for (const auto& [letter, hostMode] : kModes) {
            const Round mode = roundOf(letter);
            checkCases<u16, float>(
                "cvt.r" + letter + "." + type + ".f32", [&](float v) { return u16(t.round(v, mode)); },
                cases);
            check<u16, double>("cvt.r" + letter + "." + type + ".f64",
                               [&](double v) { return u16(t.round(v, mode)); });
            check<u16, s64>("cvt.r" + letter + "." + type + ".s64",
                            [&](s64 v) { return u16(t.round(v, mode)); });
            check<u16, u64>("cvt.r" + letter + "." + type + ".u64",
                            [&](u64 v) { return u16(t.round(v, mode)); });
            check<u16, s32>("cvt.r" + letter + "." + type + ".s32",
                            [&](s32 v) { return u16(t.round(v, mode)); });
            check<s32, u16>("cvt.r" + letter + "i.s32." + type,
                            [&, m = hostMode](u16 v) { return toInteger<s32>(float(t.valueOf(v)), m); });
            check<u16, u16>("cvt.r" + letter + "i." + type + "." + type, [&, m = hostMode](u16 v) {
                const double r = roundedIn(m, t.valueOf(v));
                return u16(t.round(r));
            });
        }
        checkCases<u16, float>(
            "cvt.rn.relu." + type + ".f32", [&](float v) { return u16(t.round(v <= 0 ? 0.0f : v)); }, cases);
        checkCases<u16, float>(
            "cvt.rn.satfinite." + type + ".f32",
            [&](float v) { return u16(t.round(v, Round::Nearest, true)); }, cases);
        checkPacked<u32>("cvt.rn." + type + "x2.f32", t, Round::Nearest, false, false);
        checkPacked<u32>("cvt.rz." + type + "x2.f32", t, Round::Zero, false, false);
        checkPacked<u32>("cvt.rn.relu." + type + "x2.f32", t, Round::Nearest, false, true);
    }
    const FormatTable tf32(8, 10, true, 0x3FFFF);
    const auto to32 = [&](float v, Round mode) {
        return std::isnan(v) ? 0x7FFFFFFFu : tf32.round(v, mode) << 13;
    };
    const auto cases = aroundAll(tf32);
    checkCases<u32, float>(
        "cvt.rna.tf32.f32", [&](float v) { return to32(v, Round::Away); }, cases);
    checkCases<u32, float>(
        "cvt.rn.tf32.f32", [&](float v) { return to32(v, Round::Nearest); }, cases);
    checkCases<u32, float>(
        "cvt.rz.tf32.f32", [&](float v) { return to32(v, Round::Zero); }, cases);
}

TEST_CASE("cvt to and from 8-bit floats") {
    checkPacked<u16>("cvt.rn.satfinite.e4m3x2.f32", e4m3(), Round::Nearest, true, false);
    checkPacked<u16>("cvt.rn.satfinite.e5m2x2.f32", e5m2(), Round::Nearest, true, false);
    checkPacked<u16>("cvt.rn.satfinite.relu.e4m3x2.f32", e4m3(), Round::Nearest, true, true);
    for (const auto& [type, table] :
         {std::pair{std::string("e4m3x2"), &e4m3()}, {std::string("e5m2x2"), &e5m2()}}) {
        const FormatTable& t = *table;
        std::vector<std::tuple<u16>> pairs;
        for (u32 i = 0; i < 65536; i += 3)
            pairs.emplace_back(u16(i));
        checkCases<u32, u16>(
            "cvt.rn.f16x2." + type,
            [&](u16 v) {
                const auto one = [&](u32 bits) { return binary16().round(t.valueOf(bits)); };
                return one(v >> 8) << 16 | one(v & 0xFF);
            },
            pairs);
        check<u16, u32>("cvt.rn.satfinite." + type + ".f16x2", [&](u32 v) {
            const auto one = [&](u32 bits) {
                return t.round(binary16().valueOf(bits), Round::Nearest, true);
            };
            return u16(one(v >> 16) << 8 | one(v & 0xFFFF));
        });
    }
}

TEST_CASE("cvt.pack") {
    check<u32, s32, s32>("cvt.pack.sat.s16.s32", [](s32 a, s32 b) {
        const auto one = [](s32 v) { return u32(u16(std::clamp(v, -32768, 32767))); };
        return one(a) << 16 | one(b);
    });
    check<u32, s32, s32, u32>("cvt.pack.sat.u8.s32.b32", [](s32 a, s32 b, u32 c) {
        const auto one = [](s32 v) { return u32(std::clamp(v, 0, 255)); };
        return c << 16 | one(a) << 8 | one(b);
    });
    check<u32, s32, s32, u32>("cvt.pack.sat.s8.s32.b32", [](s32 a, s32 b, u32 c) {
        const auto one = [](s32 v) { return u32(u8(std::clamp(v, -128, 127))); };
        return c << 16 | one(a) << 8 | one(b);
    });
}
