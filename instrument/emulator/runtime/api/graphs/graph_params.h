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
/// Memory at an address that the node keeps, which goes to `parameters`; and its end.
[[nodiscard]] Outcome<Task> allocateWork(Runtime& runtime, cudaMemAllocNodeParams* parameters);
[[nodiscard]] Outcome<Task> freeWork(Runtime& runtime, void* pointer);
/// With empty bodies, whose handles go to `parameters`.
[[nodiscard]] Outcome<Task> conditionalWork(Runtime& runtime, cudaConditionalNodeParams* parameters);
/// Of any type this runtime knows, for a new node.
[[nodiscard]] Outcome<Task> newWorkOf(Runtime& runtime, cudaGraphNodeParams* parameters);
/// Of those that a node may be changed to.
[[nodiscard]] Outcome<Task> workOf(Runtime& runtime, const cudaGraphNodeParams* parameters);

} // namespace dormer::emulator::runtime::api
