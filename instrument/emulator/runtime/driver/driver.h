// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/runtime/api/api.h"

#include <cuda.h>

#include <bit>
#include <tuple>

/// CUDA's driver interface: a thin layer over the runtime's interface here, so that both see one device, the
/// same memory, streams and kernels, and one recorder.
namespace dormer::emulator::runtime::driver {

/// The driver's name for what the runtime's interface answered.
[[nodiscard]] CUresult resultOf(cudaError_t error);
/// cuInit was called, or the runtime's interface, which does so by itself.
[[nodiscard]] bool initialized();
/// The calling thread's; the primary one where it has none and the program uses the runtime; null.
[[nodiscard]] CUcontext currentContext();

/// Runs `body`, which calls the runtime's interface: cudaGetLastError() does not see its failure, nor counts
/// the call as one of the program's to the runtime.
template <typename Body>
CUresult withoutContext(Body&& body) noexcept {
    if (!initialized()) return CUDA_ERROR_NOT_INITIALIZED;
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    const cudaError_t last = Runtime::lastError();
    const bool used = runtime.used();
    const cudaError_t error = body();
    runtime.used() = used;
    Runtime::lastError() = last;
    return resultOf(error);
}

/// The same for a call that needs a context.
template <typename Body>
CUresult inContext(Body&& body) noexcept {
    if (initialized() && currentContext() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    return withoutContext(std::forward<Body>(body));
}

/// The same value as the runtime's interface types it: handles, addresses, enumerators and structures of both
/// interfaces have equal representations where this is used.
template <typename To, typename From>
To as(From value) {
    if constexpr (std::is_same_v<To, From>)
        return value;
    else if constexpr (std::is_pointer_v<To>)
        return reinterpret_cast<To>(value);
    else if constexpr (std::is_class_v<To>)
        return std::bit_cast<To>(value);
    else
        return static_cast<To>(value);
}

/// Calls a function of the runtime's interface with the driver's parameters.
template <typename... Parameters, typename... Arguments>
cudaError_t pass(cudaError_t (*function)(Parameters...), Arguments... arguments) {
    return function(as<Parameters>(arguments)...);
}

template <typename Function>
struct ParametersOf;
template <typename... Parameters>
struct ParametersOf<CUresult(Parameters...)> {
    using Types = std::tuple<Parameters...>;
};
/// Type of a function's parameter, from 0.
template <typename Function, std::size_t index>
using Parameter = std::tuple_element_t<index, typename ParametersOf<Function>::Types>;

} // namespace dormer::emulator::runtime::driver

// Functions that the runtime's interface has with the same parameters, by their number.
#define DORMER_DRIVER_PARAMETER(name, index)                                                                 \
    dormer::emulator::runtime::driver::Parameter<decltype(name), index> a##index
#define DORMER_DRIVER_BODY(function, ...)                                                                    \
    {                                                                                                        \
        return dormer::emulator::runtime::driver::inContext(                                                 \
            [&] { return dormer::emulator::runtime::driver::pass(function, __VA_ARGS__); });                 \
    }
#define DORMER_SAME_1(name, function)                                                                        \
    extern "C" CUresult name(DORMER_DRIVER_PARAMETER(name, 0)) DORMER_DRIVER_BODY(function, a0)
#define DORMER_SAME_2(name, function)                                                                        \
    extern "C" CUresult name(DORMER_DRIVER_PARAMETER(name, 0), DORMER_DRIVER_PARAMETER(name, 1))             \
        DORMER_DRIVER_BODY(function, a0, a1)
#define DORMER_SAME_3(name, function)                                                                        \
    extern "C" CUresult name(DORMER_DRIVER_PARAMETER(name, 0), DORMER_DRIVER_PARAMETER(name, 1),             \
                             DORMER_DRIVER_PARAMETER(name, 2)) DORMER_DRIVER_BODY(function, a0, a1, a2)
#define DORMER_SAME_4(name, function)                                                                        \
    extern "C" CUresult name(DORMER_DRIVER_PARAMETER(name, 0), DORMER_DRIVER_PARAMETER(name, 1),             \
                             DORMER_DRIVER_PARAMETER(name, 2), DORMER_DRIVER_PARAMETER(name, 3))             \
        DORMER_DRIVER_BODY(function, a0, a1, a2, a3)
#define DORMER_SAME_5(name, function)                                                                        \
    extern "C" CUresult name(DORMER_DRIVER_PARAMETER(name, 0), DORMER_DRIVER_PARAMETER(name, 1),             \
                             DORMER_DRIVER_PARAMETER(name, 2), DORMER_DRIVER_PARAMETER(name, 3),             \
                             DORMER_DRIVER_PARAMETER(name, 4))                                               \
        DORMER_DRIVER_BODY(function, a0, a1, a2, a3, a4)
