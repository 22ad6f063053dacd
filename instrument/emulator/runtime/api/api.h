// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/runtime/runtime.h"

#include <cuda_runtime_api.h>

/// What every function of the CUDA runtime's interface here has in common.
namespace dormer::emulator::runtime::api {

/// Runs the body of a call: nothing but the sticky error after a kernel's fault, one call at a time, no
/// exception leaves, and the failure is kept for cudaGetLastError.
template <typename Body>
cudaError_t call(Body&& body) noexcept {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    runtime.used() = true;
    if (runtime.stickyError() != cudaSuccess) return Runtime::lastError() = runtime.stickyError();
    try {
        const Outcome<void> done = body(runtime);
        return done ? cudaSuccess : runtime.report(done.error());
    } catch (const std::bad_alloc&) {
        return runtime.report(
            {cudaErrorMemoryAllocation, "emulator-memory", "this machine is out of memory"});
    } catch (const std::exception& error) {
        return runtime.report(
            {cudaErrorUnknown, "emulator", std::string("the emulator failed: ") + error.what()});
    }
}

/// For what the emulator lacks of a function: "a texture with mipmaps".
[[nodiscard]] std::unexpected<Failure> lacking(const std::string& what);

} // namespace dormer::emulator::runtime::api

/// The form of a function for programs compiled with --default-stream per-thread. Work is done at the call,
/// so both default streams are one.
#define DORMER_PER_THREAD(name, suffix)                                                                      \
    extern "C" decltype(name) name##_##suffix __attribute__((alias(#name)))
