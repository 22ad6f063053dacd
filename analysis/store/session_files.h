// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/store/session_file.h"

#include <vector>

namespace dormer::store {

/// One session of all files: the processes of each follow those of the file before. The first file that can't
/// be read is the error; ErrorKind::Usage for one that is named twice, whose launches would count twice.
[[nodiscard]] Result<session::Session> loadSessions(const std::vector<std::filesystem::path>& paths);

} // namespace dormer::store
