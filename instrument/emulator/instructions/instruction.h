// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// Decoded instructions as the warps execute them.
///
/// A value of a warp is an array over its 32 lanes: 2 bytes per lane for registers of 8- and 16-bit types, 4
/// for 32-bit types (f16x2 too), 8 for 64-bit types, 16 for b128 (all low halves, then all high ones: two
/// 64-bit arrays). Lane arrays start at multiples of 64 bytes. A predicate is one 32-bit word, bit i for lane
/// i.
namespace dormer::emulator::instructions {

inline constexpr unsigned kLanes = 32;
inline constexpr std::uint32_t kAllLanes = 0xFFFFFFFF;

/// Where a value lies: a multiple of 4 bytes from one of the bases of a warp, which the two low bits choose.
struct Ref {
    std::uint32_t raw = kNowhere;
    static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
    [[nodiscard]] bool present() const { return raw != kNowhere; }
};
enum Base : std::uint32_t {
    kRegisters = 0,   ///< of the warp, written by instructions
    kConstants = 1,   ///< of the launch: immediates and kernel parameters, the same in all lanes
    kBlockValues = 2, ///< of the block: %ctaid and what else is the same for all its warps
    kWarpValues = 3,  ///< of the warp: %tid, %laneid, fixed while it lives
};

struct Warp;
struct Inst;
/// Executes one instruction for the lanes in Warp::exec; never called with none. Writes nothing in other
/// lanes. Throws FaultSignal to stop the kernel.
using Handler = void (*)(Warp&, const Inst&);

struct Inst {
    Handler run = nullptr;
    Ref dst, dst2;             ///< dst2: second destination ("d|p", or the high half of an unpacking mov)
    Ref a, b, c, d;            ///< sources in the order of the PTX operands
    const Ref* more = nullptr; ///< further operands of the few instructions that have many; see the handler
    std::uint64_t imm = 0;     ///< for the handler: an offset, a lut, flags
    std::uint32_t guard = Ref::kNowhere; ///< Ref of the guard predicate
    bool guardNegated = false;
    bool countsGuard = false; ///< the runner counts its executions, since the guard may skip them
    std::uint8_t moreCount = 0;
    std::uint16_t flags = 0; ///< for the handler
    std::uint32_t index = 0; ///< position in the kernel's list of instructions: its counters
};

/// The part of a warp that handlers of register-only instructions see.
struct Warp {
    std::byte* bases[4] = {};
    std::uint32_t exec = 0;      ///< lanes that execute the current instruction
    std::uint32_t active = 0;    ///< lanes that are on the current path, guard or not
    std::uint32_t alive = 0;     ///< lanes that have not exited
    std::uint32_t carry = 0;     ///< flag of add.cc and its relatives, a bit for each lane
    Handler undefined = nullptr; ///< called, if set, when an instruction's result is undefined by the PTX ISA

    template <typename T>
    [[nodiscard]] T* at(Ref ref) const {
        return reinterpret_cast<T*>(__builtin_assume_aligned(bases[ref.raw & 3] + (ref.raw & ~3u), 4));
    }
    /// Lane array: aligned to 64 bytes.
    template <typename T>
    [[nodiscard]] T* lanes(Ref ref) const {
        return reinterpret_cast<T*>(__builtin_assume_aligned(bases[ref.raw & 3] + (ref.raw & ~3u), 64));
    }
    [[nodiscard]] std::uint32_t& predicate(Ref ref) const { return *at<std::uint32_t>(ref); }
};

} // namespace dormer::emulator::instructions
