// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Modules and libraries, which are one thing here, and the functions and variables in them.

#include "instrument/emulator/runtime/driver/driver.h"
#include "instrument/emulator/runtime/driver/jit_options.h"

#include <fstream>
#include <iterator>

using namespace dormer::emulator::engine;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::driver;

namespace {

template <typename Handle>
std::size_t binaryOf(Handle handle) {
    return reinterpret_cast<std::size_t>(handle) - 1;
}

template <typename Handle>
Handle handleOf(std::size_t binary) {
    return reinterpret_cast<Handle>(binary + 1);
}

/// Loads code; what is wrong with it goes to the program's log, too.
template <typename Handle>
CUresult load(Handle* handle, const void* code, const JitOptions& options) {
    return inContext([&] {
        options.write({});
        return api::call([&](Runtime& r) -> Outcome<void> {
            if (handle == nullptr || code == nullptr) return fails(cudaErrorInvalidValue);
            const Outcome<std::size_t> loaded = r.modules().loadLibrary(code);
            if (!loaded) {
                options.write(loaded.error().text);
                return std::unexpected(loaded.error());
            }
            *handle = handleOf<Handle>(*loaded);
            return {};
        });
    });
}

template <typename Handle>
CUresult loadFile(Handle* handle, const char* path, const JitOptions& options) {
    if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::ifstream file(path, std::ios::binary);
    if (!file) return CUDA_ERROR_FILE_NOT_FOUND;
    const std::string code((std::istreambuf_iterator<char>(file)), {});
    return load(handle, code.c_str(), options);
}

template <typename Handle>
CUresult unload(Handle handle) {
    return inContext([&] {
        return api::call([&](Runtime& r) -> Outcome<void> {
            return r.modules().forget(binaryOf(handle)) ? Outcome<void>{}
                                                        : fails(cudaErrorInvalidResourceHandle);
        });
    });
}

template <typename Kernel, typename Handle>
CUresult kernelOf(Kernel* kernel, Handle handle, const char* name) {
    return inContext([&] {
        return api::call([&](Runtime& r) -> Outcome<void> {
            if (kernel == nullptr || name == nullptr) return fails(cudaErrorInvalidValue);
            const Outcome<Function*> found = r.modules().functionByName(binaryOf(handle), name);
            if (!found) return std::unexpected(found.error());
            *kernel = reinterpret_cast<Kernel>(*found);
            return {};
        });
    });
}

/// Address and size of a variable; either may be unwanted.
template <typename Address, typename Handle>
CUresult variableOf(Address* address, std::size_t* bytes, Handle handle, const char* name) {
    return inContext([&] {
        return api::call([&](Runtime& r) -> Outcome<void> {
            if (name == nullptr || (address == nullptr && bytes == nullptr))
                return fails(cudaErrorInvalidValue);
            const Outcome<Engine::VariablePlace> found = r.modules().variableByName(binaryOf(handle), name);
            if (!found) return std::unexpected(found.error());
            if (address != nullptr) *address = as<Address>(found->address);
            if (bytes != nullptr) *bytes = found->bytes;
            return {};
        });
    });
}

/// The module or library that a kernel is of.
template <typename Handle>
CUresult homeOf(Handle* handle, const void* function) {
    return inContext([&] {
        return api::call([&](Runtime& r) -> Outcome<void> {
            const Outcome<Function*> found = r.modules().handle(function);
            if (!found) return fails(cudaErrorInvalidResourceHandle);
            if (handle == nullptr) return fails(cudaErrorInvalidValue);
            *handle = handleOf<Handle>((*found)->binary);
            return {};
        });
    });
}

} // namespace

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* path) {
    return loadFile(module, path, {});
}
CUresult cuModuleLoadData(CUmodule* module, const void* code) {
    return load(module, code, {});
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* code, unsigned count, CUjit_option* options,
                            void** values) {
    return load(module, code, {count, options, values});
}
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* code) {
    return load(module, code, {});
}
CUresult cuModuleUnload(CUmodule module) {
    return unload(module);
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    return kernelOf(function, module, name);
}
CUresult cuModuleGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUmodule module, const char* name) {
    return variableOf(address, bytes, module, name);
}
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
    if (mode == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
}

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options, void** values,
                           unsigned count, CUlibraryOption*, void**, unsigned) {
    return load(library, code, {count, options, values});
}
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* options, void** values,
                               unsigned count, CUlibraryOption*, void**, unsigned) {
    return loadFile(library, path, {count, options, values});
}
CUresult cuLibraryUnload(CUlibrary library) {
    return unload(library);
}
CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
    return kernelOf(kernel, library, name);
}
CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
    if (module == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *module = reinterpret_cast<CUmodule>(library);
    return CUDA_SUCCESS;
}
CUresult cuLibraryGetGlobal(CUdeviceptr* address, std::size_t* bytes, CUlibrary library, const char* name) {
    return variableOf(address, bytes, library, name);
}
CUresult cuLibraryGetManaged(CUdeviceptr* address, std::size_t* bytes, CUlibrary library, const char* name) {
    return variableOf(address, bytes, library, name);
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
    if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *function = reinterpret_cast<CUfunction>(kernel);
    return CUDA_SUCCESS;
}
CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
    return homeOf(library, kernel);
}
CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
    return homeOf(module, function);
}
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction) {
    if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
}
CUresult cuFuncLoad(CUfunction) {
    return CUDA_SUCCESS;
}

} // extern "C"
