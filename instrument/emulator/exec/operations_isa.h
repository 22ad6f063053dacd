// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/exec/operation_spec.h"
#include "instrument/emulator/exec/tensor_plan.h"

/// The two copies of the handlers: v3 for AVX2 and FMA, v4 for AVX-512 (the x86-64 micro-architecture
/// levels).
namespace dormer::emulator {

namespace v3 {
[[nodiscard]] Found findHandler(const Spec& spec);
[[nodiscard]] Handler findTensor(const TensorPlan& plan);
} // namespace v3

namespace v4 {
[[nodiscard]] Found findHandler(const Spec& spec);
[[nodiscard]] Handler findTensor(const TensorPlan& plan);
} // namespace v4

} // namespace dormer::emulator
