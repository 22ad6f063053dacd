// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/parser/parse.h"
#include "tests/support/catch.h"

#include <string>
#include <string_view>

namespace dormer::tests {

/// The first three lines are the head.
inline std::string moduleText(std::string_view rest) {
    return ".version 9.0\n.target sm_90\n.address_size 64\n" + std::string(rest);
}

inline emulator::ptx::Module parsed(std::string_view rest) {
    auto module = emulator::ptx::parser::parseModule(moduleText(rest));
    if (!module) FAIL(module.error().message);
    return std::move(*module);
}

/// The one kernel of a module whose body is the text.
inline emulator::ptx::Function parsedBody(std::string_view body) {
    auto module = parsed(".entry kernel()\n{\n" + std::string(body) + "\n}\n");
    return std::move(module.functions.at(0));
}

/// What parsing is refused with.
inline std::string refusal(std::string_view rest) {
    const auto module = emulator::ptx::parser::parseModule(moduleText(rest));
    REQUIRE_FALSE(module);
    CHECK(module.error().kind == ErrorKind::Input);
    return module.error().message;
}

} // namespace dormer::tests
