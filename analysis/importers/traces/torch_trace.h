// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/importers/parts/session_builder.h"

namespace dormer::importers {

/// Reads a trace of PyTorch's profiler (Chrome's trace format as Kineto writes it): kernels, copies and
/// fills. Launches belong to the record_function ranges that were open on the thread that launched them.
/// ErrorKind::Input for JSON that is broken, cut off or another one.
[[nodiscard]] Result<void> importTorchTrace(std::string_view text, SessionBuilder& builder);

} // namespace dormer::importers
