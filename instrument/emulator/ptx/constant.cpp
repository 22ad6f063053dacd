// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/constant.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <limits>

namespace dormer::emulator::ptx {
namespace {

constexpr unsigned kMaxDepth = 64; ///< of parentheses and unary operators

Constant integer(std::uint64_t bits, bool isUnsigned) {
    return {.kind = Constant::Kind::Integer, .isUnsigned = isUnsigned, .bits = bits};
}

std::uint64_t digits(Cursor& cursor, std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (text.empty() || error != std::errc{} || end != text.data() + text.size())
        cursor.fail(
            fmt::format("'{}' is not a number of base {} that fits 64 bits", text.substr(0, 100), base));
    return value;
}

/// 1.5, 2e-3: what no integer is. Nothing when the text is not such a number.
bool decimalFraction(Cursor& cursor, Constant& out) {
    const std::string_view rest = cursor.rest();
    std::size_t at = 0;
    while (at < rest.size() && rest[at] >= '0' && rest[at] <= '9')
        ++at;
    const char next = at < rest.size() ? rest[at] : '\0';
    if (next != '.' && next != 'e' && next != 'E') return false;
    double value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error != std::errc{}) cursor.fail("a decimal number is out of range");
    cursor.advanceTo(end);
    out = {.kind = Constant::Kind::Float64, .bits = std::bit_cast<std::uint64_t>(value)};
    return true;
}

/// Short decimal integers, which are nearly all there are; nothing is consumed when it is something else.
bool plainDecimal(Cursor& cursor, Constant& out) {
    const std::string_view rest = cursor.rest();
    std::size_t at = 0;
    std::uint64_t value = 0;
    for (; at < rest.size() && at < 18 && rest[at] >= '0' && rest[at] <= '9'; ++at)
        value = value * 10 + static_cast<std::uint64_t>(rest[at] - '0');
    const char next = at < rest.size() ? rest[at] : '\0';
    if (at == 0 || (rest[0] == '0' && at > 1) || next == '.' || isWordCharacter(next)) return false;
    cursor.advanceTo(rest.data() + at);
    out = integer(value, false);
    return true;
}

Constant number(Cursor& cursor) {
    Constant out;
    if (plainDecimal(cursor, out)) return out;
    if (decimalFraction(cursor, out)) return out;
    std::string_view text = cursor.tightWord();
    // A word may hold '%', which is an operator here.
    if (const std::size_t end = text.find_first_of("%$"); end != std::string_view::npos) {
        text = text.substr(0, end);
        cursor.advanceTo(text.data() + end);
    }
    const char second = text.size() > 1 ? text[1] : '\0';
    if (text[0] == '0' && (second == 'f' || second == 'F')) {
        if (text.size() != 10) cursor.fail("0f needs eight hexadecimal digits");
        return {.kind = Constant::Kind::Float32, .bits = digits(cursor, text.substr(2), 16)};
    }
    if (text[0] == '0' && (second == 'd' || second == 'D')) {
        if (text.size() != 18) cursor.fail("0d needs sixteen hexadecimal digits");
        return {.kind = Constant::Kind::Float64, .bits = digits(cursor, text.substr(2), 16)};
    }
    bool isUnsigned = false;
    if (text.back() == 'U') {
        isUnsigned = true;
        text.remove_suffix(1);
    }
    std::uint64_t value = 0;
    if (text.starts_with("0x") || text.starts_with("0X"))
        value = digits(cursor, text.substr(2), 16);
    else if (text.starts_with("0b") || text.starts_with("0B"))
        value = digits(cursor, text.substr(2), 2);
    else if (text.size() > 1 && text[0] == '0')
        value = digits(cursor, text.substr(1), 8);
    else
        value = digits(cursor, text, 10);
    // Decimal, octal and hexadecimal literals alike are unsigned only where they don't fit.
    return integer(value, isUnsigned || value > std::numeric_limits<std::int64_t>::max());
}

Constant negate(Cursor& cursor, const Constant& c) {
    switch (c.kind) {
    case Constant::Kind::Integer:
        return integer(0 - c.bits, c.isUnsigned && c.bits > (1ull << 63));
    case Constant::Kind::Float32:
        return {.kind = c.kind, .bits = c.bits ^ 0x80000000};
    case Constant::Kind::Float64:
        return {.kind = c.kind, .bits = c.bits ^ (1ull << 63)};
    }
    cursor.fail("no constant");
}

/// Precedence climbing over the operators of the PTX ISA, which are C's.
class Expression {
public:
    explicit Expression(Cursor& cursor) : m_cursor(cursor) {}

