// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/check/rules.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace dormer::check {

namespace {

constexpr std::string_view kBaseline = "baseline";

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

/// "no finding [CODE] [above N %]"
Result<NoFinding> parseFinding(std::string_view text) {
    NoFinding finding;
    const std::size_t above = text.find(" above ");
    std::string_view code = trimmed(text.substr(0, above));
    if (code.find(' ') != std::string_view::npos)
        return failure(ErrorKind::Usage, fmt::format("'{}' is no code of a finding", code));
    finding.code = code;
    if (above == std::string_view::npos) return finding;
    std::string_view share = trimmed(text.substr(above + 7));
    double percent = 0;
    const auto [end, error] = std::from_chars(share.data(), share.data() + share.size(), percent);
    if (error != std::errc{} || trimmed({end, share.data() + share.size()}) != "%")
        return failure(ErrorKind::Usage,
                       fmt::format("'above {}': expected a percentage, as 'above 5 %'", share));
    finding.aboveShare = percent / 100;
    return finding;
}

Result<Comparison> parseComparison(std::string_view text) {
    static constexpr auto kRelations =
        std::to_array<std::pair<std::string_view, Relation>>({{"==", Relation::Equal},
                                                              {"!=", Relation::NotEqual},
                                                              {"<=", Relation::LessOrEqual},
                                                              {">=", Relation::GreaterOrEqual},
                                                              {"<", Relation::Less},
                                                              {">", Relation::Greater}});
    for (const auto& [sign, relation] : kRelations) {
        const std::size_t at = text.find(sign);
        if (at == std::string_view::npos) continue;
        auto left = metrics::Expression::parse(trimmed(text.substr(0, at)));
        if (!left) return std::unexpected(left.error());
        auto right = metrics::Expression::parse(trimmed(text.substr(at + sign.size())));
        if (!right) return std::unexpected(right.error());
        if (std::ranges::find(left->inputs(), kBaseline) != left->inputs().end())
            return failure(ErrorKind::Usage, "'baseline' stands on the right-hand side");
        const bool needsBaseline = std::ranges::find(right->inputs(), kBaseline) != right->inputs().end();
        return Comparison{std::move(*left), std::move(*right), relation, needsBaseline};
    }
    return failure(ErrorKind::Usage, "expected a comparison (==, !=, <=, >=, <, >) or 'no finding CODE'");
}

/// "require" of a rule.
Result<void> parseRequirement(std::string_view text, Rule& rule) {
    text = trimmed(text);
    if (text.starts_with("no finding")) {
        auto finding = parseFinding(fmt::format("{} ", text.substr(10)));
        if (!finding) return std::unexpected(finding.error());
        rule.finding = std::move(*finding);
        return {};
    }
    auto comparison = parseComparison(text);
    if (!comparison) return std::unexpected(comparison.error());
    rule.comparison = std::move(*comparison);
    return {};
}

Result<void> setKernels(std::string_view pattern, Rule& rule) {
    pattern = trimmed(pattern);
    if (pattern.empty() || pattern == "*") return {};
    rule.pattern = pattern;
    auto filter = session::NameFilter::compile(rule.pattern, "kernels");
    if (!filter) return std::unexpected(filter.error());
    rule.kernels = std::move(*filter);
    return {};
}

/// "PATTERN: REQUIREMENT", or the requirement alone. Patterns may hold "::", so a blank must follow the
/// colon.
Result<void> parseShort(const std::string& text, Rule& rule) {
    rule.text = rule.title = text;
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos) return parseRequirement(text, rule);
    if (const auto kernels = setKernels(std::string_view(text).substr(0, colon), rule); !kernels)
        return kernels;
    return parseRequirement(std::string_view(text).substr(colon + 2), rule);
}

Result<void> parseTable(const toml::table& table, Rule& rule) {
    static constexpr std::array<std::string_view, 5> kKeys = {"name", "kernels", "require", "level",
                                                              "missing"};
    for (const auto& [key, value] : table) {
        if (std::ranges::find(kKeys, key.str()) == kKeys.end())
            return failure(
                ErrorKind::Usage,
                fmt::format("unknown key '{}': a rule has name, kernels, require, level and missing",
                            key.str()));
        if (!value.is_string()) return failure(ErrorKind::Usage, fmt::format("'{}' is no text", key.str()));
    }
    const auto text = [&](std::string_view key) {
        return std::string(table[key].value_or(std::string_view()));
    };
    rule.text = text("require");
    if (rule.text.empty()) return failure(ErrorKind::Usage, "a rule needs 'require'");
    if (const auto kernels = setKernels(text("kernels"), rule); !kernels) return kernels;
    rule.title = !text("name").empty()  ? text("name")
                 : rule.pattern.empty() ? rule.text
                                        : fmt::format("{}: {}", rule.pattern, rule.text);
    const std::string level = text("level"), missing = text("missing");
    if (!level.empty() && level != "error" && level != "warning")
        return failure(ErrorKind::Usage, fmt::format("level '{}': expected error or warning", level));
    if (!missing.empty() && missing != "fail" && missing != "skip")
        return failure(ErrorKind::Usage, fmt::format("missing '{}': expected fail or skip", missing));
    rule.warning = level == "warning";
    rule.skipMissing = missing == "skip";
    return parseRequirement(rule.text, rule);
}

Result<std::vector<Rule>> rulesOf(const toml::table& document, const std::string& file) {
    std::vector<Rule> rules;
    const auto fail = [&](std::uint32_t line, const std::string& what) {
        return failure(ErrorKind::Usage, fmt::format("{}:{}: {}", file, line, what));
    };
    for (const auto& [key, value] : document) {
        const bool isShort = key.str() == "rules";
        const toml::array* all = value.as_array();
        if ((!isShort && key.str() != "rule") || all == nullptr)
            return fail(key.source().begin.line,
                        fmt::format("unknown key '{}': a rules file has [[rule]] tables and an array 'rules'",
                                    key.str()));
        for (const toml::node& each : *all) {
            Rule rule;
            rule.line = each.source().begin.line;
            const toml::table* table = each.as_table();
            const auto text = each.value<std::string>();
            if (isShort ? !text : table == nullptr)
                return fail(rule.line, isShort ? "a rule is a text" : "a rule is a table");
            if (const auto parsed = isShort ? parseShort(*text, rule) : parseTable(*table, rule); !parsed)
                return fail(rule.line, parsed.error().message);
            rules.push_back(std::move(rule));
        }
    }
    if (rules.empty()) return fail(1, "no rule is in it");
    std::ranges::stable_sort(rules, {}, &Rule::line);
    return rules;
}

} // namespace

Result<std::vector<Rule>> parseRules(std::string_view toml, const std::string& file) {
    try {
        return rulesOf(toml::parse(toml), file);
    } catch (const toml::parse_error& error) {
        return failure(ErrorKind::Usage,
                       fmt::format("{}:{}: {}", file, error.source().begin.line, error.description()));
    }
}

std::vector<std::string> namesIn(const Rule& rule) {
    std::vector<std::string> names;
    if (!rule.comparison) return names;
    for (const metrics::Expression* side : {&rule.comparison->left, &rule.comparison->right})
        for (const std::string& name : side->inputs())
            if (name != kBaseline && std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
}

} // namespace dormer::check
