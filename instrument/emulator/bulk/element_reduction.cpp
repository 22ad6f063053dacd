// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/bulk/element_reduction.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstring>
#include <utility>

namespace dormer::emulator::bulk {

using Element = memory::TensorMap::Element;

namespace {

constexpr std::array<std::pair<std::string_view, ReductionOp>, 8> kOps = {{{"add", ReductionOp::Add},
                                                                           {"min", ReductionOp::Min},
                                                                           {"max", ReductionOp::Max},
                                                                           {"inc", ReductionOp::Inc},
                                                                           {"dec", ReductionOp::Dec},
                                                                           {"and", ReductionOp::And},
                                                                           {"or", ReductionOp::Or},
                                                                           {"xor", ReductionOp::Xor}}};
constexpr std::array<std::pair<std::string_view, Element>, 10> kElements = {{{"u32", Element::U32},
                                                                             {"b32", Element::U32},
                                                                             {"s32", Element::S32},
                                                                             {"u64", Element::U64},
                                                                             {"b64", Element::U64},
                                                                             {"s64", Element::S64},
                                                                             {"f16", Element::F16},
                                                                             {"bf16", Element::BF16},
                                                                             {"f32", Element::F32},
                                                                             {"f64", Element::F64}}};

/// The upper half of a float.
struct Brain {
    std::uint16_t bits = 0;
    explicit operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
    static Brain of(float value) {
        if (value != value) return {0x7FFF};
        const auto wide = std::bit_cast<std::uint32_t>(value);
        return {static_cast<std::uint16_t>((wide + 0x7FFF + (wide >> 16 & 1)) >> 16)};
    }
};
struct Half {
    _Float16 value = 0;
    explicit operator float() const { return static_cast<float>(value); }
    static Half of(float value) { return {static_cast<_Float16>(value)}; }
};

template <typename T>
T combined(ReductionOp op, T old, T operand) {
    if constexpr (std::same_as<T, Half> || std::same_as<T, Brain>) {
        // The sum of two is exact in a float but for one rounding, which is their own.
        return T::of(combined(op, static_cast<float>(old), static_cast<float>(operand)));
    } else {
        switch (op) {
        case ReductionOp::Add:
            if constexpr (std::signed_integral<T>) // wraps
                return static_cast<T>(static_cast<std::make_unsigned_t<T>>(old) +
                                      static_cast<std::make_unsigned_t<T>>(operand));
            else
                return old + operand;
        case ReductionOp::Min:
            return std::min(old, operand);
        case ReductionOp::Max:
            return std::max(old, operand);
        default:
            break;
        }
        if constexpr (std::unsigned_integral<T>) {
            switch (op) {
            case ReductionOp::Inc:
                return old >= operand ? 0 : old + 1;
            case ReductionOp::Dec:
                return old == 0 || old > operand ? operand : old - 1;
            case ReductionOp::And:
                return old & operand;
            case ReductionOp::Or:
                return old | operand;
            case ReductionOp::Xor:
                return old ^ operand;
            default:
                break;
            }
        }
        return operand;
    }
}

template <typename T, typename Bits>
void reduceAll(ReductionOp op, std::byte* target, const std::byte* source, std::uint64_t bytes) {
    static_assert(sizeof(T) == sizeof(Bits));
    for (std::uint64_t at = 0; at < bytes; at += sizeof(T)) {
        T operand;
        std::memcpy(&operand, source + at, sizeof operand);
        auto* word = reinterpret_cast<Bits*>(target + at);
        Bits old = __atomic_load_n(word, __ATOMIC_RELAXED), next = 0;
        do
            next = std::bit_cast<Bits>(combined(op, std::bit_cast<T>(old), operand));
        while (!__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    }
}

template <typename Table>
auto named(const Table& table, std::string_view word)
    -> std::optional<typename Table::value_type::second_type> {
    const auto found = std::ranges::find(table, word, &Table::value_type::first);
    return found == table.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

std::optional<ReductionOp> reductionNamed(std::string_view word) {
    return named(kOps, word);
}
std::optional<Element> elementNamed(std::string_view word) {
    return named(kElements, word);
}

void reduce(Reduction reduction, std::byte* target, const std::byte* source, std::uint64_t bytes) {
    const ReductionOp op = reduction.op;
    switch (reduction.element) {
    case Element::U8:
        return reduceAll<std::uint8_t, std::uint8_t>(op, target, source, bytes);
    case Element::U16:
        return reduceAll<std::uint16_t, std::uint16_t>(op, target, source, bytes);
    case Element::U32:
        return reduceAll<std::uint32_t, std::uint32_t>(op, target, source, bytes);
    case Element::S32:
        return reduceAll<std::int32_t, std::uint32_t>(op, target, source, bytes);
    case Element::U64:
        return reduceAll<std::uint64_t, std::uint64_t>(op, target, source, bytes);
    case Element::S64:
        return reduceAll<std::int64_t, std::uint64_t>(op, target, source, bytes);
    case Element::F16:
        return reduceAll<Half, std::uint16_t>(op, target, source, bytes);
    case Element::BF16:
        return reduceAll<Brain, std::uint16_t>(op, target, source, bytes);
    case Element::F32:
    case Element::TF32:
        return reduceAll<float, std::uint32_t>(op, target, source, bytes);
    case Element::F64:
        return reduceAll<double, std::uint64_t>(op, target, source, bytes);
    }
}

} // namespace dormer::emulator::bulk
