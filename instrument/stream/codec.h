// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/session/record.h"

#include <string>
#include <string_view>

namespace dormer::instrument::stream {

/// Version of the record stream, in its first line. Fields may be added without raising it.
inline constexpr int kStreamSchema = 1;

/// One JSON object without a line end (docs/stream.md). Non-finite numbers are left out.
[[nodiscard]] std::string formatRecord(const session::Record& record);

/// Parses one line. Unknown kinds become analysis::Unknown, unknown fields are skipped, absent optional
/// fields stay absent. ErrorKind::Input for a line that is no JSON object, lacks "record", or holds a field
/// of the wrong type.
[[nodiscard]] Result<session::Record> parseRecord(std::string_view line);

} // namespace dormer::instrument::stream
