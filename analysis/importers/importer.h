// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/session/session.h"

#include <filesystem>

namespace dormer::importers {

/// Session of a file of another tool, told by what is in it: CSV or text pages of Nsight Compute (ncu --csv,
/// --page raw and details), its reports (.ncu-rep), databases that Nsight Systems exports (.sqlite), traces
/// of PyTorch's profiler (JSON). All its numbers have the origin "imported"; a note for each thing that can't
/// be concluded says what is missing. The file is untrusted: what can't be read is ErrorKind::Input with its
/// name.
[[nodiscard]] Result<session::Session> importFile(const std::filesystem::path& path);

} // namespace dormer::importers
