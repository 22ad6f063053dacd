// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Stores and reductions that an mbarrier of another block counts; async_stores.ptx is this file compiled by
// scripts/test-kernels.

#include <cooperative_groups.h>
#include <cuda/std/cstdint>

namespace cg = cooperative_groups;

// In clusters of two: each block's lanes store a pair into the other's memory and add to a sum there. All of
// them read once their own mbarrier has its bytes.
extern "C" __global__ void exchange(unsigned* out) {
    __shared__ alignas(8) cuda::std::uint64_t barrier;
    __shared__ alignas(8) unsigned pairs[64];
    __shared__ unsigned sum;
    const cg::cluster_group cluster = cg::this_cluster();
    const unsigned mine = static_cast<unsigned>(__cvta_generic_to_shared(&barrier)), t = threadIdx.x;
    if (t == 0) {
        sum = 0;
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(mine) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(mine), "r"(32 * 12)
                     : "memory");
    }
    cluster.sync();
    const unsigned other = 1 - cluster.block_rank();
    unsigned place, total, theirs;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(place)
        : "r"(static_cast<unsigned>(__cvta_generic_to_shared(pairs + 2 * t))), "r"(other));
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(total)
        : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&sum))), "r"(other));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(theirs) : "r"(mine), "r"(other));
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%0], {%1, %2}, [%3];" ::"r"(place),
        "r"(t), "r"(100 * blockIdx.x + t), "r"(theirs)
        : "memory");
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::
            "r"(total),
        "r"(t), "r"(theirs)
        : "memory");
    unsigned done = 0;
    while (done == 0)
        asm volatile("{\n.reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n"
                     "selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(mine)
                     : "memory");
    unsigned* const to = out + 96 * blockIdx.x + 3 * t;
    to[0] = pairs[2 * t];
    to[1] = pairs[2 * t + 1];
    to[2] = sum;
    cluster.sync();
}

__constant__ unsigned table[4] = {1, 2, 3, 4};

// What kind of memory addresses lie in, whether the launch names a cluster size, and a vote on a known mask.
extern "C" __global__ void kinds(const unsigned* given, const __grid_constant__ unsigned parameter,
                                 unsigned* out) {
    __shared__ unsigned local;
    local = 0;
    const unsigned* const addresses[4] = {given, table + 3, &parameter, &local};
    for (int k = 0; k < 4; ++k) {
        unsigned isConstant, isParameter;
        asm("{\n.reg .pred p;\nisspacep.const p, %1;\nselp.u32 %0, 1, 0, p;\n}"
            : "=r"(isConstant)
            : "l"(addresses[k]));
        asm("{\n.reg .pred p;\nisspacep.param::entry p, %1;\nselp.u32 %0, 1, 0, p;\n}"
            : "=r"(isParameter)
            : "l"(addresses[k]));
        out[k] = 10 * isConstant + isParameter;
    }
    out[4] = __clusterDimIsSpecified();
    asm volatile("{\n.reg .pred p, q;\nsetp.lt.u32 p, %1, 5;\nvote.sync.uni.pred q, p, -1;\n"
                 "selp.u32 %0, 1, 0, q;\n}"
                 : "=r"(out[5])
                 : "r"(threadIdx.x));
    asm volatile("{\n.reg .pred p, q;\nsetp.lt.u32 p, %1, 50;\nvote.sync.uni.pred q, p, -1;\n"
                 "selp.u32 %0, 1, 0, q;\n}"
                 : "=r"(out[6])
                 : "r"(threadIdx.x));
}
