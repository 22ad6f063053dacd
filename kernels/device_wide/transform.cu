// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"
#include "kernels/device_wide/values.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"

#include <cub/device/device_transform.cuh>

namespace dormer::kernels {

namespace {

struct Line {
    __host__ __device__ float operator()(float x) const { return fmaf(3.0F, x, 1.0F); }
};

struct IsOnLine {
    const float *in, *out;
    __device__ bool operator()(std::size_t i) const { return out[i] == Line{}(in[i]); }
};

struct Transformation {
    explicit Transformation(const Setup& setup) : in(setup.size), out(setup.size) {
        fill(in, Uniform<float>{setup.seed, 1});
    }
    DeviceBuffer<float> in, out;
};

std::vector<Expectation> answers(std::size_t size) {
    return {exactly("flops_fp32", 2 * static_cast<double>(size),
                    "a fused multiplication and addition per element"),
            exactly("global_store_sectors", static_cast<double>(size) / 8,
                    "each result is stored once, 8 to a sector"),
            // A tenth: what of the results is still in L2 when the kernel ends is not counted.
            {.metric = "dram_bytes",
             .relation = "~",
             .value = 2.0 * 4 * static_cast<double>(size),
             .tolerance = 0.1,
             .why = "each element is read once and written once",
             .gpuOnly = true}};
}

std::vector<Row<Transformation>> rows() {
    return {
        {{"transform", "3x + 1: no memory to work in; how elements are fetched depends on the architecture",
          answers},
         [](Transformation& t) {
             CUDA_CHECK(
                 cub::DeviceTransform::Transform(cuda::std::tuple{static_cast<const float*>(t.in.data())},
                                                 t.out.data(), static_cast<int>(t.in.size()), Line{}));
         },
         [](Transformation& t) {
             return checkEach(t.in.size(), IsOnLine{t.in.data(), t.out.data()}, "out[i] == 3 in[i] + 1");
         }},
    };
}

} // namespace

Group deviceTransformGroup() {
    return groupOf<Transformation>(
        rows(), Sizes{kDeviceWideSize.gpu, kHeavySize.emulator}, roundDeviceWide,
        [](std::size_t size) { return 2 * size * sizeof(float); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "type=float"};
        });
}

} // namespace dormer::kernels
