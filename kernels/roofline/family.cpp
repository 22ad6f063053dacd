// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/roofline/groups.h"

namespace dormer::kernels {

Family rooflineFamily() {
    return {
        .name = "roofline",
        .title = "Points across the roofline",
        .shows = "Kernels of known arithmetic intensity on both sides of the ridge",
        .groups = {streamingGroup(), vectorsGroup(), stencilGroup(), sgemmGroup(), fmaChainGroup(),
                   fmaChainHalf2Group(), tensorGemmGroup(), polynomialGroup()},
        .lookAt =
            "Arithmetic intensity is work over traffic: arithmetic_intensity_dram_fp32 is flops_fp32 over "
            "dram_bytes. Left of the ridge, where the slope of bandwidth meets the flat roof of "
            "arithmetic, no kernel can be faster than its bytes: scale, vector_add, axpy, dot and stencil "
            "sit on the slope, and only moving fewer bytes helps them. Right of it the pipes decide: the "
            "fma_chain variants touch memory hardly at all. Walk along the roof with polynomial/K, which "
            "reads and writes the same bytes for every K: duration_ns stays the same while "
            "flops_fp32_per_second doubles, until the ridge is passed and time grows with K. The two "
            "sgemm variants do the same FLOPs and both lie right of DRAM's ridge; compare their "
            "global_load_sectors and arithmetic_intensity_l1_fp32 to see why sgemm_naive is bound by L1 "
            "all the same. What tensor_gemm computes shows in tensor_instructions, not in flops_fp32.",
        .sweeps = {{.name = "polynomial",
                    .title = "A polynomial in K FLOPs per element",
                    .parameters = {"flops"},
                    .metrics = {"flops_fp32_per_second", "arithmetic_intensity_dram_fp32", "duration_ns"}}},
        .reference = {{"arithmetic intensity of y = 3x in FP64", "1/16 FLOP per byte"},
                      {"arithmetic intensity of a vector sum in FP64 and in FP32",
                       "1/24 and 1/12 FLOP per byte"}},
        .figures = {"duration_ns", "dram_bytes_per_second", "arithmetic_intensity_dram_fp32",
                    "flops_fp32_per_second", "flops_fp64_per_second"},
    };
}

} // namespace dormer::kernels
