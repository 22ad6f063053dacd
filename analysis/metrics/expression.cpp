// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace dormer::metrics {

namespace {

bool isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

std::optional<Expression::Op> functionNamed(std::string_view name) {
    if (name == "min") return Expression::Op::Min;
    if (name == "max") return Expression::Op::Max;
    if (name == "first") return Expression::Op::First;
    if (name == "times") return Expression::Op::Times;
    return std::nullopt;
}

} // namespace

/// Recursive descent; each rule appends postfix steps and tracks how deep the stack gets.
class ExpressionParser {
public:
    explicit ExpressionParser(std::string_view text) : m_text(text) {}

    Result<Expression> parse() {
        sum();
        skipSpace();
        if (m_error.empty() && m_at < m_text.size()) fail("unexpected text");
        if (!m_error.empty()) return failure(ErrorKind::Input, m_error);
        return std::move(m_out);
    }

private:
    using Op = Expression::Op;

    void sum() {
        product();
        while (m_error.empty()) {
            if (accept('+')) {
                product();
                combine(Op::Add);
            } else if (accept('-')) {
                product();
                combine(Op::Subtract);
            } else {
                return;
            }
        }
    }

    void product() {
        factor();
        while (m_error.empty()) {
            if (accept('*')) {
                factor();
                combine(Op::Multiply);
            } else if (accept('/')) {
                factor();
                combine(Op::Divide);
            } else {
                return;
            }
        }
    }

    void factor() {
        if (++m_nesting > Expression::kMaxDepth) return fail("nested too deeply");
        skipSpace();
        if (accept('-')) {
            factor();
            if (m_error.empty()) m_out.m_steps.push_back({Op::Negate, 0, 0});
        } else if (accept('(')) {
            sum();
            expect(')');
        } else if (m_at < m_text.size() && (isDigit(m_text[m_at]) || m_text[m_at] == '.')) {
            number();
        } else if (m_at < m_text.size() && isNameStart(m_text[m_at])) {
            nameOrCall();
        } else {
            fail("expected a number, a name or '('");
        }
        --m_nesting;
    }

    void number() {
        double value = 0;
        const char* end = m_text.data() + m_text.size();
        const auto [stop, error] = std::from_chars(m_text.data() + m_at, end, value);
        if (error != std::errc()) return fail("not a number");
        m_at = static_cast<std::size_t>(stop - m_text.data());
        push({Op::Constant, 0, value});
    }

    void nameOrCall() {
        const std::size_t start = m_at;
        while (m_at < m_text.size() &&
               (isNameStart(m_text[m_at]) || isDigit(m_text[m_at]) || m_text[m_at] == '.'))
            ++m_at;
        const std::string_view name = m_text.substr(start, m_at - start);
        if (accept('(')) return call(name);
        auto& inputs = m_out.m_inputs;
        auto found = std::ranges::find(inputs, name);
        if (found == inputs.end()) found = inputs.insert(inputs.end(), std::string(name));
        push({Op::Input, static_cast<std::uint32_t>(found - inputs.begin()), 0});
    }

    void call(std::string_view name) {
        const auto op = functionNamed(name);
        if (!op) return fail(fmt::format("no function '{}'", name));
        sum();
        int arguments = 1;
        while (m_error.empty() && accept(',')) {
            sum();
            combine(*op);
            ++arguments;
        }
        expect(')');
        if (arguments < 2 || (*op == Op::Times && arguments != 2))
            fail(fmt::format("wrong number of arguments for '{}'", name));
    }

    void push(Expression::Step step) {
        m_out.m_steps.push_back(step);
        if (++m_depth > Expression::kMaxDepth) fail("nested too deeply");
    }

    void combine(Op op) {
        if (!m_error.empty()) return;
        m_out.m_steps.push_back({op, 0, 0});
        --m_depth;
    }

    void skipSpace() {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\n'))
            ++m_at;
    }

    bool accept(char c) {
        skipSpace();
        if (m_at >= m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }

    void expect(char c) {
        if (m_error.empty() && !accept(c)) fail(fmt::format("expected '{}'", c));
    }

    void fail(std::string_view what) {
        if (m_error.empty()) m_error = fmt::format("formula '{}', column {}: {}", m_text, m_at + 1, what);
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::size_t m_depth = 0;
    std::size_t m_nesting = 0;
    Expression m_out;
    std::string m_error;
};

Result<Expression> Expression::parse(std::string_view text) {
    return ExpressionParser(text).parse();
}

} // namespace dormer::metrics
