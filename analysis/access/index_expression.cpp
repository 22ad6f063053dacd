// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/index_expression.h"

#include <fmt/format.h>

#include <cctype>
#include <optional>
#include <string>

namespace dormer::access {

namespace {

/// Deeper nesting than anyone writes; keeps a hostile text from using up the stack.
constexpr int kMaxDepth = 200;
/// The same for chains of operators, which lean to the left.
constexpr std::size_t kMaxLength = 4096;

struct NamedIndex {
    std::string_view text;
    IndexName name;
};
constexpr NamedIndex kNames[] = {
    {"tid", IndexName::TidX},         {"tid.x", IndexName::TidX},       {"tid.y", IndexName::TidY},
    {"tid.z", IndexName::TidZ},       {"threadIdx.x", IndexName::TidX}, {"threadIdx.y", IndexName::TidY},
    {"threadIdx.z", IndexName::TidZ}, {"bid", IndexName::BidX},         {"bid.x", IndexName::BidX},
    {"bid.y", IndexName::BidY},       {"bid.z", IndexName::BidZ},       {"blockIdx.x", IndexName::BidX},
    {"blockIdx.y", IndexName::BidY},  {"blockIdx.z", IndexName::BidZ},  {"bdim", IndexName::BdimX},
    {"bdim.x", IndexName::BdimX},     {"bdim.y", IndexName::BdimY},     {"bdim.z", IndexName::BdimZ},
    {"blockDim.x", IndexName::BdimX}, {"blockDim.y", IndexName::BdimY}, {"blockDim.z", IndexName::BdimZ},
    {"gdim", IndexName::GdimX},       {"gdim.x", IndexName::GdimX},     {"gdim.y", IndexName::GdimY},
    {"gdim.z", IndexName::GdimZ},     {"gridDim.x", IndexName::GdimX},  {"gridDim.y", IndexName::GdimY},
    {"gridDim.z", IndexName::GdimZ},  {"lane", IndexName::Lane},        {"warp", IndexName::Warp},
};

std::optional<IndexName> findName(std::string_view text) {
    for (const NamedIndex& each : kNames)
        if (each.text == text) return each.name;
    return std::nullopt;
}

bool isNameStart(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isNamePart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

} // namespace

/// Recursive descent, one function a level of C's precedence; throws its message.
class IndexParser {
public:
    using Op = IndexExpression::Op;
    IndexParser(std::string_view text, std::int64_t rowElements) : m_text(text), m_row(rowElements) {}

    IndexExpression parse() {
        const std::uint32_t root = choice();
        skipBlanks();
        if (m_at < m_text.size()) stop(fmt::format("'{}' is not expected here", m_text[m_at]));
        // The root is the last node: `(tid)` alone ends in the name's own.
        if (root + 1 != m_result.m_nodes.size()) m_result.m_nodes.push_back(m_result.m_nodes[root]);
        return std::move(m_result);
    }

private:
    struct BinaryOp {
        std::string_view text;
        Op op;
        int level; ///< higher binds tighter
    };
    /// Longer texts first, so that `<<` is not taken for `<`.
    static constexpr BinaryOp kBinary[] = {
        {"||", Op::LogicalOr, 1}, {"&&", Op::LogicalAnd, 2},   {"==", Op::Equal, 6},
        {"!=", Op::NotEqual, 6},  {"<<", Op::ShiftLeft, 8},    {">>", Op::ShiftRight, 8},
        {"<=", Op::LessEqual, 7}, {">=", Op::GreaterEqual, 7}, {"|", Op::Or, 3},
        {"^", Op::Xor, 4},        {"&", Op::And, 5},           {"<", Op::Less, 7},
        {">", Op::Greater, 7},    {"+", Op::Add, 9},           {"-", Op::Subtract, 9},
        {"*", Op::Multiply, 10},  {"/", Op::Divide, 10},       {"%", Op::Modulo, 10},
    };

