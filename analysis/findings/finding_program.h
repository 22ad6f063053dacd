// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/findings/finding_transfer.h"

namespace dormer::findings {

/// Appends what is wrong with how a program launches, whatever its kernels do: codes "launch-overhead" and
/// "serialized-launches". Their time is that of the launches, or what they cost the host; no gain, as what
/// runs beside what is not in the session.
void programFindings(const session::Session& session, std::vector<TransferFinding>& out);

} // namespace dormer::findings
