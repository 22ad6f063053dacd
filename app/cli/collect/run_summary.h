// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/verdict/verify.h"

#include <string>
#include <vector>

namespace dormer::cli {

/// "12 launches kept in x.dormer", or that they are shown but kept nowhere when `file` is empty.
[[nodiscard]] std::string keptText(std::size_t launches, const std::string& file);

/// The same for a session; of one without launches it tells the transfers and calls for memory it saw.
[[nodiscard]] std::string keptText(const session::Session& session, std::size_t launches,
                                   const std::string& file);

/// One line each: "PASS  transpose/tiled  global_load_sectors_per_request == 4  (reported 4)".
[[nodiscard]] std::string verifyText(const std::vector<verdict::Answer>& answers);

} // namespace dormer::cli
