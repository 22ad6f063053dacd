// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/heat/groups.h"
#include "kernels/heat/plate.cuh"

#include <cub/device/device_transform.cuh>
#include <thrust/iterator/counting_iterator.h>

namespace dormer::kernels {

namespace {

// The input is the cells' numbers: a step needs a cell's neighbours, not only the cell.
void launch(Plates& plates) {
    CUDA_CHECK(cub::DeviceTransform::Transform(thrust::make_counting_iterator(0), plates.out[0].data(),
                                               plates.cells(), StepOfCell{plates.before()}));
}

} // namespace

Group heatCubGroup() {
    return transformGroup("cub_transform",
                          "CUB's transform over the cells' numbers: somebody else chose the launch", launch);
}

} // namespace dormer::kernels
