// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/heat/groups.h"
#include "kernels/heat/plate.cuh"

#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

namespace dormer::kernels {

namespace {

// Without "nosync" Thrust would wait for the kernel's end.
void launch(Plates& plates) {
    const auto cells = thrust::make_counting_iterator(0);
    thrust::transform(thrust::cuda::par_nosync, cells, cells + plates.cells(), plates.out[0].data(),
                      StepOfCell{plates.before()});
}

} // namespace

Group heatThrustGroup() {
    return transformGroup("thrust_transform",
                          "Thrust's transform over the cells' numbers: one line, like a loop on the host",
                          launch);
}

} // namespace dormer::kernels
