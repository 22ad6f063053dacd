// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/linker/unit.h"

#include "instrument/emulator/ptx/cursor.h"

#include <algorithm>

namespace dormer::emulator::ptx::linker {

namespace {

/// Behind what begins at the cursor, up to its end: a balanced pair of parentheses.
void skipParentheses(Cursor& cursor) {
    cursor.expect('(');
    for (int depth = 1; depth > 0;) {
        const char c = cursor.peek();
        if (c == '\0') cursor.failUnexpected("')'");
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        cursor.advance();
    }
}

/// [.attribute(…)] [(results)] name [(parameters)] directives ; or { body }
void readFunction(Cursor& cursor, Item& item) {
    item.isFunction = true;
    if (cursor.peek() == '.') {
        (void)cursor.directive();
        skipParentheses(cursor);
    }
    if (cursor.peek() == '(') skipParentheses(cursor);
    item.name = cursor.name("the name of a function");
    if (cursor.peek() == '(') skipParentheses(cursor);
    while (cursor.peek() != '{' && cursor.peek() != ';') {
        if (cursor.peek() == '\0') cursor.failUnexpected("'{' or ';'");
        if (cursor.peek() == '"')
            (void)cursor.quoted();
        else
            cursor.advance();
    }
    item.isDefinition = cursor.peek() == '{';
    if (item.isDefinition)
        (void)cursor.block();
    else
        cursor.expect(';');
}

/// .align 4 .v2 .u32 name[…] = …;   The name is the last word before brackets, initialiser or end.
void readVariable(Cursor& cursor, Item& item) {
    while (cursor.peek() == '.') {
        const std::string_view word = cursor.directive();
        if (word == "align") (void)cursor.word();
        if (word == "attribute") skipParentheses(cursor);
    }
    item.name = cursor.name("the name of a variable");
    while (cursor.peek() != ';') {
        if (cursor.peek() == '\0') cursor.failUnexpected("';'");
        if (cursor.peek() == '{')
            (void)cursor.block();
        else
            cursor.advance();
    }
    cursor.expect(';');
    item.isDefinition = item.linkage != Item::Linkage::Extern;
}

void readSection(Cursor& cursor, Item& item) {
    const std::string_view name = cursor.directive();
    (void)cursor.peek();
    const std::string_view inside = cursor.block();
    if (name != "debug_str") return;
    item.kind = Item::Kind::DebugStrings;
    for (Cursor strings(inside); !strings.atEnd();) {
        const std::string_view word = strings.word();
        if (word.empty())
            strings.advance();
        else if (strings.accept(':'))
            item.labels.emplace_back(word);
    }
}

/// Everything else ends with its line, but .pragma and .alias, which end with a semicolon.
void readOther(Cursor& cursor, std::string_view word, Item& item) {
    if (word == "version") item.kind = Item::Kind::Version;
    if (word == "target") item.kind = Item::Kind::Target;
    if (word == "file") item.kind = Item::Kind::File;
    if (word == "pragma" || word == "alias") return cursor.skipPast(';');
    const std::string_view rest = cursor.rest();
    cursor.advanceTo(rest.data() + std::min(rest.find('\n'), rest.size()));
}

} // namespace

std::vector<Item> readUnit(std::string_view text) {
    std::vector<Item> items;
    Cursor cursor(text);
    while (!cursor.atEnd()) {
        Item item;
        const std::string_view begin = cursor.rest();
        if (begin.front() == '@') {
            cursor.skipPast('\n'); // @@DWARF of old compilers
            continue;
        }
        std::string_view word = cursor.directive();
        using Linkage = Item::Linkage;
        for (; word == "visible" || word == "weak" || word == "extern" || word == "common";
             word = cursor.directive())
            item.linkage = word == "visible"  ? Linkage::Visible
                           : word == "weak"   ? Linkage::Weak
                           : word == "extern" ? Linkage::Extern
                                              : Linkage::Common;
        if (word.empty()) cursor.failUnexpected("a directive");
        if (word == "entry" || word == "func") {
            item.kind = Item::Kind::Symbol;
            readFunction(cursor, item);
        } else if (word == "global" || word == "const" || word == "shared" || word == "local" ||
                   word == "tex") {
            item.kind = Item::Kind::Symbol;
            readVariable(cursor, item);
        } else if (word == "section") {
            readSection(cursor, item);
        } else {
            readOther(cursor, word, item);
        }
        item.text = begin.substr(0, begin.size() - cursor.rest().size());
        items.push_back(std::move(item));
    }
    return items;
}

} // namespace dormer::emulator::ptx::linker
