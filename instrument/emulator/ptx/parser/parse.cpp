// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/parser/parse.h"

#include "instrument/emulator/ptx/parser/lazy_module.h"

namespace dormer::emulator::ptx::parser {

Result<Module> parseModule(std::string_view text) {
    auto lazy = LazyModule::parse(std::string(text));
    if (!lazy) return std::unexpected(std::move(lazy.error()));
    for (std::size_t i = 0; i < lazy->module().functions.size(); ++i)
        if (auto body = lazy->parseBody(i); !body) return std::unexpected(std::move(body.error()));
    return lazy->take();
}

} // namespace dormer::emulator::ptx::parser
