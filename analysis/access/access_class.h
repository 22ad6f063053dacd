// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace dormer::access {

/// How the addresses of a warp's lanes lie to each other.
enum class AccessShape : std::uint8_t {
    None,       ///< no lane accesses
    Coalesced,  ///< contiguous, in any order, in as few sectors as their bytes fill
    Misaligned, ///< contiguous, but starting inside a sector: one excess sector
    Broadcast,  ///< all at one address
    Strided,    ///< a constant distance apart
    Scattered   ///< none of these
};
struct AccessClass {
    AccessShape shape = AccessShape::None;
    std::int64_t stride = 0; ///< Strided: distance between consecutive lanes, in elements
};

/// Addresses in bytes; bit i of the mask stands for lane i.
[[nodiscard]] AccessClass classifyAccess(const std::int64_t* addresses, std::uint32_t mask,
                                         unsigned widthBytes);

/// "coalesced", "stride of 32 elements", ...
[[nodiscard]] std::string toString(const AccessClass& access);

} // namespace dormer::access
