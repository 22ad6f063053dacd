// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/importers/ncu/result.h"

namespace dormer::importers {

/// True for what begins like a report file of Nsight Compute.
[[nodiscard]] bool isNcuReport(std::string_view bytes);

/// Reads a report (.ncu-rep) by its layout: the magic "NVR\0", then blocks, each a length of 32 bits, a
/// header and a payload; header and payload are protobuf messages. A cut-off file gives the results before
/// the cut and a note. ErrorKind::Input where no result is in it.
[[nodiscard]] Result<void> importNcuReport(std::string_view bytes, SessionBuilder& builder);

} // namespace dormer::importers
