// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/parser/function_head.h"

#include "instrument/emulator/ptx/constant.h"

#include <fmt/format.h>

#include <limits>

namespace dormer::emulator::ptx::parser {
namespace {

std::uint32_t count(Cursor& cursor, const char* what) {
    return static_cast<std::uint32_t>(parseCount(cursor, std::numeric_limits<std::int32_t>::max(), what));
}

/// Up to three extents; those left out are 1.
void extents(Cursor& cursor, std::array<std::optional<std::uint32_t>, 3>& out, const char* what) {
    std::size_t given = 0;
    do {
        if (given == 3) cursor.fail(fmt::format("{} has three extents at most", what));
        out[given++] = count(cursor, what);
    } while (cursor.accept(','));
    for (; given < 3; ++given)
        out[given] = 1;
}

/// PTX ISA, "Performance-Tuning Directives" and "Cluster Dimension Directives".
void tuning(Cursor& cursor, std::string_view word, Function& out) {
    if (word == "maxntid")
        extents(cursor, out.maxThreads, ".maxntid");
    else if (word == "reqntid")
        extents(cursor, out.requiredThreads, ".reqntid");
    else if (word == "reqnctapercluster")
        extents(cursor, out.requiredCluster, ".reqnctapercluster");
    else if (word == "explicitcluster")
        out.explicitCluster = true;
    else if (word == "minnctapersm")
        out.minBlocksPerSm = count(cursor, ".minnctapersm");
    else if (word == "maxnreg")
        out.maxRegisters = count(cursor, ".maxnreg");
    else if (word == "noreturn")
        out.noReturn = true;
    else if (word == "maxclusterrank" || word == "maxnctapersm" || word == "abi_preserve" ||
             word == "abi_preserve_control")
        (void)count(cursor, "its value");
    else if (word == "pragma") {
        cursor.quoted();
        cursor.expect(';');
    } else if (word != "blocksareclusters" && word != "unified") {
        cursor.fail(fmt::format("the directive '.{}' is not known here", word.substr(0, 100)));
    }
}

} // namespace

Function parseFunctionHead(Cursor& cursor, bool isEntry, InitialBudget& budget) {
    Function out;
    out.isEntry = isEntry;
    if (cursor.peek() == '.') {
        if (cursor.directive() != "attribute") cursor.failUnexpected("the name of a function");
        cursor.expect('(');
        if (cursor.directive() == "unified") {
            cursor.expect('(');
            cursor.skipPast(')');
        }
        cursor.expect(')');
    }
    if (!isEntry && cursor.accept('(')) out.results = parseParameters(cursor, budget);
    out.name = cursor.name("the name of a function");
    if (cursor.accept('(')) out.parameters = parseParameters(cursor, budget);
    while (cursor.peek() == '.')
        tuning(cursor, cursor.directive(), out);
    if (cursor.accept(';'))
        out.isExtern = true;
    else if (cursor.peek() != '{')
        cursor.failUnexpected("'{' or ';'");
    return out;
}

} // namespace dormer::emulator::ptx::parser
