// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/filter/where.h"

#include "analysis/filter/fields.h"
#include "analysis/session/names/name_filter.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::filter {

using session::LaunchIndex;

struct Where::Node {
    enum class Kind { And, Or, Not, Number, Name };
    Kind kind = Kind::Name;
    std::vector<std::shared_ptr<const Node>> parts;
    Field field;
    std::string op;
    double number = 0;
    std::string word;                          ///< in lower case
    std::optional<session::NameFilter> filter; ///< of ~ and !~
};

namespace {

using Node = Where::Node;
using NodeResult = Result<std::shared_ptr<const Node>>;

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

bool isKeyword(const Token& token, std::string_view word) {
    return token.kind == Token::Kind::Word && !token.quoted && lower(token.text) == word;
}

class Parser {
public:
    explicit Parser(std::string_view text) : m_tokens(tokensOf(text)) {}

    NodeResult all() {
        NodeResult root = expression(0);
        if (root && m_at < m_tokens.size()) return wrong("'and' or 'or' expected");
        return root;
    }

private:
    /// Text from the user nests no deeper than that.
    static constexpr int kMostDepth = 100;

    [[nodiscard]] bool isAt(std::string_view word) const {
        return m_at < m_tokens.size() && isKeyword(m_tokens[m_at], word);
    }
    [[nodiscard]] std::unexpected<Error> wrong(const std::string& what) const {
        return failure(ErrorKind::Usage, m_at < m_tokens.size()
                                             ? fmt::format("filter: {} at '{}'", what, m_tokens[m_at].text)
                                             : fmt::format("filter: {} at the end", what));
    }

    NodeResult chain(Node::Kind kind, std::string_view word, int depth) {
        auto node = std::make_shared<Node>();
        node->kind = kind;
        do {
            NodeResult part = kind == Node::Kind::Or ? chain(Node::Kind::And, "and", depth) : factor(depth);
            if (!part) return part;
            node->parts.push_back(std::move(*part));
        } while (isAt(word) && ++m_at);
        return node->parts.size() == 1 ? node->parts.front() : node;
    }
    NodeResult expression(int depth) { return chain(Node::Kind::Or, "or", depth); }

    NodeResult factor(int depth) {
        if (depth > kMostDepth) return wrong("nested too deep");
        if (isAt("not")) {
            ++m_at;
            NodeResult part = factor(depth + 1);
            if (!part) return part;
            auto node = std::make_shared<Node>();
            node->kind = Node::Kind::Not;
            node->parts.push_back(std::move(*part));
            return node;
        }
        if (m_at < m_tokens.size() && m_tokens[m_at].kind == Token::Kind::Open) {
            ++m_at;
            NodeResult inside = expression(depth + 1);
            if (!inside) return inside;
            if (m_at >= m_tokens.size() || m_tokens[m_at].kind != Token::Kind::Close)
                return wrong("')' expected");
            ++m_at;
            return inside;
        }
        return comparison();
    }

