// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/roofline/groups.h"

namespace dormer::kernels {

Family rooflineFamily() {
    return {"roofline",
            "Points across the roofline",
            "Kernels of known arithmetic intensity on both sides of the ridge",
            {streamingGroup(), fmaChainGroup()}};
}

} // namespace dormer::kernels
