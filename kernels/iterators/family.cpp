// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/iterators/groups.h"

namespace dormer::kernels {

Family iteratorsFamily() {
    return {.name = "iterators",
            .title = "Cache-modified iterators",
            .shows =
                "What a load or store requests of the caches, by the type of its iterator: nothing to gain "
                "in a stream, "
                "much to lose where data is used again",
            .groups = {iteratorsCopyGroup(), iteratorsStencilGroup()},
            .lookAt = "The sectors per request are the same for all: a modifier changes where data is kept, "
                      "not what is requested "
                      "for. A copy uses each sector once, so its time hardly depends on any modifier. The "
                      "stencil asks for each "
                      "element nine times: with l1_hit_rate near 1 the neighbours find it in L1; with cg and "
                      "cv it is near 0, "
                      "and l2_bytes tells that every request went on to L2.",
            .figures = {"kernel_ns", "l1_hit_rate", "l2_bytes", "dram_bytes_per_second"}};
}

} // namespace dormer::kernels