    NodeResult comparison() {
        if (m_at >= m_tokens.size() || m_tokens[m_at].kind != Token::Kind::Word)
            return wrong("a field is missing");
        const auto field = findField(lower(m_tokens[m_at].text));
        if (!field) return wrong("unknown field");
        ++m_at;
        if (m_at >= m_tokens.size() || m_tokens[m_at].kind != Token::Kind::Operator)
            return wrong("a comparison is missing");
        auto node = std::make_shared<Node>();
        node->field = *field;
        node->op = m_tokens[m_at].text;
        const bool forNames = node->op == "=" || node->op == "!=" || node->op == "~" || node->op == "!~";
        const bool forNumbers = node->op != "~" && node->op != "!~" && node->op != "!";
        if (!(field->isNumber() ? forNumbers : forNames))
            return wrong(field->isNumber() ? "numbers are compared by = != < <= > >=" : "names by = != ~ !~");
        ++m_at;
        if (m_at >= m_tokens.size() || m_tokens[m_at].kind != Token::Kind::Word)
            return wrong("a value is missing");
        const std::string& value = m_tokens[m_at].text;
        if (field->isNumber()) {
            node->kind = Node::Kind::Number;
            const auto number = numberOf(value, *field);
            if (!number) return wrong("a number is expected");
            node->number = *number;
        } else {
            node->word = lower(value);
            if (node->op.ends_with('~'))
                node->filter = session::NameFilter::typed(value);
            else if (field->kind == Field::Kind::Verdict) {
                if (node->word == toString(verdict::Bound::Unknown)) node->word = kUndetermined; // as in JSON
                if (std::ranges::find(whereVerdicts(), node->word) == whereVerdicts().end())
                    return wrong("memory, compute, latency, balanced or undetermined expected");
            }
        }
        ++m_at;
        return node;
    }

    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
};

std::optional<double> valueOf(const Field& field, const diagnosis::Diagnosis& diagnosis, LaunchIndex launch) {
    const std::size_t group = diagnosis.groupOf(launch);
    switch (field.kind) {
    case Field::Kind::Time:
        return diagnosis.groups()[group].totalNs;
    case Field::Kind::Calls:
        return static_cast<double>(diagnosis.groups()[group].calls());
    case Field::Kind::Savings: {
        const auto gain = diagnosis.gainOfGroup(group);
        return gain ? std::optional(gain->ns) : std::nullopt;
    }
    default:
        return diagnosis.metrics().value(launch, *field.metric);
    }
}

bool holds(double value, std::string_view op, double limit) {
    if (op == "=") return value == limit;
    if (op == "!=") return value != limit;
    if (op == "<") return value < limit;
    if (op == "<=") return value <= limit;
    if (op == ">") return value > limit;
    return value >= limit;
}

/// Any of a launch's names of this kind is the word, or has the pattern in it.
bool isNamed(const Node& node, const diagnosis::Diagnosis& diagnosis, LaunchIndex launch) {
    const session::Session& session = diagnosis.session();
    const auto is = [&](std::string_view name) {
        return node.filter ? node.filter->matches(name) : lower(name) == node.word;
    };
    switch (node.field.kind) {
    case Field::Kind::Kernel: {
        const std::string& name = session.kernelOf(launch).name;
        return is(name) || is(session::shortKernelName(name)) || is(diagnosis.label(launch));
    }
    case Field::Kind::Workload:
        return is(session.launch(launch).workload);
    case Field::Kind::Nvtx:
        return is(session.launch(launch).nvtx);
    case Field::Kind::Verdict: {
        const verdict::Bound bound = diagnosis.verdict(launch).bound;
        return is(bound == verdict::Bound::Unknown ? kUndetermined : toString(bound));
    }
    default:
        return std::ranges::any_of(
            diagnosis.findingsOfGroup(diagnosis.groupOf(launch)),
            [&](const auto& finding) { return is(finding.title) || is(finding.code); });
    }
}

bool accepted(const Node& node, const diagnosis::Diagnosis& diagnosis, LaunchIndex launch) {
    const auto each = [&](const std::shared_ptr<const Node>& part) {
        return accepted(*part, diagnosis, launch);
    };
    switch (node.kind) {
    case Node::Kind::And:
        return std::ranges::all_of(node.parts, each);
    case Node::Kind::Or:
        return std::ranges::any_of(node.parts, each);
    case Node::Kind::Not:
        return !each(node.parts.front());
    case Node::Kind::Number: {
        const auto value = valueOf(node.field, diagnosis, launch);
        return value && holds(*value, node.op, node.number);
    }
    case Node::Kind::Name:
        break;
    }
    return isNamed(node, diagnosis, launch) != node.op.starts_with('!');
}

} // namespace

Result<Where> Where::parse(std::string_view text) {
    NodeResult root = Parser(text).all();
    if (!root) return std::unexpected(root.error());
    return Where(std::move(*root));
}

bool Where::accepts(const diagnosis::Diagnosis& diagnosis, LaunchIndex launch) const {
    return accepted(*m_root, diagnosis, launch);
}

bool isExpression(std::string_view text) {
    const std::vector<Token> tokens = tokensOf(text);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
        if (tokens[i].kind == Token::Kind::Word && tokens[i + 1].kind == Token::Kind::Operator &&
            findField(lower(tokens[i].text)))
            return true;
    return false;
}

std::vector<Completion> completions(std::string_view text) {
    std::vector<Token> tokens = tokensOf(text);
    const bool typing = !text.empty() && text.back() != ' ' && !tokens.empty() &&
                        tokens.back().kind == Token::Kind::Word && !tokens.back().quoted;
    const std::string word = typing ? lower(tokens.back().text) : std::string();
    const std::string before(text.substr(0, typing ? tokens.back().at : text.size()));
    if (typing) tokens.pop_back();
    std::vector<Completion> found;
    const auto offer = [&](std::string_view each, std::string_view hint) {
        if (each.starts_with(word) && each != word)
            found.push_back({before + std::string(each) + ' ', std::string(hint)});
    };
    const Token* last = tokens.empty() ? nullptr : &tokens.back();
    if (last != nullptr && last->kind == Token::Kind::Operator && tokens.size() >= 2) {
        const auto field = findField(lower(tokens[tokens.size() - 2].text));
        if (field && field->kind == Field::Kind::Verdict)
            for (const std::string_view verdict : whereVerdicts())
                offer(verdict, "");
        return found;
    }
    const bool afterField =
        last != nullptr && last->kind == Token::Kind::Word && !last->quoted && findField(lower(last->text));
    const bool afterValue =
        last != nullptr && !afterField &&
        (last->kind == Token::Kind::Close || (last->kind == Token::Kind::Word && tokens.size() >= 2 &&
                                              tokens[tokens.size() - 2].kind == Token::Kind::Operator));
    if (afterField && !typing) {
        const auto field = findField(lower(last->text));
        offer("=", "");
        offer("!=", "");
        if (field->isNumber()) {
            for (const char* op : {"<", "<=", ">", ">="})
                offer(op, "");
        } else {
            offer("~", "found anywhere, a regular expression");
            offer("!~", "not found");
        }
    } else if (afterValue) {
        offer("and", "both hold");
        offer("or", "one of them holds");
    } else if (!afterField) {
        for (const FieldText& field : whereFields())
            offer(field.name, field.meaning);
    }
    return found;
}

} // namespace dormer::filter
