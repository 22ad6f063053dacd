// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/operations/operations.h"
#include "tests/support/catch.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

/// Runs single instructions on a made-up warp, and holds them lane by lane against functions of the host.
namespace dormer::emulator::test {

using namespace instructions;
using namespace operations;

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

inline constexpr int kPredicate = -1;

/// The vector code this machine can run.
[[nodiscard]] std::vector<InstructionSet> instructionSets();

class OperationRig {
public:
    /// `mnemonic` as in PTX: "add.sat.s32"; `widths`: bytes of a lane of each operand, or kPredicate.
    OperationRig(const std::string& mnemonic, std::vector<int> widths, InstructionSet isa);

    /// Before prepare(): an operand known while decoding; the destination's second part ("d|p").
    void immediate(unsigned operand, u64 bits);
    void second(int width) { m_second = width; }
    /// Parts of a vector operand, each as wide as `width`; for mov.
    void vector(unsigned operand, unsigned parts, int width);
    /// Registers that all go through Inst::more, flattened; for mma.
    void allInMore(unsigned registers);
    /// The destination is the same array as an operand.
    void alias(unsigned operand) { m_alias = operand; }

    /// Finds the handler; false when the instruction is not supported.
    [[nodiscard]] bool prepare();
    void run(u32 exec = kAllLanes);

    template <typename T>
    [[nodiscard]] T* lanes(unsigned operand) {
        return reinterpret_cast<T*>(slot(operand == 0 && m_alias != 0 ? m_alias : operand));
    }
    template <typename T>
    [[nodiscard]] T* part(unsigned index) {
        return reinterpret_cast<T*>(slot(kFirstPart + index));
    }
    [[nodiscard]] u32& predicate(unsigned operand) { return *lanes<u32>(operand); }
    template <typename T>
    [[nodiscard]] T* secondLanes() {
        return reinterpret_cast<T*>(slot(kSecond));
    }
    [[nodiscard]] u32& secondPredicate() { return *secondLanes<u32>(); }
    [[nodiscard]] Warp& warp() { return m_warp; }
    Inst inst; ///< for the flags a decoder would add
    Operation operation;

private:
    static constexpr unsigned kSlotBytes = 512, kSecond = 8, kFirstPart = 9, kSlots = 48;
    [[nodiscard]] std::byte* slot(unsigned index) { return m_memory->bytes.data() + index * kSlotBytes; }
    [[nodiscard]] static Ref ref(unsigned index) { return {index * kSlotBytes}; }
    struct alignas(64) Memory {
        std::array<std::byte, kSlots* kSlotBytes> bytes = {};
    };
    ptx::Instruction m_instruction;
    std::vector<OperandShape> m_shapes;
    InstructionSet m_isa;
    std::unique_ptr<Memory> m_memory = std::make_unique<Memory>();
    Warp m_warp;
    int m_second = 0;
    unsigned m_alias = 0;
    std::vector<Ref> m_more;
};

/// Operands that are likely to go wrong, and as many random ones.
template <typename T>
[[nodiscard]] std::vector<T> interesting();

template <typename T>
bool sameBits(T a, T b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <typename T>
std::string shown(T v) {
    if constexpr (std::is_floating_point_v<T>)
        return std::to_string(v) + " (" + Catch::StringMaker<u64>::convert([&] {
                   u64 bits = 0;
                   std::memcpy(&bits, &v, sizeof v);
                   return bits;
               }()) +
               ")";
    else
        return std::to_string(v);
}

/// All combinations of up to three operands' interesting values, thinned out to at most `most`.
template <typename... S>
std::vector<std::tuple<S...>> combinations(std::size_t most = 6000) {
    std::vector<std::tuple<S...>> result;
    const auto values = std::tuple{interesting<S>()...};
    const std::size_t total = std::apply([](const auto&... v) { return (v.size() * ...); }, values);
    // A stride without common factors visits all kinds of combinations.
    std::size_t stride = total <= most ? 1 : total / most;
    while (stride > 1 && std::gcd(stride, total) != 1)
        ++stride;
    std::size_t at = 0;
    for (std::size_t i = 0; i < std::min(total, most); ++i, at = (at + stride) % total) {
        std::size_t rest = at;
        const auto pick = [&rest](const auto& v) {
            const auto value = v[rest % v.size()];
            rest /= v.size();
            return value;
        };
        result.push_back(std::apply([&](const auto&... v) { return std::tuple<S...>{pick(v)...}; }, values));
    }
    return result;
}

/// Holds an instruction against `reference` for each of `cases`: with all lanes, and with some, whose
/// neighbours must stay, and with the destination in the place of the first source. Result types: D.
template <typename D, typename... S, typename F>
void checkCases(const std::string& mnemonic, F reference, const std::vector<std::tuple<S...>>& cases) {
    for (const InstructionSet isa : instructionSets())
        for (const bool aliased : {false, true}) {
            if (aliased && sizeof(D) != sizeof(std::tuple_element_t<0, std::tuple<S...>>)) continue;
            OperationRig rig(mnemonic, {int(sizeof(D)), int(sizeof(S))...}, isa);
            if (aliased) rig.alias(1);
            INFO(mnemonic << " isa " << int(isa) << (aliased ? " in place" : ""));
            REQUIRE(rig.prepare());
            std::mt19937 random(7);
            bool partial = false;
            for (std::size_t start = 0; start < cases.size(); start += kLanes, partial = !partial) {
                const u32 exec = partial ? u32(random()) | 1u : kAllLanes;
                const auto caseOf = [&](unsigned lane) { return cases[(start + lane) % cases.size()]; };
                for (unsigned lane = 0; lane < kLanes; ++lane) {
                    std::memset(rig.lanes<u8>(0) + lane * sizeof(D), 0xA5, sizeof(D));
                    [&]<std::size_t... I>(std::index_sequence<I...>) {
                        ((rig.lanes<S>(I + 1)[lane] = std::get<I>(caseOf(lane))), ...);
                    }
                    (std::index_sequence_for<S...>{});
                }
                std::array<D, kLanes> before;
                std::memcpy(before.data(), rig.lanes<D>(0), sizeof before);
                rig.run(exec);
                for (unsigned lane = 0; lane < kLanes; ++lane) {
                    const D got = rig.lanes<D>(0)[lane];
                    const bool on = (exec >> lane & 1) != 0;
                    const D wanted = on ? D(std::apply(reference, caseOf(lane))) : before[lane];
                    if (sameBits(got, wanted)) continue;
                    const std::string operands =
                        std::apply([](auto... v) { return ((shown(v) + " ") + ...); }, caseOf(lane));
                    FAIL_CHECK("lane " << lane << (on ? "" : " is off") << ": operands " << operands
                                       << "gave " << shown(got) << ", not " << shown(wanted));
                    return;
                }
            }
        }
    SUCCEED();
}

template <typename D, typename... S, typename F>
void check(const std::string& mnemonic, F reference) {
    checkCases<D, S...>(mnemonic, reference, combinations<S...>());
}

/// Whether the tables refuse it.
[[nodiscard]] bool refused(const std::string& mnemonic, std::vector<int> widths);

} // namespace dormer::emulator::test
