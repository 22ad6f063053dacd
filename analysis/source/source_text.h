// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dormer::source {

/// `name[i]`, `name[i][j]`, `name[i, j]` or, for views of matrices, `name(i, j)` in a source text.
struct Subscript {
    std::string name{};
    std::vector<std::string> indices{}; ///< one or two, as written
    std::string member{};               ///< of `name[i].member`; else empty
    std::string text{};                 ///< as written, with the member
    std::uint32_t line = 0;
    bool written = false; ///< assigned to; compound assignments both read and write
    bool read = true;
    bool call = false; ///< `name(i, j)`
};

/// `TYPE name = value`, wherever it stands.
struct ValueDeclaration {
    std::string value;
    std::uint32_t line = 0;
    bool loop = false; ///< in the head of a `for`
};

/// `__shared__ TYPE name[A][B]`.
struct SharedArray {
    std::string type;
    std::vector<std::string> dimensions; ///< as written; empty text for `extern ... name[]`
    std::uint32_t line = 0;
};

/// Comments and the insides of literals become blanks; line breaks and places stay.
[[nodiscard]] std::string withoutComments(std::string_view text);

/// CUDA C++ looked at as text: comments and literals are taken out, nothing is expanded. Finds what is
/// written plainly, and nothing else: no macros, no overloads, no scopes but the function's.
class SourceText {
public:
    explicit SourceText(std::string_view text);

    /// The kernel or device function that a line is in: from its `template` or first attribute to its closing
    /// brace. Absent when there is none.
    struct Function {
        std::size_t begin = 0, body = 0, end = 0;
        std::string name;
        std::vector<std::string> templateParameters; ///< names, in order
        bool kernel = false;                         ///< its parameters are the same for all threads
    };
    [[nodiscard]] std::optional<Function> functionAt(std::uint32_t line) const;

    /// None of a function that has very many.
    [[nodiscard]] std::vector<Subscript> subscriptsIn(const Function& function) const;
    /// The last declaration of a local name before a line; absent also when it was assigned to in between.
    [[nodiscard]] std::optional<ValueDeclaration> localValue(const Function& function, std::string_view name,
                                                             std::uint32_t beforeLine) const;
    /// `constexpr T name = v`, `const T name = v`, `#define name v` or an enumerator outside of functions'
    /// ways: absent when the file has several that differ.
    [[nodiscard]] std::optional<std::string> constant(const std::string& name) const;
    [[nodiscard]] std::optional<SharedArray> sharedArray(const Function& function,
                                                         std::string_view name) const;
    /// An array that the function declares, shared or its own, or one of constant memory: none of its
    /// elements is in global memory.
    [[nodiscard]] bool isArrayElsewhere(const Function& function, std::string_view name) const;
    /// Every mention of the array in the function but its declaration is an element, `name[...]`, whose
    /// address is not taken: nothing else depends on where its elements lie.
    [[nodiscard]] bool isUsedByElement(const Function& function, std::string_view name) const;
    /// `base + offset` or `&base[offset]` in the declaration of a local pointer before a line: an index of
    /// the pointer is that offset further on in `base`. Absent also when the pointer moves afterwards.
    struct PointerInto {
        std::string base, offset;
    };
    [[nodiscard]] std::optional<PointerInto> pointerInto(const Function& function, std::string_view name,
                                                         std::uint32_t beforeLine) const;
    /// A value of a plain name is changed in the function outside of loops' heads: what a thread does first
    /// decides what it does next.
    [[nodiscard]] bool carriesValues(const Function& function) const;
    /// "i" of `if (i % n == 0)` that begins on a line and has no `else`; empty of anything else there.
    [[nodiscard]] std::string pickedByRemainder(std::uint32_t line) const;
    /// Lines of the function on which any of the words stands.
    [[nodiscard]] std::vector<std::uint32_t> linesWith(const Function& function,
                                                       std::span<const std::string_view> words) const;
    /// True for a parameter; `view`: of a class template's type, such as Matrix<float>.
    [[nodiscard]] bool isParameter(const Function& function, std::string_view name, bool view = false) const;
    /// "Pixel" of a parameter `const Pixel* name`; empty for other things.
    [[nodiscard]] std::string elementType(const Function& function, std::string_view name) const;
    /// `struct NAME` stands in the file.
    [[nodiscard]] bool declaresStructure(std::string_view name) const;
    /// A line as it is in the file, without blanks around it.
    [[nodiscard]] std::string lineText(std::uint32_t line) const;

private:
    [[nodiscard]] std::uint32_t lineOf(std::size_t offset) const;
    [[nodiscard]] std::string_view between(std::size_t begin, std::size_t end) const;
    [[nodiscard]] std::optional<ValueDeclaration> declarationAt(std::size_t name, std::size_t nameEnd) const;

    [[nodiscard]] std::optional<std::string> findConstant(std::string_view name) const;

    std::string m_original;
    std::string m_text;                ///< as long as the original
    std::vector<std::size_t> m_starts; ///< of lines
    mutable std::map<std::string, std::optional<std::string>>
        m_constants; ///< those requested: not for threads
};

} // namespace dormer::source
