// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/importers/ncu/result.h"

namespace dormer::importers {

/// True for text with the head of Nsight Compute's CSV pages in it.
[[nodiscard]] bool isNcuCsv(std::string_view text);

/// Reads what `ncu --csv` prints, --page raw and --page details, in any locale: the head is found by its
/// first field, other lines between the rows (of the program, of ncu) are left out. ErrorKind::Input where no
/// kernel is in it, with what ncu said about it.
[[nodiscard]] Result<void> importNcuCsv(std::string_view text, SessionBuilder& builder);

} // namespace dormer::importers
