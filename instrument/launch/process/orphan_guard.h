// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/launch/process/child_process.h"

namespace dormer::instrument::launch::process {

/// Sees to it that a process group does not outlive us: when we are killed, a shell that waits only
/// for that kills the group. It sits in a session of its own, where no signal to ours reaches it. Where there
/// is no shell, the group's first process still ends with us (ChildProcess).
class OrphanGuard {
public:
    explicit OrphanGuard(pid_t group);
    /// We ended in order: what is left of the group may live.
    ~OrphanGuard();
    OrphanGuard(const OrphanGuard&) = delete;
    OrphanGuard& operator=(const OrphanGuard&) = delete;

private:
    UniqueFd m_lifeline;
    pid_t m_shell = -1;
};

} // namespace dormer::instrument::launch::process
