// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/accesses/memory_isa.h"
#include "instrument/emulator/accesses/memory_tables.h"
#include "instrument/emulator/instructions/half.h"
#include "instrument/emulator/program/program.h"

#include <type_traits>

namespace dormer::emulator::accesses {
inline namespace DORMER_ISA {

namespace {

/// How a type lies in memory and how it is computed with.
template <typename V>
struct Plain {
    using Bits = std::conditional_t<sizeof(V) == 8, std::uint64_t, std::uint32_t>;
    static V value(Bits bits) { return std::bit_cast<V>(bits); }
    static Bits bits(V value) { return std::bit_cast<Bits>(value); }
};
template <AtomicOp Op, typename V>
V combine(V old, V operand) {
    if constexpr (Op == AtomicOp::Add) {
        if constexpr (std::is_floating_point_v<V>)
            return old + operand;
        else // unsigned arithmetic: overflow wraps
            return static_cast<V>(static_cast<std::make_unsigned_t<V>>(old) +
                                  static_cast<std::make_unsigned_t<V>>(operand));
    } else if constexpr (Op == AtomicOp::Min) {
        return operand < old ? operand : old;
    } else if constexpr (Op == AtomicOp::Max) {
        return operand > old ? operand : old;
    } else if constexpr (Op == AtomicOp::Inc) {
        return old >= operand ? V{0} : old + 1;
    } else if constexpr (Op == AtomicOp::Dec) {
        return old == 0 || old > operand ? operand : old - 1;
    } else if constexpr (Op == AtomicOp::And) {
        return old & operand;
    } else if constexpr (Op == AtomicOp::Or) {
        return old | operand;
    } else {
        return old ^ operand;
    }
}

/// Changes the word at `host` atomically with respect to the other worker threads; returns the old bits.
template <typename Bits, typename Change>
Bits update(std::byte* host, const Change& change) {
    auto* word = reinterpret_cast<Bits*>(host);
    Bits old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, change(old), true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
    return old;
}

/// One lane's operation; returns the old bits.
template <AtomicOp Op, typename T>
struct Lane {
    using Bits = typename Plain<T>::Bits;
    static constexpr unsigned kBytes = sizeof(T);
    /// Whether memory holds another value afterwards.
    static bool changes(Bits old, Bits operand, Bits swap) {
        if constexpr (Op == AtomicOp::Exchange)
            return operand != old;
        else if constexpr (Op == AtomicOp::CompareSwap)
            return old == operand && swap != old;
        else
            return Plain<T>::bits(combine<Op>(Plain<T>::value(old), Plain<T>::value(operand))) != old;
    }
    static Bits apply(std::byte* host, Bits operand, Bits swap) {
        auto* word = reinterpret_cast<Bits*>(host);
        if constexpr (Op == AtomicOp::Exchange) {
            return __atomic_exchange_n(word, operand, __ATOMIC_SEQ_CST);
        } else if constexpr (Op == AtomicOp::CompareSwap) {
            __atomic_compare_exchange_n(word, &operand, swap, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
            return operand;
        } else if constexpr (Op == AtomicOp::Add && !std::is_floating_point_v<T>) {
            return __atomic_fetch_add(word, operand, __ATOMIC_SEQ_CST);
        } else {
            return update<Bits>(host, [operand](Bits old) {
                return Plain<T>::bits(combine<Op>(Plain<T>::value(old), Plain<T>::value(operand)));
            });
        }
    }
};

float halfValue(std::uint16_t bits, bool brain) {
    return brain ? std::bit_cast<float>(std::uint32_t{bits} << 16) : instructions::half::toFloat(bits);
}
std::uint16_t halfBits(float value, bool brain) {
    return brain ? instructions::half::brainFromFloat(value) : instructions::half::fromFloat(value);
}
template <AtomicOp Op>
std::uint16_t combineHalf(std::uint16_t old, std::uint16_t operand, bool brain) {
    // The sum of two halves is exact in a float but for one rounding, which is the half's own.
    return halfBits(combine<Op>(halfValue(old, brain), halfValue(operand, brain)), brain);
}

template <AtomicOp Op, bool Brain, bool Packed>
struct HalfLane {
    using Bits = std::conditional_t<Packed, std::uint32_t, std::uint16_t>;
    static constexpr unsigned kBytes = sizeof(Bits);
    static bool changes(Bits, Bits, Bits) { return true; }
    static Bits apply(std::byte* host, Bits operand, Bits) {
        return update<Bits>(host, [operand](Bits old) -> Bits {
            const auto low =
                combineHalf<Op>(static_cast<std::uint16_t>(old), static_cast<std::uint16_t>(operand), Brain);
            if constexpr (Packed) {
                const auto high = combineHalf<Op>(static_cast<std::uint16_t>(old >> 16),
                                                  static_cast<std::uint16_t>(operand >> 16), Brain);
                return low | std::uint32_t{high} << 16;
            } else {
                return low;
            }
        });
    }
};

template <AtomicOp Op>
struct Word16Lane {
    using Bits = std::uint16_t;
    static constexpr unsigned kBytes = 2;
    static bool changes(Bits old, Bits operand, Bits swap) {
        return Op == AtomicOp::Exchange ? operand != old : old == operand && swap != old;
    }
    static Bits apply(std::byte* host, Bits operand, Bits swap) {
        auto* word = reinterpret_cast<Bits*>(host);
        if constexpr (Op == AtomicOp::Exchange) {
            return __atomic_exchange_n(word, operand, __ATOMIC_SEQ_CST);
        } else {
            __atomic_compare_exchange_n(word, &operand, swap, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
            return operand;
        }
    }
};

/// Checks and counts a request; hosts[i] becomes lane i's place in host memory.
void prepare(exec::WarpState& w, const instructions::Inst& in, unsigned width, std::byte** hosts) {
    w.strongAccesses += in.dst.present() ? 1 : 0;
    alignas(64) Addresses addresses;
    readAddresses(w, in, addresses);
    std::uint32_t shared = (in.flags & kSharedAddress) != 0 ? w.exec : 0;
    if ((in.flags & kGenericAddress) != 0) {
        for (unsigned i = 0; i < instructions::kLanes; ++i) {
            const bool isShared =
                ((w.exec >> i) & 1) != 0 && addresses[i] - program::kSharedWindow < program::kWindowBytes;
            shared |= static_cast<std::uint32_t>(isShared) << i;
            if (isShared) addresses[i] -= program::kSharedWindow;
        }
    }
    const std::uint32_t global = w.exec & ~shared;
    bool ofCluster = false;
    if (shared != 0) {
        const std::uint64_t limit = w.sharedBytes >= width ? w.sharedBytes - width + 1 : 0;
        if (misfits(addresses, shared, 0, limit, width - 1) != 0) [[unlikely]] {
            if (!clusterHosts(w, addresses, shared, width, hosts))
                failShared(w, addresses, shared, {"atomic", width});
            ofCluster = true;
            for (unsigned i = 0; i < instructions::kLanes; ++i)
                if (((shared >> i) & 1) != 0) addresses[i] &= program::kClusterPlaceMask;
        }
    }
    if (global != 0) {
        const exec::AllocationRange& range = w.counts->ranges[in.index];
        if (misfits(addresses, global, range.begin, range.bytes, width - 1) != 0)
            checkGlobal(w, in, addresses, global, {"atomic", width});
    }
    if (w.watch != nullptr) {
        if (shared != 0) watchShared(w, in, addresses, shared, width, exec::SharedWatch::Access::Update);
        if (global != 0) watchGlobal(w, in, addresses, global, width, exec::SharedWatch::Access::Update);
    }
    for (unsigned i = 0; i < instructions::kLanes; ++i)
        if (((shared >> i) & 1) == 0)
            hosts[i] = reinterpret_cast<std::byte*>(addresses[i]);
        else if (!ofCluster)
            hosts[i] = hostAt(w.shared, addresses[i]);
    if (w.port == nullptr) return;
    counts::InstructionCounts& counts = w.counts->instructions[in.index];
    if (global != 0) {
        access::LineAccess lines[access::kMaxLines];
        const access::CoalescedAtomic result = access::coalesceAtomic(addresses, global, width, lines);
        const auto lanes = static_cast<unsigned>(std::popcount(global));
        ++counts.executions;
        counts.threads += lanes;
        counts.sectors += result.sectors;
        const unsigned ideal = access::idealSectors(lanes, width, result.sectors);
        counts.sectorsIdeal += ideal;
        sampleLanes(w, in, addresses, global, lanes, result.sectors - ideal, kNotShared);
        counts.lines += result.lines;
        counts.serialized += result.serialized - 1;
        w.port->access((in.flags & kResultUnused) != 0 ? hierarchy::AccessKind::Reduce
                                                       : hierarchy::AccessKind::Atomic,
                       lines, result.lines);
    }
    if (shared != 0) {
        std::uint32_t offsets[instructions::kLanes];
        for (unsigned i = 0; i < instructions::kLanes; ++i)
            offsets[i] = static_cast<std::uint32_t>(addresses[i]);
        if ((in.flags & kCountsLanes) != 0) {
            countShared(w, in, addresses, shared, width, 1);
        } else {
            countShared(w, in, addresses, shared, width,
                        access::sharedAtomicWavefronts(offsets, shared, width));
            counts.serialized += access::atomicSerialization(addresses, shared) - 1;
        }
    }
}

template <typename L>
void atomic(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    using Bits = typename L::Bits;
    std::byte* hosts[instructions::kLanes];
    prepare(w, in, L::kBytes, hosts);
    const Bits* operand = w.lanes<Bits>(in.b);
    const Bits* swap = in.c.present() ? w.lanes<Bits>(in.c) : operand;
    Bits* result = in.dst.present() ? w.lanes<Bits>(in.dst) : nullptr;
    if (result == nullptr) {
        for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
            const auto i = static_cast<unsigned>(std::countr_zero(rest));
            L::apply(hosts[i], operand[i], swap[i]);
        }
        w.wrote |= w.exec;
        return;
    }
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(rest));
        const Bits with = operand[i], other = swap[i]; // the result may lie where they do
        const Bits old = L::apply(hosts[i], with, other);
        w.wrote |= static_cast<std::uint32_t>(L::changes(old, with, other)) << i;
        result[i] = old;
    }
}

/// Operands of 16 bytes per lane are two lane arrays, the low halves first.
template <bool Swap>
void atomic128(instructions::Warp& warp, const instructions::Inst& in) {
    exec::WarpState& w = exec::stateOf(warp);
    using Wide = unsigned __int128;
    std::byte* hosts[instructions::kLanes];
    prepare(w, in, 16, hosts);
    const auto read = [&w](instructions::Ref ref, unsigned i) {
        const auto* halves = w.lanes<std::uint64_t>(ref);
        return Wide{halves[instructions::kLanes + i]} << 64 | halves[i];
    };
    for (std::uint32_t rest = w.exec; rest != 0; rest &= rest - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(rest));
        auto* word = reinterpret_cast<Wide*>(hosts[i]);
        const Wide operand = read(in.b, i);
        Wide old = 0;
        if constexpr (Swap) {
            old = __sync_val_compare_and_swap(word, operand, read(in.c, i));
            if (old == operand) w.wrote |= 1u << i;
        } else {
            w.wrote |= 1u << i;
            do {
                std::memcpy(&old, word, sizeof old);
            } while (!__sync_bool_compare_and_swap(word, old, operand));
        }
        if (in.dst.present()) {
            auto* halves = w.lanes<std::uint64_t>(in.dst);
            halves[i] = static_cast<std::uint64_t>(old);
            halves[instructions::kLanes + i] = static_cast<std::uint64_t>(old >> 64);
        }
    }
}

template <AtomicOp Op>
instructions::Handler ofType(AtomicType type) {
    constexpr bool kSwaps = Op == AtomicOp::Exchange || Op == AtomicOp::CompareSwap;
    constexpr bool kMinMaxAdd = Op == AtomicOp::Add || Op == AtomicOp::Min || Op == AtomicOp::Max;
    constexpr bool kBits = Op == AtomicOp::And || Op == AtomicOp::Or || Op == AtomicOp::Xor;
    constexpr bool kCounts = Op == AtomicOp::Inc || Op == AtomicOp::Dec;
    switch (type) {
    case AtomicType::U32:
        return atomic<Lane<Op, std::uint32_t>>;
    case AtomicType::U64:
        if constexpr (!kCounts) return atomic<Lane<Op, std::uint64_t>>;
        break;
    case AtomicType::S32:
        if constexpr (kMinMaxAdd || kBits || kSwaps) return atomic<Lane<Op, std::int32_t>>;
        break;
    case AtomicType::S64:
        if constexpr (kMinMaxAdd || kBits || kSwaps) return atomic<Lane<Op, std::int64_t>>;
        break;
    case AtomicType::F32:
        if constexpr (Op == AtomicOp::Add) return atomic<Lane<Op, float>>;
        break;
    case AtomicType::F64:
        if constexpr (Op == AtomicOp::Add) return atomic<Lane<Op, double>>;
        break;
    case AtomicType::F16:
        if constexpr (kMinMaxAdd) return atomic<HalfLane<Op, false, false>>;
        break;
    case AtomicType::F16x2:
        if constexpr (kMinMaxAdd) return atomic<HalfLane<Op, false, true>>;
        break;
    case AtomicType::BF16:
        if constexpr (kMinMaxAdd) return atomic<HalfLane<Op, true, false>>;
        break;
    case AtomicType::BF16x2:
        if constexpr (kMinMaxAdd) return atomic<HalfLane<Op, true, true>>;
        break;
    case AtomicType::B16:
        if constexpr (kSwaps) return atomic<Word16Lane<Op>>;
        break;
    case AtomicType::B128:
        if constexpr (kSwaps) return atomic128<Op == AtomicOp::CompareSwap>;
        break;
    }
    return nullptr;
}

instructions::Handler ofOp(AtomicOp op, AtomicType type) {
    switch (op) {
    case AtomicOp::Add:
        return ofType<AtomicOp::Add>(type);
    case AtomicOp::Min:
        return ofType<AtomicOp::Min>(type);
    case AtomicOp::Max:
        return ofType<AtomicOp::Max>(type);
    case AtomicOp::Inc:
        return ofType<AtomicOp::Inc>(type);
    case AtomicOp::Dec:
        return ofType<AtomicOp::Dec>(type);
    case AtomicOp::And:
        return ofType<AtomicOp::And>(type);
    case AtomicOp::Or:
        return ofType<AtomicOp::Or>(type);
    case AtomicOp::Xor:
        return ofType<AtomicOp::Xor>(type);
    case AtomicOp::Exchange:
        return ofType<AtomicOp::Exchange>(type);
    case AtomicOp::CompareSwap:
        return ofType<AtomicOp::CompareSwap>(type);
    }
    return nullptr;
}

} // namespace

instructions::Handler atomicOperation(AtomicOp op, AtomicType type) {
    return ofOp(op, type);
}

} // namespace DORMER_ISA
} // namespace dormer::emulator::accesses
