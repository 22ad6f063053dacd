// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::metrics {

/// A parsed metric formula: numbers, names (letters, digits, '_' and '.'), + - * /, parentheses, and
///   min(a, b, ...), max(a, b, ...)
///   first(a, b, ...)   the first that is present: two counters of the same thing
///   times(count, per)  count * per, and 0 when the count is 0, whatever `per` is: a mean over nothing is
///                      undefined, but the total it stands for is known
/// An absent input is a NaN and makes every result that needs it absent; nothing turns absent into a number.
class Expression {
public:
    enum class Op : std::uint8_t {
        Constant,
        Input,
        Negate,
        Add,
        Subtract,
        Multiply,
        Divide,
        Min,
        Max,
        First,
        Times
    };
    /// One step of the postfix program.
    struct Step {
        Op op = Op::Constant;
        std::uint32_t input = 0; ///< index into inputs(), for Input
        double constant = 0;     ///< for Constant
    };
    /// Deepest stack a program may need; parse refuses deeper ones.
    static constexpr std::size_t kMaxDepth = 32;

    [[nodiscard]] static Result<Expression> parse(std::string_view text);

    /// Names in order of first use.
    [[nodiscard]] const std::vector<std::string>& inputs() const { return m_inputs; }
    [[nodiscard]] const std::vector<Step>& steps() const { return m_steps; }

    /// Value with `read(index)` giving the input's value, NaN when absent.
    template <typename Read>
    [[nodiscard]] double evaluate(Read&& read) const {
        return run(m_steps, read);
    }

    /// Runs a postfix program that needs no more than kMaxDepth.
    template <typename Program, typename Read>
    [[nodiscard]] static double run(const Program& steps, Read&& read) {
        std::array<double, kMaxDepth> stack; // every slot is written before it is read
        std::size_t top = 0;
        for (const auto& step : steps) {
            if (step.op == Op::Constant) {
                stack[top++] = step.constant;
            } else if (step.op == Op::Input) {
                stack[top++] = read(step.input);
            } else if (step.op == Op::Negate) {
                stack[top - 1] = -stack[top - 1];
            } else {
                --top;
                withOperator(step.op,
                             [&](auto apply) { stack[top - 1] = apply(stack[top - 1], stack[top]); });
            }
        }
        return stack[0];
    }

    /// Rows of a column that are computed at a time.
    static constexpr std::size_t kColumnRows = 64;
    using Column = std::array<double, kColumnRows>;

    /// The same for kColumnRows rows at once: a step costs little more for all of them than for one. `read`
    /// gives the column of an input.
    template <typename Program, typename Read>
    static void runColumns(const Program& steps, Read&& read, Column& result) {
        std::array<Column, kMaxDepth> stack;
        std::size_t top = 0;
        for (const auto& step : steps) {
            if (step.op == Op::Constant) {
                stack[top++].fill(step.constant);
            } else if (step.op == Op::Input) {
                stack[top++] = read(step.input);
            } else if (step.op == Op::Negate) {
                for (double& value : stack[top - 1])
                    value = -value;
            } else {
                --top;
                withOperator(step.op, [&](auto apply) {
                    for (std::size_t row = 0; row < kColumnRows; ++row)
                        stack[top - 1][row] = apply(stack[top - 1][row], stack[top][row]);
                });
            }
        }
        result = stack[0];
    }

private:
    friend class ExpressionParser;

    /// Calls `use` with what an operator of two operands does.
    template <typename Use>
    static void withOperator(Op op, Use&& use) {
        switch (op) {
        case Op::Add:
            return use([](double a, double b) { return a + b; });
        case Op::Subtract:
            return use([](double a, double b) { return a - b; });
        case Op::Multiply:
            return use([](double a, double b) { return a * b; });
        case Op::Divide:
            return use([](double a, double b) { return a / b; });
        // Unlike std::fmin, an absent operand makes the result absent.
        case Op::Min:
            return use([](double a, double b) {
                return std::isnan(a) || std::isnan(b) ? kAbsent : (a < b ? a : b);
            });
        case Op::Max:
            return use([](double a, double b) {
                return std::isnan(a) || std::isnan(b) ? kAbsent : (a > b ? a : b);
            });
        case Op::First:
            return use([](double a, double b) { return std::isnan(a) ? b : a; });
        case Op::Times:
            return use([](double a, double b) { return a == 0 ? 0 : a * b; });
        default:
            return use([](double, double) { return kAbsent; });
        }
    }
    static constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

    std::vector<std::string> m_inputs;
    std::vector<Step> m_steps;
};

} // namespace dormer::metrics
