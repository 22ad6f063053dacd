// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Every kind of memory instruction, for the test of instrument/cupti/cubin.h. Its disassembly beside it:
//   nvcc -arch=sm_90 -lineinfo -cubin accesses.cu -o accesses.cubin && cuobjdump -sass accesses.cubin

extern "C" __global__ void accesses(char* g, char* generic, int n) {
    __shared__ alignas(16) char s[4096];
    volatile int local[64];
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(s)) + threadIdx.x * 16;
    char* p = g + threadIdx.x * 16;
    unsigned a, b, c, d;
    unsigned long long w;
    unsigned short h;
    asm volatile("ld.global.u8 %0, [%1];" : "=h"(h) : "l"(p));
    asm volatile("st.global.u8 [%1], %0;" ::"h"(h), "l"(p));
    asm volatile("ld.global.s8 %0, [%1];" : "=r"(a) : "l"(p));
    asm volatile("st.global.u32 [%1], %0;" ::"r"(a), "l"(p));
    asm volatile("ld.global.u16 %0, [%1];" : "=h"(h) : "l"(p));
    asm volatile("st.global.u16 [%1], %0;" ::"h"(h), "l"(p));
    asm volatile("ld.global.s16 %0, [%1];" : "=r"(a) : "l"(p));
    asm volatile("st.global.u32 [%1], %0;" ::"r"(a), "l"(p));
    asm volatile("ld.global.u64 %0, [%1];" : "=l"(w) : "l"(p));
    asm volatile("st.global.u64 [%1], %0;" ::"l"(w), "l"(p));
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(p));
    asm volatile("st.global.v4.u32 [%4], {%0,%1,%2,%3};" ::"r"(a), "r"(b), "r"(c), "r"(d), "l"(p));
    asm volatile("st.shared.u32 [%1], %0;" ::"r"(a), "r"(shared));
    asm volatile("st.shared.u64 [%1], %0;" ::"l"(w), "r"(shared));
    asm volatile("st.shared.v4.u32 [%4], {%0,%1,%2,%3};" ::"r"(a), "r"(b), "r"(c), "r"(d), "r"(shared));
    __syncthreads();
    asm volatile("ld.shared.u8 %0, [%1];" : "=h"(h) : "r"(shared));
    asm volatile("st.shared.u8 [%1], %0;" ::"h"(h), "r"(shared + 1));
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(shared));
    asm volatile("ld.shared.u64 %0, [%1];" : "=l"(w) : "r"(shared));
    asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(shared));
    asm volatile("st.global.v4.u32 [%4], {%0,%1,%2,%3};" ::"r"(a), "r"(b), "r"(c), "r"(d), "l"(p));
    asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(a) : "r"(shared), "r"(b));
    asm volatile("atom.shared.inc.u32 %0, [%1], %2;" : "=r"(c) : "r"(shared), "r"(b));
    asm volatile("atom.shared.cas.b32 %0, [%1], %2, %3;" : "=r"(d) : "r"(shared), "r"(b), "r"(c));
    asm volatile("atom.shared.exch.b64 %0, [%1], %2;" : "=l"(w) : "r"(shared), "l"(w));
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(shared));
    asm volatile("st.global.v4.u32 [%4], {%0,%1,%2,%3};" ::"r"(a), "r"(b), "r"(c), "r"(d), "l"(p));
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(a) : "l"(p), "r"(b));
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(c) : "l"(p), "r"(b), "r"(d));
    asm volatile("atom.global.add.u64 %0, [%1], %2;" : "=l"(w) : "l"(p), "l"(w));
    asm volatile("st.global.u64 [%1], %0;" ::"l"(w + a + c), "l"(p));
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(p), "r"(b));
    asm volatile("red.global.add.u64 [%0], %1;" ::"l"(p), "l"(w));
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(p), "f"(1.0f));
    asm volatile("ld.u32 %0, [%1];" : "=r"(a) : "l"(generic));
    asm volatile("st.u32 [%1], %0;" ::"r"(a), "l"(generic));
    asm volatile("atom.add.u32 %0, [%1], %2;" : "=r"(a) : "l"(generic), "r"(b));
    asm volatile("st.u32 [%1], %0;" ::"r"(a), "l"(generic + 4));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(p));
    asm volatile("cp.async.wait_all;");
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(shared));
    for (int i = 0; i < n; ++i)
        local[i & 63] = a + i;
    asm volatile("st.global.u32 [%1], %0;" ::"r"(local[n & 63]), "l"(p));
}
