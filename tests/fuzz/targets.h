// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dormer::fuzz {

/// Each hands its bytes to a reader of untrusted input and aborts when what comes out breaks a promise of
/// that reader. libFuzzer drives them (scripts/fuzz), and a unit test replays the corpus in tests/data/fuzz.
void ptx(std::span<const std::uint8_t> input);
void fatBinary(std::span<const std::uint8_t> input);

} // namespace dormer::fuzz
