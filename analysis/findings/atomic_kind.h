// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dormer::findings {

/// What an atomic instruction does, and on which type.
struct AtomicKind {
    enum class Operation : std::uint8_t {
        Unknown,
        Add,
        Min,
        Max,
        And,
        Or,
        Xor,
        Exchange,
        CompareAndSwap,
        Wrap
    };
    enum class Type : std::uint8_t { Unknown, Integer32, Integer64, Float, Double, Half };
    Operation operation = Operation::Unknown;
    Type type = Type::Unknown;

    /// Values of several lanes can be combined first: not those of exchanges, of compare-and-swap, of
    /// counters that wrap, and of what is not known.
    [[nodiscard]] bool combines() const;
    /// An addition of integers, such as takes places from a counter.
    [[nodiscard]] bool isCount() const;
    /// "32-bit integer additions", "exchanges"; "unknown operations".
    [[nodiscard]] std::string name() const;
    /// How the lanes of a warp combine their values: "add them up with __reduce_add_sync" (32-bit integers
    /// only, compute capability 8.0: CUDA C++ Programming Guide, warp reduce functions), else shuffles.
    [[nodiscard]] std::string combination() const;
};

/// Of PTX ("atom.global.add.f32", "red.shared.max.s32") and machine code ("RED.E.ADD.F32.FTZ.RN",
/// "ATOMG.E.EXCH", "ATOMS.POPC.INC.32").
[[nodiscard]] AtomicKind atomicKindOf(std::string_view instruction);

} // namespace dormer::findings
