// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/launch_scope.h"

#include <vector>

namespace dormer::cli {

/// What ran in one process, NVTX range or stream of a session, as a session.
struct ScopePart {
    std::string
        name; ///< session::scopeOf; of a process with how it ended: "process 4711 (python3), exit code 0"
    session::Session session;
};

/// Scopes in which something was launched or copied, in the order they began.
[[nodiscard]] std::vector<ScopePart> byScope(const session::Session& session, session::Scope by);

} // namespace dormer::cli
