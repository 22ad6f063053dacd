// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/importers/parts/session_builder.h"

#include <filesystem>

namespace dormer::importers {

/// Reads a database that Nsight Systems exports (`nsys export --type sqlite`): kernels, copies and fills,
/// NVTX ranges. Launches belong to the ranges that were open on the thread that launched them.
/// ErrorKind::Input for another database, or a broken one.
[[nodiscard]] Result<void> importNsysDatabase(const std::filesystem::path& path, SessionBuilder& builder);

} // namespace dormer::importers
