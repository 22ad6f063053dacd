// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/accuracy/exceptions.h"

#include <array>

namespace dormer::accuracy {

namespace {

constexpr auto kLines = std::to_array<LineException>({
    {"DeviceScanInit", "single_pass_scan_operators.cuh", 692, "global", "store", Reason::Predicated},
    // The last tile is not full: each item has a predicate of its own.
    {"DeviceScanKernel", "thread_load.cuh", 287, "global", "load", Reason::Predicated},
    {"DeviceScanKernel", "block_store.cuh", 407, "global", "store", Reason::Predicated},
    {"DeviceScanKernel", "block_store.cuh", 978, "shared", "store", Reason::Predicated},
    {"DeviceScanKernel", "strong_store.cuh", 90, "global", "store", Reason::Predicated},
    // Look-back: reads its predecessors' state until it is there.
    {"DeviceScanKernel", "strong_load.cuh", 100, "global", "load", Reason::Polled},
    {"DeviceScanKernel", "block_scan_warp_scans.cuh", 333, "local", "store", Reason::Spilled},
    {"DeviceScanKernel", "uninitialized_copy.cuh", 60, "local", "load", Reason::Spilled},
});

constexpr auto kCounters = std::to_array<CounterException>({
    {"DeviceScanKernel", "smsp__sass_inst_executed_op_global_ld.sum", Reason::Polled},
    {"DeviceScanKernel", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", Reason::Polled},
    {"DeviceScanKernel", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", Reason::Spilled},
    {"DeviceScanKernel", "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", Reason::Spilled},
    {"fmaChain", "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", Reason::MovedByFma},
    {"DeviceScanInit", "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", Reason::MovedByFma},
    {"readBy", "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", Reason::MovedByFma},
    {"writeBy", "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", Reason::MovedByFma},
    {"transposeTiled", "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", Reason::MovedByFma},
});

} // namespace

std::span<const LineException> lineExceptions() {
    return kLines;
}
std::span<const CounterException> counterExceptions() {
    return kCounters;
}

std::string_view describe(Reason reason) {
    switch (reason) {
    case Reason::Predicated:
        return "ptxas made a predicate of a branch: warps in which no lane takes it issue the access, too";
    case Reason::Spilled:
        return "ptxas spilled registers to local memory";
    case Reason::Polled:
        return "the kernel polls other blocks' results: how often hangs on timing, on the GPU as well";
    case Reason::MovedByFma:
        return "ptxas loads a constant with an HFMA2 on zeros, which counts as FP16 work";
    }
    return "";
}

} // namespace dormer::accuracy
