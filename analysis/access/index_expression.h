// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dormer::access {

/// What an index expression may ask for, as one thread of a kernel sees it.
enum class IndexName : std::uint8_t {
    TidX,
    TidY,
    TidZ,
    BidX,
    BidY,
    BidZ,
    BdimX,
    BdimY,
    BdimZ,
    GdimX,
    GdimY,
    GdimZ,
    Lane,
    Warp
};
inline constexpr std::size_t kIndexNameCount = 14;
using IndexValues = std::array<std::int64_t, kIndexNameCount>;

/// An index or a condition as CUDA C++ writes it, over
///   tid bid bdim gdim (or threadIdx.x, blockIdx.y, ..., tid.y), lane, warp, whole numbers (0x1F too)
///   + - * / % << >> & | ^ ~ ! < <= > >= == != && || ?: and parentheses
/// with the precedence and the division of C, on 64-bit numbers. `name[expr]` is the same as expr, and
/// `name[expr][expr]` is two-dimensional: the first times the row length given, plus the second.
class IndexExpression {
public:
    /// ErrorKind::Usage with the position for text that is no expression. `rowElements` is the length of a
    /// row of `name[..][..]`; 0 = not known, such an expression is then refused.
    [[nodiscard]] static Result<IndexExpression> parse(std::string_view text, std::int64_t rowElements = 0);

    /// ErrorKind::Usage for a division by zero, a shift by less than 0 or more than 63, or an overflow of
    /// 64 bits.
    [[nodiscard]] Result<std::int64_t> evaluate(const IndexValues& values) const;

private:
    friend class IndexParser;
    enum class Op : std::uint8_t {
        Constant,
        Name,
        Negate,
        Complement,
        Not,
        Add,
        Subtract,
        Multiply,
        Divide,
        Modulo,
        ShiftLeft,
        ShiftRight,
        And,
        Or,
        Xor,
        Less,
        LessEqual,
        Greater,
        GreaterEqual,
        Equal,
        NotEqual,
        LogicalAnd,
        LogicalOr,
        Choose
    };
    /// A node of the tree; children come before their parents.
    struct Node {
        Op op = Op::Constant;
        std::int64_t constant = 0; ///< or the IndexName
        std::array<std::uint32_t, 3> child{};
    };
    [[nodiscard]] Result<std::int64_t> evaluate(std::uint32_t node, const IndexValues& values) const;
    [[nodiscard]] static Result<std::int64_t> apply(Op op, std::int64_t left, std::int64_t right);

    std::vector<Node> m_nodes; ///< the last is the root
};

} // namespace dormer::access
