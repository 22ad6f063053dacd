// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Goes before CUDA's libraries in programs that are linked with them. They can't come up on the emulated
// driver, so a program would end where it makes a handle, which many do before they know whether they need
// it. Here a handle is made, as null: the libraries' own functions refuse that one (NOT_INITIALIZED and the
// like), so nothing seems to be computed. CUDA's headers stay out of this file: their names are all it needs.

#include <dlfcn.h>

#include <cstddef>

/// Brings up the emulator, which names the libraries of the program to its user.
extern "C" int cuInit(unsigned flags);

namespace {

template <typename Handle>
int make(Handle* handle) {
    constexpr int kInvalidValue = 3; // near enough the same in all of them: not 0
    if (handle == nullptr) return kInvalidValue;
    *handle = {};
    return cuInit(0);
}

} // namespace

#define DORMER_HANDLE(create, destroy)                                                                       \
    extern "C" int create(void** handle) {                                                                   \
        return make(handle);                                                                                 \
    }                                                                                                        \
    extern "C" int destroy(void*) {                                                                          \
        return 0;                                                                                            \
    }
DORMER_HANDLE(cublasCreate_v2, cublasDestroy_v2)
DORMER_HANDLE(cublasLtCreate, cublasLtDestroy)
DORMER_HANDLE(cusparseCreate, cusparseDestroy)
DORMER_HANDLE(cusolverDnCreate, cusolverDnDestroy)
DORMER_HANDLE(cusolverSpCreate, cusolverSpDestroy)
DORMER_HANDLE(cudnnCreate, cudnnDestroy)

/// Plans are numbers; this one is of none.
extern "C" int cufftCreate(int* plan) {
    return make(plan);
}
extern "C" int cufftDestroy(int) {
    return 0;
}

extern "C" int curandCreateGenerator(void** generator, int) {
    return make(generator);
}
extern "C" int curandDestroyGenerator(void*) {
    return 0;
}

// What programs set before they know whether they need the handle; nothing of it matters to a null one.
#define DORMER_SETTING(name)                                                                                 \
    extern "C" int name() {                                                                                  \
        return 0;                                                                                            \
    }
DORMER_SETTING(cublasSetMathMode)
DORMER_SETTING(cublasSetStream_v2)
DORMER_SETTING(cublasSetPointerMode_v2)
DORMER_SETTING(cublasSetAtomicsMode)
DORMER_SETTING(cublasSetWorkspace_v2)
DORMER_SETTING(cusparseSetStream)
DORMER_SETTING(cusparseSetPointerMode)
DORMER_SETTING(cusolverDnSetStream)
DORMER_SETTING(cudnnSetStream)
DORMER_SETTING(curandSetStream)
DORMER_SETTING(curandSetPseudoRandomGeneratorSeed)
DORMER_SETTING(curandSetGeneratorOffset)

// NVRTC makes machine code where a program names a chip, and keeps the PTX that it comes of: that is what the
// emulated driver loads, so programs get it for both.
namespace {

template <typename Result>
int askForPtx(const char* name, void* program, Result* result) {
    constexpr int kInternalError = 11; // NVRTC_ERROR_INTERNAL_ERROR
    const auto function = reinterpret_cast<int (*)(void*, Result*)>(dlsym(RTLD_NEXT, name));
    return function == nullptr ? kInternalError : function(program, result);
}

} // namespace

extern "C" int nvrtcGetCUBINSize(void* program, std::size_t* bytes) {
    return askForPtx("nvrtcGetPTXSize", program, bytes);
}
extern "C" int nvrtcGetCUBIN(void* program, char* code) {
    return askForPtx("nvrtcGetPTX", program, code);
}
