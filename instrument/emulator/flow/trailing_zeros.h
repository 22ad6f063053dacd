// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/ptx/module.h"

#include <bit>
#include <functional>

namespace dormer::emulator::flow {

[[nodiscard]] constexpr unsigned trailingZeros(std::uint64_t value) {
    return static_cast<unsigned>(std::countr_zero(value)); // 64 of zero
}

/// By register: low bits that are zero whenever it is read, whatever the launch's arguments. `alignmentOf`:
/// bytes, of a variable by its name; 1 where it is not known.
[[nodiscard]] std::vector<std::uint8_t>
trailingZeros(const ptx::Function& function,
              const std::function<std::size_t(const std::string&)>& alignmentOf);

} // namespace dormer::emulator::flow
