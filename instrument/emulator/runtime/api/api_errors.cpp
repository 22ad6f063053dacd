// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/api/api.h"
#include "instrument/emulator/runtime/api/error_text.h"

namespace dormer::emulator::runtime::api {

std::unexpected<Failure> lacking(const std::string& what) {
    return fails(cudaErrorNotSupported, "emulator-unsupported", "the emulator does not support " + what);
}

/// Of the functions in unsupported.def.
int unsupportedCode(const char* function) noexcept {
    return call([function](Runtime&) -> Outcome<void> { return lacking(function); });
}

} // namespace dormer::emulator::runtime::api

using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

extern "C" {

cudaError_t cudaGetLastError() {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    if (runtime.stickyError() != cudaSuccess) return runtime.stickyError();
    return std::exchange(Runtime::lastError(), cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex());
    return runtime.stickyError() != cudaSuccess ? runtime.stickyError() : Runtime::lastError();
}

const char* cudaGetErrorName(cudaError_t error) {
    return errorName(error);
}

const char* cudaGetErrorString(cudaError_t error) {
    return errorString(error);
}

cudaError_t cudaDriverGetVersion(int* version) {
    if (version == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int* version) {
    return cudaDriverGetVersion(version);
}

cudaError_t cudaProfilerStart() {
    return call([](Runtime&) -> Outcome<void> { return {}; });
}

cudaError_t cudaProfilerStop() {
    return call([](Runtime&) -> Outcome<void> { return {}; });
}

cudaError_t cudaGetExportTable(const void** table, const cudaUUID_t*) {
    return call([&](Runtime&) -> Outcome<void> {
        if (table != nullptr) *table = nullptr;
        return lacking("cudaGetExportTable");
    });
}

} // extern "C"