    [[noreturn]] void stop(const std::string& what) const {
        throw Error{ErrorKind::Usage, fmt::format("in '{}' at character {}: {}", m_text, m_at + 1, what)};
    }
    void skipBlanks() {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0)
            ++m_at;
    }
    bool take(std::string_view token) {
        skipBlanks();
        if (!m_text.substr(m_at).starts_with(token)) return false;
        m_at += token.size();
        return true;
    }
    void need(std::string_view token) {
        if (!take(token)) stop(fmt::format("'{}' is missing", token));
    }
    std::uint32_t add(Op op, std::int64_t constant, std::uint32_t a = 0, std::uint32_t b = 0,
                      std::uint32_t c = 0) {
        m_result.m_nodes.push_back({op, constant, {a, b, c}});
        return static_cast<std::uint32_t>(m_result.m_nodes.size() - 1);
    }

    std::uint32_t choice() {
        if (++m_depth > kMaxDepth) stop("it is nested too deeply");
        std::uint32_t node = binary(1);
        if (take("?")) {
            const std::uint32_t yes = choice();
            need(":");
            const std::uint32_t no = choice();
            node = add(Op::Choose, 0, node, yes, no);
        }
        --m_depth;
        return node;
    }

    const BinaryOp* nextBinary() {
        skipBlanks();
        for (const BinaryOp& each : kBinary)
            if (m_text.substr(m_at).starts_with(each.text)) return &each;
        return nullptr;
    }
    std::uint32_t binary(int level) {
        std::uint32_t left = unary();
        for (const BinaryOp* op = nextBinary(); op != nullptr && op->level >= level; op = nextBinary()) {
            m_at += op->text.size();
            const std::uint32_t right = binary(op->level + 1);
            left = add(op->op, 0, left, right);
        }
        return left;
    }

    std::uint32_t unary() {
        if (++m_depth > kMaxDepth) stop("it is nested too deeply");
        std::uint32_t node = 0;
        if (take("-"))
            node = add(Op::Negate, 0, unary());
        else if (take("~"))
            node = add(Op::Complement, 0, unary());
        else if (take("!"))
            node = add(Op::Not, 0, unary());
        else if (take("+"))
            node = unary();
        else
            node = primary();
        --m_depth;
        return node;
    }

    std::uint32_t primary() {
        if (take("(")) {
            const std::uint32_t node = choice();
            need(")");
            return node;
        }
        skipBlanks();
        if (m_at == m_text.size()) stop("it ends too early");
        const char c = m_text[m_at];
        if (std::isdigit(static_cast<unsigned char>(c)) != 0) return number();
        if (isNameStart(c)) return name();
        stop(fmt::format("'{}' is not expected here", c));
    }

    std::uint32_t number() {
        const std::string digits(m_text.substr(m_at));
        std::size_t used = 0;
        std::int64_t value = 0;
        try {
            value = std::stoll(digits, &used, 0);
        } catch (const std::exception&) {
            stop("the number is too large");
        }
        m_at += used;
        // 32U, 1ULL
        while (m_at < m_text.size() &&
               (std::toupper(m_text[m_at]) == 'U' || std::toupper(m_text[m_at]) == 'L'))
            ++m_at;
        if (m_at < m_text.size() && isNamePart(m_text[m_at])) stop("a whole number is expected");
        return add(Op::Constant, value);
    }

    std::uint32_t name() {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && isNamePart(m_text[m_at]))
            ++m_at;
        const std::string_view text = m_text.substr(begin, m_at - begin);
        skipBlanks();
        if (m_at < m_text.size() && m_text[m_at] == '[') return subscript();
        if (const auto known = findName(text)) return add(Op::Name, static_cast<std::int64_t>(*known));
        m_at = begin;
        stop(fmt::format(
            "there is no '{}': use tid, lane, warp, bid, bdim, gdim (or threadIdx.x and so on) and "
            "numbers",
            text));
    }

    std::uint32_t subscript() {
        need("[");
        const std::uint32_t first = choice();
        need("]");
        if (!take("[")) return first;
        if (m_row <= 0) stop("two subscripts need the length of a row: --row N");
        const std::uint32_t second = choice();
        need("]");
        const std::uint32_t row = add(Op::Constant, m_row);
        const std::uint32_t offset = add(Op::Multiply, 0, first, row);
        return add(Op::Add, 0, offset, second);
    }

