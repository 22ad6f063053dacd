// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/heat/plate_facts.h"

#include <cuda/std/mdspan>

#include <utility>

namespace dormer::kernels {

template <typename T>
using Plate = cuda::std::mdspan<T, cuda::std::dextents<int, 2>>;

/// One explicit step of the heat equation for a cell. The intrinsics fix what a compiler may otherwise
/// choose, to fuse a product and a sum or not: so all variants agree to the last bit.
__device__ inline float stepped(float center, float left, float right, float above, float below) {
    constexpr float kDiffusion = 0.2F; // of 0.25, where a step would no longer be stable
    const float around = __fadd_rn(__fadd_rn(left, right), __fadd_rn(above, below));
    return __fmaf_rn(kDiffusion, __fmaf_rn(-4.0F, center, around), center);
}

/// What a cell is after the step: those at the boundary keep their temperature.
__device__ inline float afterStep(Plate<const float> plate, int row, int column) {
    const float center = plate(row, column);
    const bool inner = row > 0 && row + 1 < plate.extent(0) && column > 0 && column + 1 < plate.extent(1);
    if (!inner) return center;
    return stepped(center, plate(row, column - 1), plate(row, column + 1), plate(row - 1, column),
                   plate(row + 1, column));
}

/// The same for a transform, which knows a cell by its number only: it costs a division.
struct StepOfCell {
    Plate<const float> before;
    __device__ float operator()(int cell) const {
        const auto columns = static_cast<unsigned>(before.extent(1));
        const unsigned row = static_cast<unsigned>(cell) / columns;
        const unsigned column = static_cast<unsigned>(cell) - row * columns;
        return afterStep(before, static_cast<int>(row), static_cast<int>(column));
    }
};

/// Finds a cell's neighbours by arithmetic of its own, and compares bits.
struct IsStepped {
    const float *in, *out;
    std::size_t side;
    __device__ bool operator()(std::size_t i) const {
        const bool first = i < side;
        const bool last = i >= side * (side - 1);
        const bool end = i % side == 0 || (i + 1) % side == 0;
        const float expected =
            first || last || end ? in[i] : stepped(in[i], in[i - 1], in[i + 1], in[i - side], in[i + side]);
        return __float_as_uint(out[i]) == __float_as_uint(expected);
    }
};

/// A square plate before and after one step.
struct Plates {
    explicit Plates(const Setup& setup) : Plates(setup, 1) {}
    Plates(const Setup& setup, std::size_t variants)
        : side(static_cast<int>(plateSide(setup.size))), in(setup.size) {
        constexpr float kHottest = 100;
        fill(in, Uniform<float>{setup.seed, kHottest});
        out.resize(variants);
        for (const std::size_t variant : setup.variants)
            out[variant] = DeviceBuffer<float>(setup.size);
    }
    [[nodiscard]] int cells() const { return static_cast<int>(in.size()); }
    [[nodiscard]] Plate<const float> before() const { return Plate<const float>(in.data(), side, side); }
    [[nodiscard]] Plate<float> after(std::size_t variant = 0) const {
        return Plate<float>(out[variant].data(), side, side);
    }
    [[nodiscard]] CheckResult check(std::size_t variant = 0) const {
        return checkEach(in.size(), IsStepped{in.data(), out[variant].data(), static_cast<std::size_t>(side)},
                         "the cell equals the reference to the bit");
    }

    int side;
    DeviceBuffer<float> in;
    std::vector<DeviceBuffer<float>> out; ///< one for each variant that runs
};

/// A group of one variant that a library's transform over the cells' numbers makes.
inline Group transformGroup(std::string name, std::string shows, void (*launch)(Plates&)) {
    const auto answers = [](std::size_t size) {
        std::vector<Expectation> all = heatSectors(size);
        all.push_back(heatFlops(size));
        return all;
    };
    Row<Plates> row{
        {.name = std::move(name), .shows = std::move(shows), .knownAnswers = answers, .good = true},
        launch,
        [](Plates& p) { return p.check(); }};
    return groupOf<Plates>({std::move(row)}, kHeatGridSize, roundPlate, plateBytes, plateParameters);
}

} // namespace dormer::kernels
