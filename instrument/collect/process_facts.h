// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "instrument/stream/collect_options.h"

#include <string>
#include <vector>

namespace dormer::instrument::collect {

/// This process as a session knows it: program, arguments, host and start. Origin and counters are the
/// collector's to fill in.
[[nodiscard]] session::Process describeProcess();

/// Nanoseconds since the epoch.
[[nodiscard]] std::int64_t nowNs();
/// For how long this process has been there, to a hundredth of a second; 0 where the kernel does not tell.
[[nodiscard]] std::int64_t processAgeNs();

/// Name of the socket on which the launcher waits for records (DORMER_STREAM); empty when there is none.
[[nodiscard]] std::string launcherName();

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