    Constant ternary() {
        const Constant condition = binary(0);
        if (!m_cursor.accept('?')) return condition;
        enter();
        const Constant yes = ternary();
        m_cursor.expect(':');
        const Constant no = ternary();
        --m_depth;
        return truth(condition) ? yes : no;
    }

private:
    struct Operator {
        const char* text;
        int precedence;
    };
    // Longer ones before those they begin with.
    static constexpr auto kOperators = std::to_array<Operator>({{"||", 1},
                                                                {"&&", 2},
                                                                {"==", 6},
                                                                {"!=", 6},
                                                                {"<<", 8},
                                                                {">>", 8},
                                                                {"<=", 7},
                                                                {">=", 7},
                                                                {"|", 3},
                                                                {"^", 4},
                                                                {"&", 5},
                                                                {"<", 7},
                                                                {">", 7},
                                                                {"+", 9},
                                                                {"-", 9},
                                                                {"*", 10},
                                                                {"/", 10},
                                                                {"%", 10}});

    void enter() {
        if (++m_depth > kMaxDepth) m_cursor.fail("a constant expression is nested too deeply");
    }

    [[nodiscard]] bool truth(const Constant& c) const {
        if (c.kind != Constant::Kind::Integer) m_cursor.fail("a condition has to be an integer");
        return c.bits != 0;
    }

    const Operator* nextOperator() {
        m_cursor.skipSpace();
        for (const Operator& op : kOperators)
            if (m_cursor.rest().starts_with(op.text)) return &op;
        return nullptr;
    }

    Constant unary() {
        enter();
        Constant out;
        switch (const char c = m_cursor.peek()) {
        case '+':
            m_cursor.advance();
            out = unary();
            break;
        case '-':
            m_cursor.advance();
            out = negate(m_cursor, unary());
            break;
        case '!':
            m_cursor.advance();
            out = integer(truth(unary()) ? 0 : 1, false);
            break;
        case '~': {
            m_cursor.advance();
            const Constant inner = unary();
            (void)truth(inner);
            out = integer(~inner.bits, inner.isUnsigned);
            break;
        }
        case '(':
            m_cursor.advance();
            if (const std::string_view cast = m_cursor.directive(); !cast.empty()) {
                if (cast != "s64" && cast != "u64")
                    m_cursor.fail("a constant can be cast to .s64 and .u64 only");
                m_cursor.expect(')');
                const Constant inner = unary();
                (void)truth(inner);
                out = integer(inner.bits, cast == "u64");
            } else {
                out = ternary();
                m_cursor.expect(')');
            }
            break;
        default:
            if (c < '0' || c > '9') m_cursor.failUnexpected("a constant");
            out = number(m_cursor);
        }
        --m_depth;
        return out;
    }

    Constant binary(int lowest) {
        Constant left = unary();
        for (const Operator* op = nextOperator(); op != nullptr && op->precedence > lowest;
             op = nextOperator()) {
            m_cursor.advanceTo(m_cursor.rest().data() + std::string_view(op->text).size());
            left = apply(op->text, left, binary(op->precedence));
        }
        return left;
    }

