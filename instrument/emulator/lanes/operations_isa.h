// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/instructions/operation_spec.h"
#include "instrument/emulator/instructions/tensor_plan.h"

/// The two copies of the handlers: v3 for AVX2 and FMA, v4 for AVX-512 (the x86-64 micro-architecture
/// levels).
namespace dormer::emulator::lanes {

namespace v3 {
[[nodiscard]] instructions::Found findHandler(const instructions::Spec& spec);
[[nodiscard]] instructions::Handler findTensor(const instructions::TensorPlan& plan);
} // namespace v3

namespace v4 {
[[nodiscard]] instructions::Found findHandler(const instructions::Spec& spec);
[[nodiscard]] instructions::Handler findTensor(const instructions::TensorPlan& plan);
} // namespace v4

} // namespace dormer::emulator::lanes
