// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

#include <cupti.h>

#include <optional>

/// CUPTI's activity records in our words. Private to the injected library.
namespace dormer::instrument::cupti {

/// Nothing for kinds of record that are not requested, kernels that could not be timed, and the collector's
/// own. `toEpochNs` is added to CUPTI's clock.
[[nodiscard]] std::optional<passes::KernelTiming> kernelOf(const CUpti_Activity& record,
                                                           std::int64_t toEpochNs);
[[nodiscard]] std::optional<passes::TransferTiming> transferOf(const CUpti_Activity& record,
                                                               std::int64_t toEpochNs);

} // namespace dormer::instrument::cupti
