// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/lanes/operation_rig.h"

#include <cfenv>

using namespace dormer::emulator::instructions;

using namespace dormer::emulator::test;

namespace {

/// PTX's name of a rounding mode and the host's.
const std::vector<std::pair<std::string, int>> kModes = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

/// In a rounding mode; the volatile copies keep the compiler from computing ahead.
template <typename F, typename... T>
auto inMode(int mode, F f, T... values) {
    std::fesetround(mode);
    const auto result = [&](volatile T... v) {
        volatile auto r = f(T(v)...);
        return r;
    }(values...);
    std::fesetround(FE_TONEAREST);
    return std::remove_volatile_t<decltype(result)>(result);
}

float flushed(float v) {
    return std::fabs(v) < 0x1p-126f ? std::copysign(0.0f, v) : v;
}
/// Single-precision NaN results have one pattern.
float canonical(float v) {
    return std::isnan(v) ? std::bit_cast<float>(0x7FFFFFFFu) : v;
}
float saturated(float v) {
    return std::isnan(v) || v <= 0 ? 0.0f : std::min(v, 1.0f);
}

[[gnu::noinline]] float add(float a, float b) {
    return a + b;
}
[[gnu::noinline]] float subtract(float a, float b) {
    return a - b;
}
[[gnu::noinline]] float multiply(float a, float b) {
    return a * b;
}
[[gnu::noinline]] float divide(float a, float b) {
    return a / b;
}

/// NaNs of doubles: only that it is one is defined.
double oneNan(double v) {
    return std::isnan(v) ? std::bit_cast<double>(0x7FF8000000000000ull) : v;
}

template <typename... S, typename F>
void checkDouble(const std::string& mnemonic, F reference) {
    for (const InstructionSet isa : instructionSets()) {
        OperationRig rig(mnemonic, {8, int(sizeof(S))...}, isa);
        INFO(mnemonic);
        REQUIRE(rig.prepare());
        const auto cases = combinations<S...>(3000);
        for (std::size_t start = 0; start < cases.size(); start += kLanes) {
            for (unsigned i = 0; i < kLanes; ++i)
                [&]<std::size_t... I>(std::index_sequence<I...>) {
                    ((rig.lanes<S>(I + 1)[i] = std::get<I>(cases[(start + i) % cases.size()])), ...);
                }
            (std::index_sequence_for<S...>{});
            rig.run();
            for (unsigned i = 0; i < kLanes; ++i) {
                const double wanted = std::apply(reference, cases[(start + i) % cases.size()]);
                REQUIRE(sameBits(oneNan(rig.lanes<double>(0)[i]), oneNan(wanted)));
            }
        }
    }
}

} // namespace

TEST_CASE("Single precision in four rounding modes, flushing and saturating") {
    using Binary = float (*)(float, float);
    const std::vector<std::pair<std::string, Binary>> operations = {
        {"add", add}, {"sub", subtract}, {"mul", multiply}};
    for (const auto& [ptxMode, mode] : kModes) {
        for (const auto& [name, f] : operations) {
            const Binary operation = f;
            const int hostMode = mode;
            check<float, float, float>(name + "." + ptxMode + ".f32", [=](float a, float b) {
                return canonical(inMode(hostMode, operation, a, b));
            });
            check<float, float, float>(name + "." + ptxMode + ".ftz.f32", [=](float a, float b) {
                return canonical(flushed(inMode(hostMode, operation, flushed(a), flushed(b))));
            });
            check<float, float, float>(name + "." + ptxMode + ".sat.f32", [=](float a, float b) {
                return saturated(inMode(hostMode, operation, a, b));
            });
            check<float, float, float>(name + "." + ptxMode + ".ftz.sat.f32", [=](float a, float b) {
                return flushed(saturated(inMode(hostMode, operation, flushed(a), flushed(b))));
            });
        }
        const int hostMode = mode;
        const auto fma = [](float a, float b, float c) { return std::fmaf(a, b, c); };
        check<float, float, float, float>("fma." + ptxMode + ".f32", [=](float a, float b, float c) {
            return canonical(inMode(hostMode, fma, a, b, c));
        });
        check<float, float, float, float>("fma." + ptxMode + ".ftz.sat.f32", [=](float a, float b, float c) {
            return flushed(saturated(inMode(hostMode, fma, flushed(a), flushed(b), flushed(c))));
        });
        check<float, float, float>("div." + ptxMode + ".f32", [=](float a, float b) {
            return canonical(inMode(hostMode, divide, a, b));
        });
        check<float, float>("rcp." + ptxMode + ".f32",
                            [=](float a) { return canonical(inMode(hostMode, divide, 1.0f, a)); });
        check<float, float>("sqrt." + ptxMode + ".f32", [=](float a) {
            return canonical(inMode(
                hostMode, [](float v) { return std::sqrt(v); }, a));
        });
    }
    // No rounding modifier means to nearest.
    check<float, float, float>("add.f32", [](float a, float b) { return canonical(a + b); });
    check<float, float, float>("div.full.ftz.f32",
                               [](float a, float b) { return canonical(flushed(flushed(a) / flushed(b))); });
    CHECK(refused("add.rna.f32", {4, 4, 4}));
    CHECK(refused("sqrt.sat.f32", {4, 4}));
}

