// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dormer::importers {

/// Range path of a cell of the NVTX columns, `thread
/// "Domain:Name:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"` once for each open range, the outermost first:
/// "fwd > layers.0". `fields` stand behind the name, which may hold colons itself. A domain other than the
/// default one is not told.
[[nodiscard]] std::string nvtxPath(std::string_view cell, std::size_t fields);

/// How many fields stand behind the name, by the head of the column; 0 where the column is another one.
[[nodiscard]] std::size_t nvtxFields(std::string_view head);

} // namespace dormer::importers
