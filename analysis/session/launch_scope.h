// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

namespace dormer::session {

/// What launches of a kernel can be told apart by.
enum class Scope { Process, Nvtx, Stream };

/// What a launch ran in: "process 4711 (python3)", on several hosts "process 4711 on node3 (python3)";
/// "train > step", "(no NVTX range)"; "stream 7", of several processes "process 4711, stream 7".
[[nodiscard]] std::string scopeOf(const Session& session, const Launch& launch, Scope scope);

} // namespace dormer::session
