// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "instrument/emulator/ptx/module.h"

#include <cstddef>
#include <memory>
#include <string>

namespace dormer::emulator::ptx::parser {

/// A module whose function bodies are parsed when they are requested: programs carry megabytes of kernels and
/// launch few. Not thread-safe.
class LazyModule {
public:
    /// Parses everything but the bodies, of which it only finds the ends. Errors as parseModule gives them.
    [[nodiscard]] static Result<LazyModule> parse(std::string text);
    LazyModule(LazyModule&&) noexcept;
    LazyModule& operator=(LazyModule&&) noexcept;
    ~LazyModule();

    /// Functions have neither registers, variables nor instructions until parseBody. References into
    /// `functions` and `variables` hold as long as this; `positions` grows with each body.
    [[nodiscard]] const Module& module() const;
    /// Of module().functions[index]. Does nothing where that has no body or it is parsed already; after an
    /// Error the function is without a body still.
    [[nodiscard]] Result<void> parseBody(std::size_t index);
    /// Of module().functions[index]; without text where it is only declared. Holds as long as this.
    [[nodiscard]] FunctionText text(std::size_t index) const;
    /// The module itself; this is empty afterwards.
    [[nodiscard]] Module take();

private:
    struct State;
    explicit LazyModule(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace dormer::emulator::ptx::parser
