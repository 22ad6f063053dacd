// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Matrices that move between registers, or turned into memory, and accesses with a policy for the cache;
// moved_matrices.ptx is this file compiled by scripts/test-kernels.

// An 8x8 tile of 16-bit numbers, transposed by movmatrix.
extern "C" __global__ void moved(const unsigned* in, unsigned* out) {
    unsigned turned;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(turned) : "r"(in[threadIdx.x]));
    out[threadIdx.x] = turned;
}

// Two of them, transposed by stmatrix.
extern "C" __global__ void stored(const unsigned* in, unsigned short* out) {
    __shared__ alignas(16) unsigned short tiles[128];
    const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(tiles + threadIdx.x % 16 * 8));
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(target),
                 "r"(in[threadIdx.x]), "r"(in[32 + threadIdx.x])
                 : "memory");
    __syncwarp();
    for (int k = threadIdx.x; k < 128; k += 32)
        out[k] = tiles[k];
}

// Loads and stores that say which lines the cache should keep.
extern "C" __global__ void kept(const int* in, int* out) {
    unsigned long long first, last;
    asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
    asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %0, 0.5;" : "=l"(last));
    int value;
    asm volatile("ld.global.L2::cache_hint.s32 %0, [%1], %2;"
                 : "=r"(value)
                 : "l"(in + threadIdx.x), "l"(first));
    asm volatile("st.global.L2::cache_hint.s32 [%0], %1, %2;" ::"l"(out + threadIdx.x), "r"(value + 1),
                 "l"(last)
                 : "memory");
}
