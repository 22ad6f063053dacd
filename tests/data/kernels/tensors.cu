// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Copies by tensor maps; tensors.ptx is this file compiled by scripts/test-kernels. A map is 128 opaque
// bytes.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct alignas(64) Map {
    char bytes[128];
};

extern __shared__ __align__(1024) unsigned char box[];

__device__ unsigned shared(const void* at) {
    return static_cast<unsigned>(__cvta_generic_to_shared(at));
}
__device__ void begin(unsigned long long* barrier, int bytes) {
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared(barrier)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        if (bytes > 0)
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared(barrier)),
                         "r"(bytes)
                         : "memory");
    }
    __syncthreads();
}
__device__ void await(unsigned long long* barrier) {
    asm volatile("{\n .reg .pred done;\nagain:\n mbarrier.try_wait.parity.shared.b64 done, [%0], 0;\n"
                 " @!done bra again;\n}" ::"r"(shared(barrier))
                 : "memory");
}
__device__ void give(unsigned char* out, int bytes) {
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)
        out[i] = box[i];
}

// What a box looks like in shared memory.
extern "C" __global__ void load1(const __grid_constant__ Map map, unsigned char* out, int bytes, int x) {
    __shared__ unsigned long long barrier;
    begin(&barrier, bytes);
    if (threadIdx.x == 0)
        asm volatile(
            "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
            "{%2}], [%3];" ::"r"(shared(box)),
            "l"(&map), "r"(x), "r"(shared(&barrier))
            : "memory");
    await(&barrier);
    give(out, bytes);
}
extern "C" __global__ void load2(const __grid_constant__ Map map, unsigned char* out, int bytes, int x,
                                 int y) {
    __shared__ unsigned long long barrier;
    begin(&barrier, bytes);
    if (threadIdx.x == 0)
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, "
            "{%2, %3}], [%4];" ::"r"(shared(box)),
            "l"(&map), "r"(x), "r"(y), "r"(shared(&barrier))
            : "memory");
    await(&barrier);
    give(out, bytes);
}
extern "C" __global__ void load4(const __grid_constant__ Map map, unsigned char* out, int bytes, int x, int y,
                                 int z, int t) {
    __shared__ unsigned long long barrier;
    begin(&barrier, bytes);
    if (threadIdx.x == 0)
        asm volatile(
            "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, "
            "%3, %4, %5}], [%6];" ::"r"(shared(box)),
            "l"(&map), "r"(x), "r"(y), "r"(z), "r"(t), "r"(shared(&barrier))
            : "memory");
    await(&barrier);
    give(out, bytes);
}

// The first block of a pair gives both the box; each writes what it got.
extern "C" __global__ void multicast(const __grid_constant__ Map map, unsigned char* out, int bytes) {
    __shared__ unsigned long long barrier;
    cg::cluster_group cluster = cg::this_cluster();
    begin(&barrier, bytes);
    cluster.sync();
    if (cluster.block_rank() == 0 && threadIdx.x == 0)
        asm volatile(
            "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::"
            "cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared(box)),
            "l"(&map), "r"(0), "r"(0), "r"(shared(&barrier)), "h"(static_cast<unsigned short>(3))
            : "memory");
    await(&barrier);
    give(out + cluster.block_rank() * bytes, bytes);
    cluster.sync();
}

__device__ void take(const unsigned char* in, int bytes) {
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)
        box[i] = in[i];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
}
extern "C" __global__ void store2(const __grid_constant__ Map map, const unsigned char* in, int bytes, int x,
                                  int y) {
    take(in, bytes);
    if (threadIdx.x == 0) {
        asm volatile(
            "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
            "r"(x), "r"(y), "r"(shared(box))
            : "memory");
        asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
extern "C" __global__ void add2(const __grid_constant__ Map map, const unsigned char* in, int bytes, int x,
                                int y) {
    take(in, bytes);
    if (threadIdx.x == 0) {
        asm volatile(
            "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::
                "l"(&map),
            "r"(x), "r"(y), "r"(shared(box))
            : "memory");
        asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}

// Reductions without a map: each block adds to, or takes the largest into, the same array.
extern "C" __global__ void addAll(float* sums, const unsigned char* in, int bytes) {
    take(in, bytes);
    if (threadIdx.x == 0)
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(sums),
                     "r"(shared(box)), "r"(bytes)
                     : "memory");
}
extern "C" __global__ void largest(int* most, const unsigned char* in, int bytes) {
    take(in + blockIdx.x * bytes, bytes);
    if (threadIdx.x == 0)
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%0], [%1], %2;" ::"l"(most),
                     "r"(shared(box)), "r"(bytes)
                     : "memory");
}
// One block of a pair sends what it has to the other.
extern "C" __global__ void toNeighbour(unsigned char* out, const unsigned char* in, int bytes) {
    __shared__ unsigned long long barrier;
    cg::cluster_group cluster = cg::this_cluster();
    begin(&barrier, bytes);
    if (cluster.block_rank() == 0) take(in, bytes);
    cluster.sync();
    unsigned there, barrierThere;
    asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(there) : "r"(shared(box)));
    asm("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(barrierThere) : "r"(shared(&barrier)));
    if (cluster.block_rank() == 0 && threadIdx.x == 0)
        asm volatile(
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
                "r"(there),
            "r"(shared(box)), "r"(bytes), "r"(barrierThere)
            : "memory");
    if (cluster.block_rank() == 1) {
        await(&barrier);
        give(out, bytes);
    }
    cluster.sync();
}
