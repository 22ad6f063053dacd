// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/ptx/parser/lazy_module.h"

#include "instrument/emulator/ptx/parser/body.h"
#include "instrument/emulator/ptx/parser/module_parser.h"

#include <fmt/format.h>

namespace dormer::emulator::ptx::parser {
namespace {

std::unexpected<Error> toError(const ParseFailure& problem) {
    return failure(ErrorKind::Input, fmt::format("PTX line {}: {}", problem.line, problem.message));
}

} // namespace

struct LazyModule::State {
    std::string text;
    ParsedModule parsed;
    NameTable table;
};

LazyModule::LazyModule(std::unique_ptr<State> state) : m_state(std::move(state)) {}
LazyModule::LazyModule(LazyModule&&) noexcept = default;
LazyModule& LazyModule::operator=(LazyModule&&) noexcept = default;
LazyModule::~LazyModule() = default;

Result<LazyModule> LazyModule::parse(std::string text) {
    auto state = std::make_unique<State>();
    state->text = std::move(text);
    try {
        ModuleParser(state->text, state->parsed).run();
    } catch (const ParseFailure& problem) {
        return toError(problem);
    }
    return LazyModule(std::move(state));
}

const Module& LazyModule::module() const {
    return m_state->parsed.module;
}

FunctionText LazyModule::text(std::size_t index) const {
    const BodyText& written = m_state->parsed.texts[index];
    return {written.text, written.line, static_cast<std::uint32_t>(index)};
}

Module LazyModule::take() {
    return std::move(m_state->parsed.module);
}

Result<void> LazyModule::parseBody(std::size_t index) {
    ParsedModule& parsed = m_state->parsed;
    BodyText& body = parsed.bodies[index];
    if (body.text.data() == nullptr) return {};
    Function& function = parsed.module.functions[index];
    Function head = function;
    try {
        parser::parseBody(Cursor(body.text, body.line), function,
                          {parsed.module, parsed.names, parsed.positions, m_state->table,
                           parsed.initialBudget, parsed.registerBudget});
    } catch (const ParseFailure& problem) {
        function = std::move(head);
        return toError(problem);
    }
    body.text = {};
    return {};
}

} // namespace dormer::emulator::ptx::parser
