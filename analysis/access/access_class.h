// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace dormer::access {

/// How the addresses of a warp's lanes lie to each other.
enum class AccessShape : std::uint8_t {
    None,       ///< no lane accesses
    Coalesced,  ///< side by side, in whatever order, in as few sectors as their bytes fill
    Misaligned, ///< side by side, but begun inside a sector: one sector more than needed
    Broadcast,  ///< all at one address
    Strided,    ///< a constant distance apart
    Scattered   ///< none of these
};
struct AccessClass {
    AccessShape shape = AccessShape::None;
    std::int64_t stride = 0; ///< Strided: distance of neighbouring lanes, in elements
};

/// Addresses in bytes; bit i of the mask stands for lane i.
[[nodiscard]] AccessClass classifyAccess(const std::int64_t* addresses, std::uint32_t mask,
                                         unsigned widthBytes);

/// "coalesced", "strided by 32", ...
[[nodiscard]] std::string toString(const AccessClass& access);

} // namespace dormer::access
