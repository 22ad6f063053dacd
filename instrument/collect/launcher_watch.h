// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace dormer::instrument::collect {

/// Ends this process by SIGKILL when the launcher at the other end of this connection is gone without a
/// farewell: a program whose dormer was killed must not run on unseen, least of all one that never ends. A
/// thread of ours waits for it; where there can't be one, nothing happens.
void watchLauncher(int fd);

} // namespace dormer::instrument::collect
