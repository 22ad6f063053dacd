// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/session/session.h"

#include <filesystem>
#include <vector>

namespace dormer::cli {

/// One session of all files: the processes of each follow those of the file before.
[[nodiscard]] Result<session::Session> loadMerged(const std::vector<std::filesystem::path>& files);

} // namespace dormer::cli
