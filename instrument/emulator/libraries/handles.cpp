// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Goes before CUDA's libraries in programs that are linked with them. They can't come up on the emulated
// driver, so a program would end where it makes a handle, which many do before they know whether they need
// it. Here a handle is made, as null: the libraries' own functions refuse that one (NOT_INITIALIZED and the
// like), so nothing seems to be computed. CUDA's headers stay out of this file: their names are all it needs.

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
