// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"

namespace dormer::kernels {

Family deviceWideFamily() {
    return {"device_wide",
            "Device-wide algorithms of CUB",
            "A tuned library's kernels, under the NVTX ranges that CUB opens itself",
            {deviceReduceGroup(), deviceScanGroup()}};
}

} // namespace dormer::kernels
