// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels in thread block clusters; clusters.ptx is this file compiled by scripts/test-kernels.

#include <cooperative_groups.h>
#include <cuda/ptx>

namespace cg = cooperative_groups;

// Each block reads what the others of its cluster wrote.
extern "C" __global__ void readOthers(int* out) {
    __shared__ int mine[32];
    cg::cluster_group cluster = cg::this_cluster();
    mine[threadIdx.x] = 1000 * blockIdx.x + threadIdx.x;
    cluster.sync();
    int sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
        sum += cluster.map_shared_rank(mine, rank)[31 - threadIdx.x];
    out[blockIdx.x * 32 + threadIdx.x] = sum;
    cluster.sync();
}

// Writes and atomics in the first block's memory.
extern "C" __global__ void countInFirst(int* out) {
    __shared__ int count;
    __shared__ int ranks[16];
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) count = 0;
    cluster.sync();
    atomicAdd(cluster.map_shared_rank(&count, 0), 1);
    if (threadIdx.x == 0) *cluster.map_shared_rank(&ranks[cluster.block_rank()], 0) = blockIdx.x + 1;
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0) {
        int sum = count;
        for (unsigned rank = 0; rank < cluster.num_blocks(); ++rank)
            sum += 10000 * ranks[rank];
        out[blockIdx.x / cluster.num_blocks()] = sum;
    }
}

// Where each block is, in clusters of two dimensions.
extern "C" __global__ void whereAmI(int* out) {
    if (threadIdx.x != 0) return;
    const cg::cluster_group cluster = cg::this_cluster();
    const dim3 in = cluster.block_index(), of = cluster.dim_blocks();
    int* mine = out + 6 * (blockIdx.y * gridDim.x + blockIdx.x);
    mine[0] = in.x;
    mine[1] = in.y;
    mine[2] = cluster.block_rank();
    mine[3] = of.x * 10 + of.y;
    int x, y;
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(x));
    asm("mov.u32 %0, %%clusterid.y;" : "=r"(y));
    mine[4] = x;
    mine[5] = y;
}

// Arrives, works on, and waits later; threads that leave do not hold the others up.
extern "C" __global__ void splitBarrier(int* out, int leave) {
    __shared__ int flag[64];
    cg::cluster_group cluster = cg::this_cluster();
    flag[threadIdx.x] = blockIdx.x + 1;
    if (threadIdx.x < leave) return;
    auto token = cluster.barrier_arrive();
    int own = flag[threadIdx.x] * 100;
    cluster.barrier_wait(cuda::std::move(token));
    own += cluster.map_shared_rank(flag, cluster.block_rank() ^ 1)[threadIdx.x];
    cluster.sync();
    out[blockIdx.x * 64 + threadIdx.x] = own;
}

// By addresses of shared memory, without generic ones.
extern "C" __global__ void byNarrowAddress(int* out) {
    __shared__ int value;
    if (threadIdx.x == 0) value = 7 * blockIdx.x + 3;
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    unsigned own = static_cast<unsigned>(__cvta_generic_to_shared(&value)), other, rank, mine, got, back;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(mine));
    rank = mine ^ 1;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(own), "r"(rank));
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(got) : "r"(other));
    asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(back) : "r"(other));
    out[blockIdx.x * 32 + threadIdx.x] = got * 10 + back;
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// Beyond the memory of the other block, and in a block that the cluster does not have.
extern "C" __global__ void beyond(int* out, int rank, int index) {
    __shared__ int values[32];
    cg::cluster_group cluster = cg::this_cluster();
    values[threadIdx.x] = 1;
    cluster.sync();
    out[threadIdx.x] = cluster.map_shared_rank(values, rank)[index];
    cluster.sync();
}