TEST_CASE("div.approx is 0 for huge divisors") {
    check<float, float, float>("div.approx.f32", [](float a, float b) {
        const float m = std::fabs(b);
        if (m > 0x1p126f && std::isfinite(m)) {
            if (std::isinf(a) || std::isnan(a)) return canonical(NAN);
            return std::signbit(a) ? -0.0f : 0.0f;
        }
        return canonical(a / b);
    });
}

TEST_CASE("Signs, minima and maxima of single precision") {
    check<float, float>("abs.f32",
                        [](float a) { return std::bit_cast<float>(std::bit_cast<u32>(a) & 0x7FFFFFFF); });
    check<float, float>("neg.f32",
                        [](float a) { return std::bit_cast<float>(std::bit_cast<u32>(a) ^ 0x80000000); });
    check<float, float>("abs.ftz.f32", [](float a) {
        return std::bit_cast<float>(std::bit_cast<u32>(flushed(a)) & 0x7FFFFFFF);
    });
    check<float, float, float>("copysign.f32", [](float a, float b) {
        return std::bit_cast<float>((std::bit_cast<u32>(b) & 0x7FFFFFFF) |
                                    (std::bit_cast<u32>(a) & 0x80000000));
    });
    // IEEE 754-2019's minimumNumber and minimum, zeros ordered by sign.
    const auto extremum = [](bool max, bool nanWins) {
        return [=](float a, float b) {
            if (std::isnan(a) && std::isnan(b)) return canonical(a);
            if (std::isnan(a)) return nanWins ? canonical(a) : b;
            if (std::isnan(b)) return nanWins ? canonical(b) : a;
            const bool firstIsLess = a < b || (a == b && std::signbit(a));
            return firstIsLess != max ? a : b;
        };
    };
    for (const bool max : {false, true})
        for (const bool nan : {false, true}) {
            const std::string name = std::string(max ? "max" : "min") + (nan ? ".NaN" : "");
            const auto f = extremum(max, nan);
            check<float, float, float>(name + ".f32", f);
            const std::string flushing = std::string(max ? "max" : "min") + ".ftz" + (nan ? ".NaN" : "");
            check<float, float, float>(flushing + ".f32",
                                       [=](float a, float b) { return f(flushed(a), flushed(b)); });
            check<float, float, float>(name + ".xorsign.abs.f32", [=](float a, float b) {
                const float m = f(std::fabs(a), std::fabs(b));
                return std::isnan(m) ? m
                                     : std::copysign(m, std::signbit(a) != std::signbit(b) ? -1.0f : 1.0f);
            });
            check<float, float, float, float>(name + ".f32",
                                              [=](float a, float b, float c) { return f(f(a, b), c); });
        }
}

