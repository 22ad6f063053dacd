// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "instrument/emulator/program/program.h"
#include "instrument/emulator/ptx/parser/lazy_module.h"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace dormer::emulator::code {

/// Address of a module's variable in device memory; nothing for an unknown name.
using FindVariable = std::function<std::optional<std::uint64_t>(std::string_view name)>;

/// Makes the kernel at `functionIndex` of the module ready to run, with all functions it may call, on a chip
/// of that compute capability. An Error (ErrorKind::Target) names an instruction that is not supported, its
/// kernel and source line.
[[nodiscard]] Result<std::unique_ptr<program::Program>> decodeKernel(ptx::parser::LazyModule& module,
                                                                     std::size_t functionIndex,
                                                                     const FindVariable& findVariable,
                                                                     int computeCapabilityMajor);

} // namespace dormer::emulator::code
