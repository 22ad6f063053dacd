// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

#include <cupti.h>

#include <optional>

/// CUPTI's activity records in our words. Private to the injected library.
namespace dormer::instrument::cupti::activity {

/// The collector's own kernel: it appears among the activity records and must be passed over there. Its
/// records even carry the correlation id of the launch it runs before, since it is launched from inside that
/// call's callback.
inline constexpr const char* kFlushKernel = "dormer_evict";

/// Nothing for kinds of record that are not requested, kernels that could not be timed, and the collector's
/// own. `toEpochNs` is added to CUPTI's clock.
[[nodiscard]] std::optional<passes::KernelTiming> kernelOf(const CUpti_Activity& record,
                                                           std::int64_t toEpochNs);
[[nodiscard]] std::optional<passes::TransferTiming> transferOf(const CUpti_Activity& record,
                                                               std::int64_t toEpochNs);

} // namespace dormer::instrument::cupti::activity
