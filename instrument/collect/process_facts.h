// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "instrument/stream/collect_options.h"

#include <optional>
#include <vector>

namespace dormer::instrument::collect {

/// This process as a session knows it: program, arguments, host and start. Origin and counters are the
/// collector's to fill in.
[[nodiscard]] session::Process describeProcess();

/// Nanoseconds since the epoch.
[[nodiscard]] std::int64_t nowNs();

/// The descriptor the launcher waits on for records (DORMER_STREAM_FD); nothing when there is no launcher.
[[nodiscard]] std::optional<int> streamDescriptor();
/// The one on which it answers which kernels --kernels means (DORMER_FILTER_FD).
[[nodiscard]] std::optional<int> filterDescriptor();

/// DORMER_OPTIONS, or the defaults when it is absent; a problem with it is appended to `notes`.
[[nodiscard]] stream::CollectOptions collectOptions(std::vector<session::Note>& notes);

/// Names of the workloads the calling thread is in, innermost last.
[[nodiscard]] std::vector<std::string>& workloadStack();
/// The innermost of them; empty outside.
[[nodiscard]] std::string currentWorkload();
void enterWorkload(const char* name);
void leaveWorkload();
/// Another number, unique in the process, after each of these two: what happens under one number happens in
/// one run of a workload. 0 before the first.
[[nodiscard]] std::uint64_t workloadRun();

} // namespace dormer::instrument::collect
