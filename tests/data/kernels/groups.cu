// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Products of warp groups; groups.ptx is this file compiled by scripts/test-kernels.

extern __shared__ __align__(1024) unsigned char box[];

__device__ unsigned shared(const void* at) {
    return static_cast<unsigned>(__cvta_generic_to_shared(at));
}
__device__ void take(const unsigned char* image, int bytes) {
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)
        box[i] = image[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void finish() {
    asm volatile("wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
// Where a thread's i-th result is in a matrix of 16 columns.
__device__ int spot(int i) {
    const int warp = threadIdx.x / 32 % 4, lane = threadIdx.x % 32;
    return (16 * warp + lane / 4 + 8 * (i / 2 % 2)) * 16 + i / 4 * 8 + lane % 4 * 2 + i % 2;
}

// Both matrices lie in shared memory as the image has them; the descriptors count from its begin. 64 x 16
// results.
#define PRODUCT(name, T, constraint, words, tail)                                                            \
    extern "C" __global__ void name(const unsigned char* image, int bytes, unsigned long long a,             \
                                    unsigned long long b, T* out, int adds) {                                \
        take(image, bytes);                                                                                  \
        const unsigned long long begin = shared(box) >> 4;                                                   \
        T d[8];                                                                                              \
        for (int i = 0; i < 8; ++i)                                                                          \
            d[i] = out[spot(i)];                                                                             \
        asm volatile("{\n .reg .pred p;\n setp.ne.b32 p, %10, 0;\n wgmma.mma_async.sync.aligned." words      \
                     " {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p" tail ";\n}"                              \
                     : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]),                     \
                       "+" constraint(d[3]), "+" constraint(d[4]), "+" constraint(d[5]),                     \
                       "+" constraint(d[6]), "+" constraint(d[7])                                            \
                     : "l"(a + begin), "l"(b + begin), "r"(adds));                                           \
        finish();                                                                                            \
        for (int i = 0; i < 8; ++i)                                                                          \
            out[spot(i)] = d[i];                                                                             \
    }
PRODUCT(halves, float, "f", "m64n16k16.f32.f16.f16", ", 1, 1, 0, 0")
PRODUCT(halvesMinus, float, "f", "m64n16k16.f32.f16.f16", ", -1, 1, 0, 0")
PRODUCT(halvesTransposed, float, "f", "m64n16k16.f32.f16.f16", ", 1, 1, 1, 1")
PRODUCT(brains, float, "f", "m64n16k16.f32.bf16.bf16", ", 1, 1, 0, 1")
PRODUCT(tensorFloats, float, "f", "m64n16k8.f32.tf32.tf32", ", 1, 1")
PRODUCT(eighths, float, "f", "m64n16k32.f32.e4m3.e5m2", ", 1, 1")
PRODUCT(bytes, int, "r", "m64n16k32.s32.s8.u8", "")
PRODUCT(bytesSaturated, int, "r", "m64n16k32.s32.s8.u8.satfinite", "")

// Results of 16 bits: two in a register.
extern "C" __global__ void narrow(const unsigned char* image, int bytes, unsigned long long a,
                                  unsigned long long b, unsigned short* out, int adds) {
    take(image, bytes);
    const unsigned long long begin = shared(box) >> 4;
    unsigned d[4];
    for (int i = 0; i < 4; ++i)
        d[i] = out[spot(2 * i)] | out[spot(2 * i + 1)] << 16;
    asm volatile(
        "{\n .reg .pred p;\n setp.ne.b32 p, %6, 0;\n wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 "
        "{%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n}"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "l"(a + begin), "l"(b + begin), "r"(adds));
    finish();
    for (int i = 0; i < 8; ++i)
        out[spot(i)] = static_cast<unsigned short>(d[i / 2] >> i % 2 * 16);
}

// A in registers, by rows of 16 brain floats in global memory.
extern "C" __global__ void fromRegisters(const unsigned char* image, int bytes, const unsigned* rows,
                                         unsigned long long b, float* out, int adds) {
    take(image, bytes);
    const unsigned long long begin = shared(box) >> 4;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    unsigned a[4];
    for (int i = 0; i < 4; ++i) // pairs: 8 words a row
        a[i] = rows[(16 * warp + lane / 4 + 8 * (i % 2)) * 8 + lane % 4 + i / 2 * 4];
    float d[8];
    for (int i = 0; i < 8; ++i)
        d[i] = out[spot(i)];
    asm volatile(
        "{\n .reg .pred p;\n setp.ne.b32 p, %13, 0;\n wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, p, 1, 1, 1;\n}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b + begin), "r"(adds));
    finish();
    for (int i = 0; i < 8; ++i)
        out[spot(i)] = d[i];
}

// A producer warp fills one stage again as soon as one thread of the consuming group says that it has
// multiplied: which it may say for the whole group. The images lie one after the other.
extern "C" __global__ void pipeline(const unsigned char* images, int bytes, int count, unsigned long long a,
                                    unsigned long long b, float* out) {
    __shared__ unsigned long long full, empty;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(shared(&full)) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(&empty)) : "memory");
    }
    __syncthreads();
    const auto await = [](unsigned long long* barrier, int parity) {
        asm volatile("{\n .reg .pred done;\nagain:\n mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
                     " @!done bra again;\n}" ::"r"(shared(barrier)),
                     "r"(parity)
                     : "memory");
    };
    const auto arrive = [](unsigned long long* barrier) {
        asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared(barrier)) : "memory");
    };
    if (threadIdx.x >= 128) {
        for (int n = 0; n < count; ++n) {
            await(&empty, (n & 1) ^ 1);
            for (int i = threadIdx.x - 128; i < bytes; i += 32)
                box[i] = images[n * bytes + i];
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            arrive(&full);
        }
        return;
    }
    const unsigned long long begin = shared(box) >> 4;
    float d[8] = {};
    for (int n = 0; n < count; ++n) {
        await(&full, n & 1);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        asm volatile(
            "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 1, "
            "1, 1, 0, 0;"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
            : "l"(a + begin), "l"(b + begin));
        finish();
        if (threadIdx.x == 0) arrive(&empty);
    }
    for (int i = 0; i < 8; ++i)
        out[spot(i)] = d[i];
}
