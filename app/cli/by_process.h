// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <vector>

namespace dormer::cli {

/// What one process of a session did, as a session.
struct ProcessPart {
    std::string
        name; ///< "process 4711 (python3), exit code 0"; of several hosts "process 4711 on node3 (python3)"
    session::Session session;
};

/// Processes that launched or copied, in the order they began.
[[nodiscard]] std::vector<ProcessPart> byProcess(const session::Session& session);

} // namespace dormer::cli
