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

std::vector<Expectation> answers(std::size_t size) {
    std::vector<Expectation> answers = heatSectors(size);
    answers.push_back(heatFlops(size));
    return answers;
}

std::vector<Row<Plates>> rows() {
    return {
        {{.name = "cub_transform",
          .shows = "CUB's transform over the cells' numbers: somebody else chose the launch",
          .knownAnswers = answers,
          .good = true},
         launch,
         [](Plates& p) { return p.check(); }},
    };
}

} // namespace

Group heatCubGroup() {
    return groupOf<Plates>(rows(), kHeatGridSize, roundPlate, plateBytes, plateParameters);
}

} // namespace dormer::kernels
