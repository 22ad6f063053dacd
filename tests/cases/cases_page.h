// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dormer::tests {

/// A page with the block below each mark `<!-- PROGRAM ARGUMENT WORKLOAD -->` written anew ("-" for no
/// argument): what Dormer counts on each line of that launch, and what it finds in its accesses and its
/// arithmetic. Fails the test for a mark without a fenced block.
[[nodiscard]] std::string withCaseBlocks(const std::string& page);

} // namespace dormer::tests