    [[nodiscard]] Constant apply(std::string_view op, const Constant& l, const Constant& r) const {
        if (l.kind != Constant::Kind::Integer || r.kind != Constant::Kind::Integer)
            m_cursor.fail("constant expressions of floating-point numbers are not supported");
        const std::uint64_t a = l.bits, b = r.bits;
        const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
        const bool isUnsigned = l.isUnsigned || r.isUnsigned;
        const auto truthValue = [](bool value) { return integer(value ? 1 : 0, false); };
        if (op == "||") return truthValue(a != 0 || b != 0);
        if (op == "&&") return truthValue(a != 0 && b != 0);
        if (op == "==") return truthValue(a == b);
        if (op == "!=") return truthValue(a != b);
        if (op == "<") return truthValue(isUnsigned ? a < b : sa < sb);
        if (op == ">") return truthValue(isUnsigned ? a > b : sa > sb);
        if (op == "<=") return truthValue(isUnsigned ? a <= b : sa <= sb);
        if (op == ">=") return truthValue(isUnsigned ? a >= b : sa >= sb);
        if (op == "|") return integer(a | b, isUnsigned);
        if (op == "^") return integer(a ^ b, isUnsigned);
        if (op == "&") return integer(a & b, isUnsigned);
        if (op == "+") return integer(a + b, isUnsigned);
        if (op == "-") return integer(a - b, isUnsigned);
        if (op == "*") return integer(a * b, isUnsigned);
        if (op == "<<") return integer(b < 64 ? a << b : 0, l.isUnsigned);
        if (op == ">>") {
            if (l.isUnsigned) return integer(b < 64 ? a >> b : 0, true);
            return integer(static_cast<std::uint64_t>(sa >> (b < 64 ? b : 63)), false);
        }
        if (b == 0) m_cursor.fail("a constant expression divides by zero");
        if (isUnsigned) return integer(op == "/" ? a / b : a % b, true);
        // The one quotient that does not fit wraps around.
        if (sb == -1) return integer(op == "/" ? 0 - a : 0, false);
        return integer(static_cast<std::uint64_t>(op == "/" ? sa / sb : sa % sb), false);
    }

    Cursor& m_cursor;
    unsigned m_depth = 0;
};

} // namespace

Constant parseConstant(Cursor& cursor) {
    return Expression(cursor).ternary();
}

Constant parseLiteral(Cursor& cursor) {
    const bool negative = cursor.accept('-');
    const char c = cursor.peek();
    if (c < '0' || c > '9') cursor.failUnexpected("a number");
    const Constant out = number(cursor);
    return negative ? negate(cursor, out) : out;
}

std::uint64_t parseCount(Cursor& cursor, std::uint64_t limit, const char* what) {
    const Constant c = parseConstant(cursor);
    if (c.kind != Constant::Kind::Integer || c.bits > limit)
        cursor.fail(fmt::format("{} has to be an integer from 0 to {}", what, limit));
    return c.bits;
}

std::uint64_t convertConstant(const Constant& constant, Type type) {
    double value = 0;
    switch (constant.kind) {
    case Constant::Kind::Integer:
        value = constant.isUnsigned ? static_cast<double>(constant.bits)
                                    : static_cast<double>(static_cast<std::int64_t>(constant.bits));
        break;
    case Constant::Kind::Float32:
        value = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(constant.bits)));
        break;
    case Constant::Kind::Float64:
        value = std::bit_cast<double>(constant.bits);
        break;
    }
    // A literal of the variable's own kind keeps its bits, a NaN's payload included.
    if (type == Type::F32 && constant.kind != Constant::Kind::Float32)
        return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    if (type == Type::F64 && constant.kind != Constant::Kind::Float64)
        return std::bit_cast<std::uint64_t>(value);
    const std::size_t bytes = bytesOf(type);
    return bytes == 0 || bytes >= 8 ? constant.bits : constant.bits & ((1ull << (8 * bytes)) - 1);
}

} // namespace dormer::emulator::ptx
