// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/kernel_code.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace dormer::stalls {

/// Which instruction another waits for: the nearest before it, in the order of the code, that writes one of
/// the registers it reads and takes as long as its state says ("long_scoreboard", "short_scoreboard"). Where
/// there is none, the last behind it, which a loop brings before it. Of "wait" the instruction right before
/// it. Absent where the state is not of that kind, or no such instruction is listed.
///
/// `code` is a kernel's machine code in order. Returns an index into it.
[[nodiscard]] std::optional<std::size_t> producerOf(std::span<const session::CodeLine> code, std::size_t at,
                                                    std::string_view state);
/// The same of PTX, where moves and what makes addresses stand for what they read.
[[nodiscard]] std::optional<std::size_t> ptxProducerOf(std::span<const session::CodeLine> code,
                                                       std::size_t at, std::string_view state);

} // namespace dormer::stalls