TEST_CASE("Double precision in four rounding modes") {
    for (const auto& [ptxMode, mode] : kModes) {
        const int hostMode = mode;
        checkDouble<double, double>("add." + ptxMode + ".f64", [=](double a, double b) {
            return inMode(
                hostMode, [](double x, double y) { return x + y; }, a, b);
        });
        checkDouble<double, double>("sub." + ptxMode + ".f64", [=](double a, double b) {
            return inMode(
                hostMode, [](double x, double y) { return x - y; }, a, b);
        });
        checkDouble<double, double>("mul." + ptxMode + ".f64", [=](double a, double b) {
            return inMode(
                hostMode, [](double x, double y) { return x * y; }, a, b);
        });
        checkDouble<double, double>("div." + ptxMode + ".f64", [=](double a, double b) {
            return inMode(
                hostMode, [](double x, double y) { return x / y; }, a, b);
        });
        checkDouble<double, double, double>("fma." + ptxMode + ".f64", [=](double a, double b, double c) {
            return inMode(
                hostMode, [](double x, double y, double z) { return std::fma(x, y, z); }, a, b, c);
        });
        checkDouble<double>("sqrt." + ptxMode + ".f64", [=](double a) {
            return inMode(
                hostMode, [](double x) { return std::sqrt(x); }, a);
        });
        checkDouble<double>("rcp." + ptxMode + ".f64", [=](double a) {
            return inMode(
                hostMode, [](double x) { return 1.0 / x; }, a);
        });
    }
    checkDouble<double, double>(
        "min.f64", [](double a, double b) { return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b); });
    checkDouble<double, double>(
        "max.f64", [](double a, double b) { return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b); });
    checkDouble<double>("abs.f64", [](double a) { return std::fabs(a); });
    checkDouble<double>("neg.f64", [](double a) { return -a; });
    CHECK(refused("add.ftz.f64", {8, 8, 8}));
    CHECK(refused("add.rn.f64", {8, 8, 4}));
}

TEST_CASE("Approximations stay inside PTX's error bounds") {
    struct Function {
        std::string name;
        double (*exact)(double);
        double low, high;
        double relative, absolute; ///< either bound will do
    };
    const std::vector<Function> functions = {
        {"rcp.approx.f32", [](double x) { return 1 / x; }, 1e-30, 1e30, 0x1p-23, 0},
        {"sqrt.approx.f32", [](double x) { return std::sqrt(x); }, 1e-30, 1e30, 0x1p-23, 0},
        {"rsqrt.approx.f32", [](double x) { return 1 / std::sqrt(x); }, 1e-30, 1e30, 0x1p-22, 0},
        {"sin.approx.f32", [](double x) { return std::sin(x); }, -314, 314, 0, 0x1p-20},
        {"cos.approx.f32", [](double x) { return std::cos(x); }, -314, 314, 0, 0x1p-20},
        {"ex2.approx.f32", [](double x) { return std::exp2(x); }, -140, 127.9, 0x1p-22, 0x1p-149},
        {"lg2.approx.f32", [](double x) { return std::log2(x); }, 1e-40, 1e38, 0x1p-22, 0x1p-22},
        {"tanh.approx.f32", [](double x) { return std::tanh(x); }, -30, 30, 0x1p-11, 0},
    };
    for (const InstructionSet isa : instructionSets())
        for (const Function& f : functions) {
            INFO(f.name);
            OperationRig rig(f.name, {4, 4}, isa);
            REQUIRE(rig.prepare());
            std::mt19937_64 random(5);
            // Over magnitudes where the range spans them, else evenly.
            const bool magnitudes = f.low > 0;
            std::uniform_real_distribution<double> pick(magnitudes ? std::log(f.low) : f.low,
                                                        magnitudes ? std::log(f.high) : f.high);
            for (int round = 0; round < 200; ++round) {
                for (unsigned i = 0; i < kLanes; ++i)
                    rig.lanes<float>(1)[i] = float(magnitudes ? std::exp(pick(random)) : pick(random));
                rig.run();
                for (unsigned i = 0; i < kLanes; ++i) {
                    const double wanted = f.exact(double(rig.lanes<float>(1)[i])),
                                 got = double(rig.lanes<float>(0)[i]);
                    const double error = std::fabs(got - wanted);
                    INFO(rig.lanes<float>(1)[i] << " gave " << got << ", not " << wanted);
                    REQUIRE(error <= std::max(f.relative * std::fabs(wanted), f.absolute));
                }
            }
        }
}

