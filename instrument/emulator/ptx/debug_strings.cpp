// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/debug_strings.h"

#include "instrument/emulator/ptx/constant.h"
#include "instrument/emulator/ptx/cursor.h"

namespace dormer::emulator::ptx {

void readDebugStrings(std::string_view text, std::uint32_t line,
                      std::map<std::string_view, std::string>& out) {
    Cursor cursor(text, line);
    std::string* current = nullptr;
    bool ended = false;
    while (!cursor.atEnd()) {
        if (cursor.peek() != '.') {
            current = &out[cursor.name("a label")];
            current->clear();
            ended = false;
            cursor.expect(':');
            continue;
        }
        if (cursor.directive() != "b8") cursor.failUnexpected(".b8");
        do {
            const Constant byte = parseLiteral(cursor);
            if (byte.kind != Constant::Kind::Integer) cursor.fail("a byte has to be an integer");
            const auto c = static_cast<char>(byte.bits & 0xFF);
            if (c == '\0') ended = true;
            if (!ended && current != nullptr) current->push_back(c);
        } while (cursor.accept(','));
    }
}

} // namespace dormer::emulator::ptx
