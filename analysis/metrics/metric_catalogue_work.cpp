// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/metric_topics.h"

#include <array>

namespace dormer::metrics {

namespace {

// Thread-level instructions with their predicate on, from one patched pass: exact. An FMA is two operations;
// half-precision instructions work on pairs.
constexpr auto kWork = std::to_array<Metric>({
    {"flops_fp32", "FP32 FLOP", Unit::Count,
     "first(smsp__sass_thread_inst_executed_op_fadd_pred_on.sum + "
     "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum + 2 * "
     "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum, "
     "2 * 32 * 2 * sm__inst_executed_pipe_fmalite.sum)",
     "Single-precision operations: adds, multiplies, and two for each fused multiply-add. Executed "
     "instructions are counted, so a division counts as the several it compiles to. Where pipes were sampled "
     "instead: at most that many. The FMA-lite pipe takes every other one of these instructions and none on "
     "integers, and each is taken for a multiply-add of a whole warp.",
     ""},
    {"flops_fp64", "FP64 FLOP", Unit::Count,
     "first(smsp__sass_thread_inst_executed_op_dadd_pred_on.sum + "
     "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum + 2 * "
     "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum, "
     "2 * device.fp64_lanes_per_sm / 4 * sm__pipe_fp64_cycles_active.sum)",
     "Double-precision operations, counted the same way. Where pipes were sampled instead: what the FP64 "
     "pipe "
     "could do in the cycles it was busy, at most that many.",
     ""},
    {"flops_fp16", "FP16 FLOP", Unit::Count,
     "2 * smsp__sass_thread_inst_executed_op_hadd_pred_on.sum + 2 * "
     "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum + 4 * "
     "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum",
     "Half-precision operations outside the tensor cores; each instruction works on a pair. Compilers also "
     "build constants with such instructions.",
     ""},
    {"integer_ops", "integer ops", Unit::Count, "smsp__sass_thread_inst_executed_op_integer_pred_on.sum",
     "Integer instructions of threads, address arithmetic included.", ""},
    {"int_fp_ops", "ops", Unit::Count, "integer_ops + flops_fp32 + flops_fp64 + flops_fp16",
     "Integer and floating-point operations together: a place on the chart for kernels without "
     "floating-point work.",
     ""},
    {"warp_instructions", "instructions", Unit::Count, "smsp__inst_executed.sum",
     "Warp-level instructions executed.", "Executed Instructions"},
    {"warp_instructions_issued", "issued", Unit::Count,
     "first(smsp__inst_issued.sum, smsp__issue_active.sum)",
     "Warp-level instructions issued, replays included.", "Issued Instructions"},
    {"tensor_instructions", "tensor instr.", Unit::Count,
     "first(sm__inst_executed_pipe_tensor.sum - sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum, "
     "sm__inst_executed_pipe_tensor.sum)",
     "Matrix instructions of the tensor pipe, without the paired FP16 ones that some chips run there, too. "
     "What they compute is in flops_tensor and integer_ops_tensor.",
     ""},
    {"tensor_pipe_utilization", "tensor pipe", Unit::Ratio,
     "first(sm__pipe_tensor_cycles_active.sum / (4 * device.sm_count * sm_clock_hz * duration_ns * 1e-9), "
     "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed / 100)",
     "Share of the cycles in which the tensor pipes of the SMs were busy, whatever the number format. An SM "
     "has "
     "four.",
     "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"},
    // CUPTI calls what these count "math ops". A multiply-add is two: an H100's peak for FP64, which Nsight
    // Compute 2025 gives as sm__ops_path_tensor_src_fp64.sum.peak_sustained, is 33,792 per clock, 256 for
    // each of 132 SMs, and the SM does 128 multiply-adds (67 TFLOP/s at 1.98 GHz). Instructions for sparse
    // matrices count as if A were dense. The families by format hold the ones by instruction (_op_hmma_,
    // _op_hgmma_); paired FP16 instructions count in neither.
    {"flops_tensor_fp16", "FP16 tensor FLOP", Unit::Count,
     "first(sm__ops_path_tensor_src_fp16.sum, "
     "sm__ops_path_tensor_src_fp16_dst_fp16.sum + sm__ops_path_tensor_src_fp16_dst_fp32.sum, "
     "sm__ops_path_tensor_src_fp16_dst_fp16.sum + sm__ops_path_tensor_src_fp16_bf16_tf32_dst_fp32.sum)",
     "Operations of the tensor cores on half-precision matrices, two for each multiply-add, whatever "
     "precision "
     "the sums have.",
     ""},
    {"flops_tensor_bf16", "BF16 tensor FLOP", Unit::Count, "sm__ops_path_tensor_src_bf16_dst_fp32.sum",
     "The same on bfloat16 matrices.", ""},
    {"flops_tensor_tf32", "TF32 tensor FLOP", Unit::Count, "sm__ops_path_tensor_src_tf32_dst_fp32.sum",
     "The same on TF32 matrices.", ""},
    {"flops_tensor_fp64", "FP64 tensor FLOP", Unit::Count, "sm__ops_path_tensor_src_fp64.sum",
     "The same on double-precision matrices.", ""},
    {"flops_tensor_fp8", "FP8 tensor FLOP", Unit::Count,
     "first(sm__ops_path_tensor_src_fp8.sum, "
     "sm__ops_path_tensor_src_fp8_sparsity_off.sum + sm__ops_path_tensor_src_fp8_sparsity_on.sum, "
     "sm__ops_path_tensor_src_fp4_dst_fp32.sum + sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp16.sum + "
     "sm__ops_path_tensor_src_fp4_fp6_fp8_dst_fp32.sum, "
     "sm__ops_path_tensor_src_fp4_dst_fp32.sum + sm__ops_path_tensor_src_fp4_fp6_dst_fp16.sum + "
     "sm__ops_path_tensor_src_fp4_fp6_dst_fp32.sum + sm__ops_path_tensor_src_fp8_dst_fp16.sum + "
     "sm__ops_path_tensor_src_fp8_dst_fp32.sum)",
     "The same on FP8 matrices and narrower ones (FP6, FP4).", ""},
    // Ampere has no FP8, Turing and Volta have FP16 only.
    {"flops_tensor", "tensor FLOP", Unit::Count,
     "first(flops_tensor_fp16 + flops_tensor_bf16 + flops_tensor_tf32 + flops_tensor_fp64 + "
     "flops_tensor_fp8, "
     "flops_tensor_fp16 + flops_tensor_bf16 + flops_tensor_tf32 + flops_tensor_fp64, flops_tensor_fp16)",
     "Floating-point operations of the tensor cores, two for each multiply-add. Executed ones: an "
     "instruction "
     "works on its whole tile, used or not. Needs the counter set tensor.",
     ""},
    {"integer_ops_tensor", "tensor integer ops", Unit::Count,
     "first(sm__ops_path_tensor_src_int8.sum + sm__ops_path_tensor_src_int4.sum + "
     "sm__ops_path_tensor_src_int1.sum, sm__ops_path_tensor_src_int8.sum + sm__ops_path_tensor_src_int1.sum, "
     "sm__ops_path_tensor_src_int8.sum)",
     "Integer operations of the tensor cores, two for each multiply-add. Needs the counter set tensor.", ""},
    {"tensor_ops", "tensor ops", Unit::Count, "first(flops_tensor + integer_ops_tensor, flops_tensor)",
     "All operations of the tensor cores, floating-point and integer. Needs the counter set tensor; emulated "
     "kernels always have it.",
     ""},
    {"flops_fp32_per_second", "FP32/s", Unit::PerSecond, "flops_fp32 / duration_ns * 1e9",
     "Rate of flops_fp32 over the uninstrumented duration.", ""},
    {"flops_fp64_per_second", "FP64/s", Unit::PerSecond, "flops_fp64 / duration_ns * 1e9",
     "Rate of flops_fp64 over the uninstrumented duration.", ""},
    {"flops_fp16_per_second", "FP16/s", Unit::PerSecond, "flops_fp16 / duration_ns * 1e9",
     "Rate of flops_fp16 over the uninstrumented duration.", ""},
    {"flops_tensor_per_second", "tensor FLOP/s", Unit::PerSecond, "flops_tensor / duration_ns * 1e9",
     "Rate of flops_tensor over the uninstrumented duration.", ""},
    {"tensor_ops_per_second", "tensor ops/s", Unit::PerSecond, "tensor_ops / duration_ns * 1e9",
     "Rate of tensor_ops over the uninstrumented duration.", ""},
    {"integer_ops_per_second", "integer/s", Unit::PerSecond, "integer_ops / duration_ns * 1e9",
     "Rate of integer_ops over the uninstrumented duration.", ""},
    {"int_fp_ops_per_second", "all ops/s", Unit::PerSecond, "int_fp_ops / duration_ns * 1e9",
     "Rate of int_fp_ops over the uninstrumented duration.", ""},
    {"warp_instructions_per_second", "instructions/s", Unit::PerSecond,
     "warp_instructions / duration_ns * 1e9",
     "Warp instructions per second over the uninstrumented duration.", ""},
});

// Work against the bytes a level moved: the horizontal axis of the roofline.
constexpr auto kIntensity = std::to_array<Metric>({
    {"arithmetic_intensity_dram_fp32", "AI FP32 DRAM", Unit::FlopPerByte, "flops_fp32 / dram_bytes",
     "Single-precision operations per byte of DRAM traffic.", ""},
    {"arithmetic_intensity_dram_fp64", "AI FP64 DRAM", Unit::FlopPerByte, "flops_fp64 / dram_bytes",
     "Double-precision operations per byte of DRAM traffic.", ""},
    {"arithmetic_intensity_dram_fp16", "AI FP16 DRAM", Unit::FlopPerByte, "flops_fp16 / dram_bytes",
     "Half-precision operations per byte of DRAM traffic.", ""},
    {"arithmetic_intensity_dram_tensor", "AI tensor DRAM", Unit::FlopPerByte, "flops_tensor / dram_bytes",
     "Floating-point operations of the tensor cores per byte of DRAM traffic.", ""},
    {"arithmetic_intensity_dram_int_fp", "AI ops DRAM", Unit::OpPerByte, "int_fp_ops / dram_bytes",
     "Integer and floating-point operations per byte of DRAM traffic.", ""},
    {"arithmetic_intensity_dram_warp_instructions", "AI instr. DRAM", Unit::OpPerByte,
     "warp_instructions / dram_bytes", "Warp instructions per byte of DRAM traffic.", ""},
    {"arithmetic_intensity_l2_fp32", "AI FP32 L2", Unit::FlopPerByte, "flops_fp32 / l2_bytes",
     "Single-precision operations per byte of L2 traffic.", ""},
    {"arithmetic_intensity_l2_fp64", "AI FP64 L2", Unit::FlopPerByte, "flops_fp64 / l2_bytes",
     "Double-precision operations per byte of L2 traffic.", ""},
    {"arithmetic_intensity_l2_fp16", "AI FP16 L2", Unit::FlopPerByte, "flops_fp16 / l2_bytes",
     "Half-precision operations per byte of L2 traffic.", ""},
    {"arithmetic_intensity_l2_tensor", "AI tensor L2", Unit::FlopPerByte, "flops_tensor / l2_bytes",
     "Floating-point operations of the tensor cores per byte of L2 traffic.", ""},
    {"arithmetic_intensity_l2_int_fp", "AI ops L2", Unit::OpPerByte, "int_fp_ops / l2_bytes",
     "Integer and floating-point operations per byte of L2 traffic.", ""},
    {"arithmetic_intensity_l2_warp_instructions", "AI instr. L2", Unit::OpPerByte,
     "warp_instructions / l2_bytes", "Warp instructions per byte of L2 traffic.", ""},
    {"arithmetic_intensity_l1_fp32", "AI FP32 L1", Unit::FlopPerByte, "flops_fp32 / l1_bytes",
     "Single-precision operations per byte of L1 traffic.", ""},
    {"arithmetic_intensity_l1_fp64", "AI FP64 L1", Unit::FlopPerByte, "flops_fp64 / l1_bytes",
     "Double-precision operations per byte of L1 traffic.", ""},
    {"arithmetic_intensity_l1_fp16", "AI FP16 L1", Unit::FlopPerByte, "flops_fp16 / l1_bytes",
     "Half-precision operations per byte of L1 traffic.", ""},
    {"arithmetic_intensity_l1_tensor", "AI tensor L1", Unit::FlopPerByte, "flops_tensor / l1_bytes",
     "Floating-point operations of the tensor cores per byte of L1 traffic.", ""},
    {"arithmetic_intensity_l1_int_fp", "AI ops L1", Unit::OpPerByte, "int_fp_ops / l1_bytes",
     "Integer and floating-point operations per byte of L1 traffic.", ""},
    {"arithmetic_intensity_l1_warp_instructions", "AI instr. L1", Unit::OpPerByte,
     "warp_instructions / l1_bytes", "Warp instructions per byte of L1 traffic.", ""},
    {"arithmetic_intensity_shared_fp32", "AI FP32 shared", Unit::FlopPerByte, "flops_fp32 / shared_bytes",
     "Single-precision operations per byte of shared-memory traffic.", ""},
    {"arithmetic_intensity_shared_fp64", "AI FP64 shared", Unit::FlopPerByte, "flops_fp64 / shared_bytes",
     "Double-precision operations per byte of shared-memory traffic.", ""},
    {"arithmetic_intensity_shared_fp16", "AI FP16 shared", Unit::FlopPerByte, "flops_fp16 / shared_bytes",
     "Half-precision operations per byte of shared-memory traffic.", ""},
    {"arithmetic_intensity_shared_tensor", "AI tensor shared", Unit::FlopPerByte,
     "flops_tensor / shared_bytes",
     "Floating-point operations of the tensor cores per byte of shared-memory traffic.", ""},
    {"arithmetic_intensity_shared_int_fp", "AI ops shared", Unit::OpPerByte, "int_fp_ops / shared_bytes",
     "Integer and floating-point operations per byte of shared-memory traffic.", ""},
    {"arithmetic_intensity_shared_warp_instructions", "AI instr. shared", Unit::OpPerByte,
     "warp_instructions / shared_bytes", "Warp instructions per byte of shared-memory traffic.", ""},
});

} // namespace

std::span<const Metric> workMetrics() {
    return kWork;
}

std::span<const Metric> intensityMetrics() {
    return kIntensity;
}

} // namespace dormer::metrics
