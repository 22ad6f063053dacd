// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "instrument/emulator/ptx/module.h"

#include <string_view>

namespace dormer::emulator::ptx::parser {

/// Parses one PTX module. Untrusted input: whatever the text holds, the outcome is a module or an Error whose
/// message names the PTX line and what is wrong there; names are resolved, so a module never refers to a
/// register or label it lacks. Instructions are not judged here: the decoder knows which are supported.
[[nodiscard]] Result<Module> parseModule(std::string_view text);

} // namespace dormer::emulator::ptx::parser