    std::string_view m_text;
    std::int64_t m_row;
    std::size_t m_at = 0;
    int m_depth = 0;
    IndexExpression m_result;
};

Result<IndexExpression> IndexExpression::parse(std::string_view text, std::int64_t rowElements) {
    if (text.size() > kMaxLength)
        return failure(
            ErrorKind::Usage,
            fmt::format("the expression is too long: {} characters, {} are taken", text.size(), kMaxLength));
    try {
        return IndexParser(text, rowElements).parse();
    } catch (const Error& error) {
        return std::unexpected(error);
    }
}

Result<std::int64_t> IndexExpression::evaluate(const IndexValues& values) const {
    return evaluate(static_cast<std::uint32_t>(m_nodes.size() - 1), values);
}

Result<std::int64_t> IndexExpression::evaluate(std::uint32_t at, const IndexValues& values) const {
    const Node& node = m_nodes[at];
    if (node.op == Op::Constant) return node.constant;
    if (node.op == Op::Name) return values[static_cast<std::size_t>(node.constant)];
    const Result<std::int64_t> left = evaluate(node.child[0], values);
    if (!left) return left;
    switch (node.op) {
    case Op::Choose:
        return evaluate(node.child[*left != 0 ? 1 : 2], values);
    case Op::LogicalAnd:
    case Op::LogicalOr: {
        if ((*left != 0) == (node.op == Op::LogicalOr)) return *left != 0 ? 1 : 0;
        const Result<std::int64_t> right = evaluate(node.child[1], values);
        if (!right) return right;
        return *right != 0 ? 1 : 0;
    }
    case Op::Negate:
        return apply(Op::Subtract, 0, *left);
    case Op::Complement:
        return ~*left;
    case Op::Not:
        return *left == 0 ? 1 : 0;
    default: {
        const Result<std::int64_t> right = evaluate(node.child[1], values);
        if (!right) return right;
        return apply(node.op, *left, *right);
    }
    }
}

Result<std::int64_t> IndexExpression::apply(Op op, std::int64_t left, std::int64_t right) {
    std::int64_t result = 0;
    bool overflow = false;
    switch (op) {
    case Op::Add:
        overflow = __builtin_add_overflow(left, right, &result);
        break;
    case Op::Subtract:
        overflow = __builtin_sub_overflow(left, right, &result);
        break;
    case Op::Multiply:
        overflow = __builtin_mul_overflow(left, right, &result);
        break;
    case Op::Divide:
    case Op::Modulo:
        if (right == 0) return failure(ErrorKind::Usage, "the expression divides by zero");
        if (right == -1) return apply(Op::Subtract, 0, op == Op::Divide ? left : 0);
        result = op == Op::Divide ? left / right : left % right;
        break;
    case Op::ShiftLeft:
    case Op::ShiftRight:
        if (right < 0 || right > 63)
            return failure(ErrorKind::Usage, "the expression shifts by less than 0 or more than 63");
        if (op == Op::ShiftRight) return left >> right;
        result = static_cast<std::int64_t>(static_cast<std::uint64_t>(left) << right);
        overflow = (result >> right) != left;
        break;
    case Op::And:
        return left & right;
    case Op::Or:
        return left | right;
    case Op::Xor:
        return left ^ right;
    case Op::Less:
        return left < right ? 1 : 0;
    case Op::LessEqual:
        return left <= right ? 1 : 0;
    case Op::Greater:
        return left > right ? 1 : 0;
    case Op::GreaterEqual:
        return left >= right ? 1 : 0;
    case Op::Equal:
        return left == right ? 1 : 0;
    case Op::NotEqual:
        return left != right ? 1 : 0;
    default:
        break; // evaluated by the caller
    }
    if (overflow) return failure(ErrorKind::Usage, "the expression overflows 64 bits");
    return result;
}

} // namespace dormer::access
