// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/parser/declaration.h"

#include "instrument/emulator/ptx/constant.h"
#include "instrument/emulator/ptx/parser/initialiser.h"
#include "instrument/emulator/ptx/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace dormer::emulator::ptx::parser {
namespace {

constexpr std::uint64_t kMaxBytes = 1ull << 40; ///< of a variable: more than any chip has
constexpr std::size_t kMaxDimensions = 16;
constexpr std::uint64_t kMaxAlignment = 1ull << 20;

std::size_t parseAlignment(Cursor& cursor) {
    const std::uint64_t value = parseCount(cursor, kMaxAlignment, "an alignment");
    if (!std::has_single_bit(value)) cursor.fail("an alignment has to be a power of two");
    return value;
}

/// `.ptr .global .align 8`: what a kernel's pointer parameter points to. Nothing executes by it.
void skipPointee(Cursor& cursor) {
    while (cursor.peek() == '.') {
        const Cursor before = cursor;
        const std::string_view word = cursor.directive();
        if (word == "align") {
            (void)parseAlignment(cursor);
        } else if (!spaceOf(word)) {
            cursor = before;
            return;
        }
    }
}

void parseAttributes(Cursor& cursor, Variable& head) {
    cursor.expect('(');
    do {
        const std::string_view attribute = cursor.directive();
        if (attribute == "managed")
            head.isManaged = true;
        else if (attribute == "unified") {
            cursor.expect('(');
            cursor.skipPast(')');
        } else
            cursor.fail(fmt::format("the attribute '.{}' is not known", attribute.substr(0, 100)));
    } while (cursor.accept(','));
    cursor.expect(')');
}

} // namespace

std::optional<Space> spaceOf(std::string_view directive) {
    if (directive == "global" || directive == "tex") return Space::Global;
    if (directive == "shared") return Space::Shared;
    if (directive == "local") return Space::Local;
    if (directive == "const") return Space::Const;
    if (directive == "param") return Space::Param;
    if (directive == "reg") return Space::Register;
    return std::nullopt;
}

Variable parseVariableHead(Cursor& cursor, Space space) {
    Variable head;
    head.space = space;
    head.type = Type::None;
    std::size_t alignment = 0;
    while (cursor.peek() == '.') {
        const std::string_view word = cursor.directive();
        if (const Type type = typeOf(word); type != Type::None) {
            if (head.type != Type::None) cursor.fail("a variable has two types");
            head.type = type;
        } else if (word == "align") {
            alignment = parseAlignment(cursor);
        } else if (word == "v2" || word == "v4" || word == "v8") {
            head.vector = static_cast<std::uint32_t>(word[1] - '0');
        } else if (word == "ptr") {
            skipPointee(cursor);
        } else if (word == "attribute") {
            parseAttributes(cursor, head);
        } else {
            cursor.fail(fmt::format("'.{}' where the type of a variable should come", word.substr(0, 100)));
        }
    }
    if (head.type == Type::None) cursor.failUnexpected("the type of a variable");
    head.bytes = bytesOf(head.type) * head.vector;
    head.alignment = alignment != 0 ? alignment : std::max<std::size_t>(head.bytes, 1);
    return head;
}

Variable parseDeclarator(Cursor& cursor, const Variable& head, InitialBudget& budget) {
    Variable out = head;
    out.name = cursor.name("the name of a variable");
    Extents extents;
    while (cursor.accept('[')) {
        if (extents.size() == kMaxDimensions) cursor.fail("an array has too many dimensions");
        if (cursor.peek() == ']') {
            if (!extents.empty()) cursor.fail("only the first dimension of an array can be open");
            extents.push_back(0);
        } else {
            extents.push_back(parseCount(cursor, kMaxBytes, "the size of an array"));
        }
        cursor.expect(']');
        if (extents.back() == 0) {
            if (extents.size() > 1) cursor.fail("an array has no elements");
            continue;
        }
        if (out.bytes > kMaxBytes / extents.back()) cursor.fail("an array is too large");
        out.bytes *= extents.back();
    }
    if (!extents.empty() && extents[0] == 0) out.bytes = 0;
    if (head.vector > 1) extents.push_back(head.vector);
    if (cursor.accept('=')) {
        if (head.type == Type::Opaque)
            (void)cursor.block(); // a sampler's settings
        else
            parseInitialiser(cursor, out, std::move(extents), budget);
    }
    return out;
}

std::vector<Variable> parseParameters(Cursor& cursor, InitialBudget& budget) {
    std::vector<Variable> out;
    if (cursor.accept(')')) return out;
    do {
        const std::string_view directive = cursor.directive();
        const std::optional<Space> space = spaceOf(directive);
        if (space != Space::Param && space != Space::Register) cursor.failUnexpected("a parameter");
        out.push_back(parseDeclarator(cursor, parseVariableHead(cursor, *space), budget));
        if (!out.back().initial.empty()) cursor.fail("a parameter can't be initialised");
    } while (cursor.accept(','));
    cursor.expect(')');
    return out;
}

} // namespace dormer::emulator::ptx::parser
