// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/runtime/runtime.h"

namespace dormer::emulator::runtime::api {

/// Task of a graph node from the parameters the program gives, checked as a call on a stream would be.
[[nodiscard]] Outcome<Task> kernelWork(Runtime& runtime, const cudaKernelNodeParams* parameters);
[[nodiscard]] Outcome<Task> copyWork(Runtime& runtime, const cudaMemcpy3DParms* parameters);
[[nodiscard]] Outcome<Task> copyWork(Runtime& runtime, void* to, const void* from, std::size_t bytes,
                                     cudaMemcpyKind kind);
[[nodiscard]] Outcome<Task> fillWork(Runtime& runtime, const cudaMemsetParams* parameters);
[[nodiscard]] Outcome<Task> hostWork(const cudaHostNodeParams* parameters);
[[nodiscard]] Outcome<Task> eventWork(Runtime& runtime, cudaEvent_t event, bool record);
[[nodiscard]] Outcome<Task> childWork(Runtime& runtime, cudaGraph_t graph);
/// Of any type this runtime knows.
[[nodiscard]] Outcome<Task> workOf(Runtime& runtime, const cudaGraphNodeParams* parameters);

} // namespace dormer::emulator::runtime::api
