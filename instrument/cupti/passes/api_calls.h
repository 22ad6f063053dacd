// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/kinds.h"

#include <optional>
#include <string>
#include <string_view>

namespace dormer::instrument::cupti::passes {

/// A function of the driver's interface that moves memory's contents, or takes, gives back or advises on
/// memory.
struct ApiCall {
    enum class Kind { Copy, Fill, Memory };
    Kind kind = Kind::Memory;
    std::string name; ///< without suffixes: "cuMemAlloc" of "cuMemAlloc_v2"
    /// What the function is about; None: any.
    session::MemoryKind memory = session::MemoryKind::None;
};

/// By the function's name, with or without the suffixes of its versions (_v2, _ptds, _ptsz); nothing for all
/// other functions.
[[nodiscard]] std::optional<ApiCall> apiCallOf(std::string_view functionName);

} // namespace dormer::instrument::cupti::passes
