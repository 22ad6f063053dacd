// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Code loaded while the program runs.

#include "instrument/emulator/runtime/api/api.h"

#include <fstream>
#include <iterator>

using namespace dormer::emulator::engine;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

std::size_t binaryOf(cudaLibrary_t library) {
    return reinterpret_cast<std::size_t>(library) - 1;
}

Outcome<void> place(Runtime& r, void** pointer, std::size_t* bytes, cudaLibrary_t library, const char* name) {
    if (name == nullptr) return fails(cudaErrorInvalidValue);
    const Outcome<Engine::VariablePlace> found = r.modules().variableByName(binaryOf(library), name);
    if (!found) return fails(cudaErrorSymbolNotFound);
    if (pointer != nullptr) *pointer = reinterpret_cast<void*>(found->address);
    if (bytes != nullptr) *bytes = found->bytes;
    return {};
}

} // namespace

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*, void**, unsigned,
                                cudaLibraryOption*, void**, unsigned) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (library == nullptr || code == nullptr) return fails(cudaErrorInvalidValue);
        const Outcome<std::size_t> loaded = r.modules().loadLibrary(code);
        if (!loaded) return std::unexpected(loaded.error());
        *library = reinterpret_cast<cudaLibrary_t>(*loaded + 1);
        return {};
    });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path, cudaJitOption* jitOptions,
                                    void** jitValues, unsigned jitCount, cudaLibraryOption* options,
                                    void** values, unsigned count) {
    if (path == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    std::ifstream file(path, std::ios::binary);
    if (!file) return Runtime::lastError() = cudaErrorFileNotFound;
    std::string text((std::istreambuf_iterator<char>(file)), {});
    return cudaLibraryLoadData(library, text.c_str(), jitOptions, jitValues, jitCount, options, values,
                               count);
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
    return call([&](Runtime& r) -> Outcome<void> {
        r.modules().forget(binaryOf(library));
        return {};
    });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (kernel == nullptr || name == nullptr) return fails(cudaErrorInvalidValue);
        const Outcome<Function*> found = r.modules().functionByName(binaryOf(library), name);
        if (!found) return std::unexpected(found.error());
        *kernel = reinterpret_cast<cudaKernel_t>(*found);
        return {};
    });
}

cudaError_t cudaLibraryGetGlobal(void** pointer, std::size_t* bytes, cudaLibrary_t library,
                                 const char* name) {
    return call([&](Runtime& r) { return place(r, pointer, bytes, library, name); });
}

cudaError_t cudaLibraryGetManaged(void** pointer, std::size_t* bytes, cudaLibrary_t library,
                                  const char* name) {
    return call([&](Runtime& r) { return place(r, pointer, bytes, library, name); });
}

} // extern "C"
