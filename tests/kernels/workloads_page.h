// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

#include <string>

namespace dormer::tests {

/// The families of docs/workloads.md as Markdown: each one's story and variants from the registry, figures
/// from elsewhere, and what `recorded`, a session of the whole suite on one GPU, measured. What the recording
/// lacks is a dash.
[[nodiscard]] std::string workloadsPage(const session::Session& recorded);

} // namespace dormer::tests
