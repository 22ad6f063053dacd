// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Matrix fragments and asynchronous copies; matrices.ptx is this file compiled by scripts/test-kernels.

#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_fp16.h>
#include <mma.h>

// C = A B + C on the tensor cores, A by rows, B by columns, C by rows with a wider pitch.
extern "C" __global__ void product(const half* a, const half* b, float* c, int pitch) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, half, row_major> fragmentA;
    fragment<matrix_b, 16, 16, 16, half, col_major> fragmentB;
    fragment<accumulator, 16, 16, 16, float> sum;
    load_matrix_sync(fragmentA, a, 16);
    load_matrix_sync(fragmentB, b, 16);
    load_matrix_sync(sum, c, pitch, mem_row_major);
    mma_sync(sum, fragmentA, fragmentB, sum);
    store_matrix_sync(c, sum, pitch, mem_row_major);
}

// Four 8x8 tiles of 16-bit numbers through ldmatrix, plain or transposed, and back through stmatrix.
extern "C" __global__ void tiles(const unsigned short* in, unsigned* plain, unsigned* transposed,
                                 unsigned short* out) {
    __shared__ alignas(16) unsigned short from[256], to[256];
    for (int k = threadIdx.x; k < 256; k += 32)
        from[k] = in[k];
    __syncwarp();
    const unsigned row = static_cast<unsigned>(__cvta_generic_to_shared(from + threadIdx.x * 8));
    unsigned r[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row)
                 : "memory");
    for (int k = 0; k < 4; ++k)
        plain[k * 32 + threadIdx.x] = r[k];
    const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(to + threadIdx.x * 8));
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(target), "r"(r[0]),
                 "r"(r[1]), "r"(r[2]), "r"(r[3])
                 : "memory");
    __syncwarp();
    for (int k = threadIdx.x; k < 256; k += 32)
        out[k] = to[k];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(row)
                 : "memory");
    for (int k = 0; k < 4; ++k)
        transposed[k * 32 + threadIdx.x] = r[k];
}

// Rounds of a barrier object: what one warp writes before it, the next reads after it.
extern "C" __global__ void rounds(int* out, int count) {
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int value;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
        value = 0;
    }
    __syncthreads();
    for (int k = 0; k < count; ++k) {
        if (threadIdx.x / 32 == k % (blockDim.x / 32) && threadIdx.x % 32 == 0) value = value * 2 + 1;
        barrier.arrive_and_wait();
    }
    out[threadIdx.x] = value;
}

// A bulk copy to shared memory that reports to a barrier, and one back.
extern "C" __global__ void bulk(const int* in, int* out) {
    __shared__ alignas(128) int tile[256];
    __shared__ std::uint64_t barrier;
    namespace ptx = cuda::ptx;
    if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, sizeof tile, &barrier);
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                       sizeof tile);
    }
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
    }
    tile[threadIdx.x] += 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, tile, sizeof tile);
        ptx::cp_async_bulk_commit_group();
        ptx::cp_async_bulk_wait_group(cuda::ptx::n32_t<0>{});
    }
}

// 16 bytes a lane, half of the lanes reading less than they write.
extern "C" __global__ void asyncCopy(const int4* in, int4* out) {
    __shared__ int4 tile[32];
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(tile + threadIdx.x));
    const unsigned bytes = threadIdx.x < 16 ? 16 : 8;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(in + threadIdx.x), "r"(bytes)
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = tile[threadIdx.x];
}
