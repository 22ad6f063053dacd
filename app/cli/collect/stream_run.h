// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/collect/collect_run.h"

namespace dormer::cli {

/// --stream -: runs the target for a dormer on another machine. Its records go to stdout as they come, as a
/// joined stream; the word "stop" on stdin, or its end, ends the run. Returns the exit code.
[[nodiscard]] int streamRun(CollectPlan plan);
/// Why there is no run, on the stream.
[[nodiscard]] int failStream(const Error& error);

} // namespace dormer::cli
