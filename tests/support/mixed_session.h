// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/launches.h"
#include "tests/support/recorded_h200.h"

namespace dormer::tests {

/// One launch of 100 us on an H200 that did 4e10 operations on FP16 matrices and 1e9 FP32 multiply-adds, and
/// moved 2e8 bytes through DRAM, 4e8 through L2: 400 and 20 TFLOP/s, 200 and 10 FLOP per DRAM byte.
inline session::Session mixedSession() {
    auto counters = idleCounters();
    counters.merge(unknownTensorCounters());
    counters["sm__ops_path_tensor_src_fp16.sum"] = 4e10;
    counters["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 1e9;
    counters["dram__bytes_read.sum"] = 2e8;
    counters["lts__t_sectors_op_read.sum"] = 4e8 / 32;
    session::Kernel kernel;
    kernel.name = "gemm_with_epilogue";
    return oneLaunch(h200(), sizedLaunch(65536, 100'000), counters, kernel);
}

} // namespace dormer::tests
