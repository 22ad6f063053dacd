// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/memory/tensor_map.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dormer::emulator::bulk {

enum class ReductionOp : std::uint8_t { Add, Min, Max, Inc, Dec, And, Or, Xor };
struct Reduction {
    ReductionOp op = ReductionOp::Add;
    memory::TensorMap::Element element = memory::TensorMap::Element::U32;
};
[[nodiscard]] constexpr std::uint32_t reductionBits(Reduction reduction) {
    return static_cast<std::uint32_t>(reduction.op) | static_cast<std::uint32_t>(reduction.element) << 8;
}
[[nodiscard]] constexpr Reduction reductionOf(std::uint64_t bits) {
    return {static_cast<ReductionOp>(bits & 0xFF), static_cast<memory::TensorMap::Element>(bits >> 8 & 0xFF)};
}

/// The operation of "cp.reduce.async.bulk….add.u32", by its word and its type's; nothing for others.
[[nodiscard]] std::optional<ReductionOp> reductionNamed(std::string_view word);
[[nodiscard]] std::optional<memory::TensorMap::Element> elementNamed(std::string_view word);

/// Combines `bytes` bytes of elements into those at `target`, each atomically.
void reduce(Reduction reduction, std::byte* target, const std::byte* source, std::uint64_t bytes);

} // namespace dormer::emulator::bulk
