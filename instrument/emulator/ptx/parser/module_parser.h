// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/cursor.h"
#include "instrument/emulator/ptx/module.h"
#include "instrument/emulator/ptx/module_names.h"
#include "instrument/emulator/ptx/parser/declaration.h"
#include "instrument/emulator/ptx/positions.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace dormer::emulator::ptx::parser {

/// Where a function's body stands; no text for declarations.
struct BodyText {
    std::string_view text;
    std::uint32_t line = 0;
};

/// A module without its bodies, and what parsing them takes. Holds views into the text.
struct ParsedModule {
    Module module;
    std::vector<BodyText> bodies; ///< one for each of module.functions
    std::vector<BodyText> texts;  ///< the same with their heads
    ModuleNames names;
    PositionReader positions;
    InitialBudget initialBudget;
    std::size_t registerBudget = 0;
};

/// Parses all that stands outside of bodies; throws ParseFailure.
class ModuleParser {
public:
    ModuleParser(std::string_view text, ParsedModule& out);
    void run();

private:
    struct Linking {
        bool isExtern = false;
    };
    void directive(std::string_view word, Linking linking);
    void version();
    void target();
    void file();
    void section();
    void function(bool isEntry, Linking linking);
    void variable(Variable variable, Linking linking);
    void alias();
    void checkRelocations() const;
    void checkAliases() const;

    Cursor m_cursor;
    BodyText m_directive; ///< begins where the one at hand does
    ParsedModule& m_out;
    Module& m_module;
};

} // namespace dormer::emulator::ptx::parser
