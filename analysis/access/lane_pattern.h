// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/access/access_class.h"
#include "analysis/access/access_pattern.h"
#include "analysis/base/result.h"
#include "analysis/session/model.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

/// One access of one warp, lane by lane: what an index expression does to the memory system.
namespace dormer::access {

enum class AccessOp { Load, Store, Atomic };

struct PatternQuestion {
    std::string expression{};     ///< element that a thread accesses (IndexExpression)
    std::string active{};         ///< condition under which it does; empty = always
    std::int64_t rowElements = 0; ///< length of a row of `a[y][x]`
    unsigned widthBytes = 4;      ///< of an element: 1, 2, 4, 8, 16 or 32
    bool shared = false;
    AccessOp op = AccessOp::Load;
    int ccMajor = 9, ccMinor = 0; ///< compute capability
    bool bypassL1 = false;        ///< loads of compute capability below 6.0 that don't go through L1
    std::int64_t baseBytes = 0;   ///< address of element 0
    session::Dim3 block{256, 1, 1};
    session::Dim3 grid{1024, 1, 1};
    session::Dim3 blockIndex{0, 0, 0};
    std::uint32_t warp = 0; ///< of the block
    bool local = false;     ///< local memory: counts as global memory does
};

/// Lanes that no expression gave.
struct GivenLanes {
    std::uint32_t mask = 0;                         ///< bit i: lane i accesses
    std::array<std::int64_t, kWarpLanes> address{}; ///< bytes, multiples of the width
    std::string caption{}; ///< "lanes of one warp, as seen": stands in place of block, warp and chip
};

struct LanePattern {
    PatternQuestion question;
    std::string caption{};                          ///< GivenLanes::caption; empty: the question says it all
    std::uint32_t mask = 0;                         ///< lanes that access
    std::array<std::int64_t, kWarpLanes> address{}; ///< bytes; of lanes that are off: 0
    unsigned bytesRequested = 0;                    ///< distinct bytes that the lanes ask for
    unsigned bytesMoved = 0;                        ///< global: sectors (or whole lines) times their size
    std::optional<double>
        utilization; ///< requested / moved, 0..1; absent without lanes and for shared memory
    unsigned sectors = 0, sectorsIdeal = 0, lines = 0; ///< global: 32-byte sectors, 128-byte lines
    unsigned transactions =
        0; ///< global: what is moved at once: sectors, or lines where loads are cached by lines
    unsigned transactionBytes = 0;
    unsigned wavefronts = 0, wavefrontsIdeal = 0; ///< shared
    std::optional<double> ways;                   ///< wavefronts / ideal
    AccessClass shape;
    [[nodiscard]] bool active(unsigned lane) const { return (mask >> lane & 1U) != 0; }
};

/// ErrorKind::Usage when an expression can't be evaluated, an address of shared memory is negative, or the
/// warp is not in the block.
[[nodiscard]] Result<LanePattern> lanePattern(const PatternQuestion& question);

/// The same of lanes as they are given: the question's expression is their title, and its block, grid and
/// warp say nothing. ErrorKind::Usage when an address is no multiple of the width, or lies beyond shared
/// memory.
[[nodiscard]] Result<LanePattern> lanePattern(const PatternQuestion& question, const GivenLanes& lanes);

/// Width in bytes of a type's name: "float", "int", "double", "half2", "float4", ...; absent for others.
[[nodiscard]] std::optional<unsigned> widthOfType(std::string_view type);

} // namespace dormer::access
