// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace dormer::tests {

/// The value that a text of stream and file means.
template <typename T>
T parsed(std::string_view text) {
    T value;
    fromString(text, value);
    return value;
}

/// A full warp whose lanes access these bytes.
inline session::LaneSample lanesAt(const std::function<std::uint64_t(unsigned)>& address) {
    session::LaneSample sample{.mask = ~0U, .address = {}};
    for (unsigned lane = 0; lane < session::LaneSample::kLanes; ++lane)
        sample.address.push_back(static_cast<std::int64_t>(address(lane)));
    return sample;
}

} // namespace dormer::tests
