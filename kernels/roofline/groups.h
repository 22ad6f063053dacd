// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/workload.h"

namespace dormer::kernels {

Group streamingGroup(); ///< scale, vector_add, vector_add_fp64
Group fmaChainGroup();  ///< fma_chain, fma_chain_fp64

} // namespace dormer::kernels
