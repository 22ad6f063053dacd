// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dormer::session {

/// Walks a demangled name once, left to right, and gathers the parts of the function's qualified name.
class NameWalker {
public:
    explicit NameWalker(std::string_view text) : m_text(text) {}

    /// What the name consists of, without template arguments. Precondition: called once.
    [[nodiscard]] std::vector<std::string> parts();
    /// The template argument lists stepped over in what parts() returned: "<int, 4>".
    [[nodiscard]] const std::vector<std::string_view>& templateLists() const { return m_templateLists; }
    /// The parameter list that ended the name, "(int*)"; empty without one.
    [[nodiscard]] std::string_view parameters() const { return m_parameters; }

    /// Splits "<a, b<c, d>>" or "(a, b)" at its own commas.
    [[nodiscard]] static std::vector<std::string_view> split(std::string_view list);
    /// Length of the bracket that `text` begins with and all it encloses.
    [[nodiscard]] static std::size_t bracketLength(std::string_view text);

    /// Characters that this thread's walkers have stepped over so far: what walking costs.
    [[nodiscard]] static std::size_t stepsTaken();

private:
    bool step();
    bool space();
    [[nodiscard]] bool isAnonymousNamespace() const {
        return m_text.substr(m_at).starts_with("(anonymous namespace)");
    }
    bool parenthesis();
    bool takeOperator();
    std::string_view skipBrackets();
    bool skipOperator();
    void endPart();

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_part;
    std::vector<std::string> m_parts;
    std::vector<std::string_view> m_templateLists;
    std::string_view m_parameters;
};

} // namespace dormer::session
