// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/source/source_site.h"

#include <span>

namespace dormer::source {

/// Of an access whose neighbouring threads take neighbouring elements, and which still are further apart than
/// what each takes: the elements are structures. By what `lines`, all accesses of the launch, use of them:
/// one array per member where bytes stay unused, an alignment where one access could take them whole. Empty
/// when the size of the structures can't be told.
[[nodiscard]] std::string structureText(const SourceSite& site, const Subscript& subscript,
                                        const session::LineCounts& access,
                                        std::span<const session::LineCounts> lines);

} // namespace dormer::source
