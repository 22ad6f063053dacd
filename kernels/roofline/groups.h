// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/workload.h"

namespace dormer::kernels {

Group streamingGroup();     ///< scale, vector_add, vector_add_fp64
Group vectorsGroup();       ///< axpy, dot
Group stencilGroup();       ///< stencil
Group sgemmGroup();         ///< sgemm_naive, sgemm_tiled
Group fmaChainGroup();      ///< fma_chain, fma_chain_fp64
Group fmaChainHalf2Group(); ///< fma_chain_half2
Group tensorGemmGroup();    ///< tensor_gemm
Group polynomialGroup();    ///< polynomial/1 ... polynomial/1024

} // namespace dormer::kernels
