// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/host/cupti_error.h"

#include <type_traits>

namespace dormer::instrument::cupti::activity {

/// Runs CUPTI calls about counters as the collector's own; what they throw becomes an error with the remedy.
template <typename Work>
auto guarded(Work work) -> Result<decltype(work())> {
    const OwnCalls ours;
    try {
        if constexpr (std::is_void_v<decltype(work())>) {
            work();
            return {};
        } else {
            return work();
        }
    } catch (const host::CallError& error) {
        return std::unexpected(host::countersRefused(error));
    }
}

} // namespace dormer::instrument::cupti::activity