TEST_CASE("Approximations of special values") {
    const float inf = std::numeric_limits<float>::infinity(), nan = std::bit_cast<float>(0x7FFFFFFFu);
    const auto table = [](const std::string& name, const std::vector<std::tuple<float>>& inputs,
                          const std::vector<float>& results) {
        checkCases<float, float>(
            name,
            [&](float a) {
                for (std::size_t i = 0; i < inputs.size(); ++i)
                    if (sameBits(a, std::get<0>(inputs[i]))) return results[i];
                return 0.0f;
            },
            inputs);
    };
    // The tables of the PTX ISA for each instruction.
    table("rcp.approx.ftz.f32", {{-inf}, {-0.0f}, {0.0f}, {inf}, {nan}, {1e-40f}, {-1e-40f}},
          {-0.0f, -inf, inf, 0.0f, nan, inf, -inf});
    table("sqrt.approx.f32", {{-inf}, {-1.0f}, {-0.0f}, {0.0f}, {inf}, {nan}},
          {nan, nan, -0.0f, 0.0f, inf, nan});
    table("rsqrt.approx.f32", {{-inf}, {-1.0f}, {-0.0f}, {0.0f}, {inf}, {nan}},
          {nan, nan, -inf, inf, 0.0f, nan});
    table("sin.approx.f32", {{-inf}, {-0.0f}, {0.0f}, {inf}, {nan}}, {nan, -0.0f, 0.0f, nan, nan});
    table("cos.approx.f32", {{-inf}, {-0.0f}, {0.0f}, {inf}, {nan}}, {nan, 1.0f, 1.0f, nan, nan});
    table("ex2.approx.f32", {{-inf}, {-0.0f}, {0.0f}, {inf}, {nan}, {128.0f}, {-150.0f}, {-149.0f}},
          {0.0f, 1.0f, 1.0f, inf, nan, inf, 0.0f, 0x1p-149f});
    table("ex2.approx.ftz.f32", {{-149.0f}, {-126.0f}}, {0.0f, 0x1p-126f});
    table("lg2.approx.f32", {{-inf}, {-1.0f}, {-0.0f}, {0.0f}, {inf}, {nan}, {1.0f}},
          {nan, nan, -inf, -inf, inf, nan, 0.0f});
    table("lg2.approx.ftz.f32", {{1e-40f}, {-1e-40f}}, {-inf, -inf});
    table("tanh.approx.f32", {{-inf}, {-0.0f}, {0.0f}, {inf}, {nan}}, {-1.0f, -0.0f, 0.0f, 1.0f, nan});
    std::vector<std::tuple<float>> powers, exponents;
    for (int e = -149; e < 128; ++e) {
        powers.emplace_back(std::ldexp(1.0f, e));
        exponents.emplace_back(float(e));
    }
    checkCases<float, float>(
        "lg2.approx.f32", [](float a) { return float(std::ilogb(a)); }, powers);
    checkCases<float, float>(
        "ex2.approx.f32", [](float a) { return std::ldexp(1.0f, int(a)); }, exponents);
}

TEST_CASE("Approximations of double precision use the upper half") {
    for (const InstructionSet isa : instructionSets())
        for (const bool root : {false, true}) {
            OperationRig rig(root ? "rsqrt.approx.ftz.f64" : "rcp.approx.ftz.f64", {8, 8}, isa);
            REQUIRE(rig.prepare());
            for (unsigned i = 0; i < kLanes; ++i)
                rig.lanes<double>(1)[i] = 1.37 * std::pow(7.0, double(i) - 16);
            rig.run();
            for (unsigned i = 0; i < kLanes; ++i) {
                const double x = rig.lanes<double>(1)[i], wanted = root ? 1 / std::sqrt(x) : 1 / x;
                const double got = rig.lanes<double>(0)[i];
                CHECK(std::fabs(got - wanted) <= wanted * 0x1p-18);
                CHECK((std::bit_cast<u64>(got) & 0xFFFFFFFF) == 0);
            }
        }
}
