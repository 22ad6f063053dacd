// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"

#include <cuda/std/mdspan>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>

/// Square matrices of whole tiles, which every kernel of the family needs.
namespace dormer::kernels::transposition {

/// The larger of the families' tiles. Matrices are made of it whatever the blocks are, so that all variants
/// turn the same matrix.
inline constexpr int kLargestTile = 32;

template <typename T>
using Matrix = cuda::std::mdspan<T, cuda::std::dextents<int, 2>>;

struct IsCopy {
    const float *in, *out;
    __device__ bool operator()(std::size_t i) const { return out[i] == in[i]; }
};

struct IsTransposed {
    const float *in, *out;
    std::size_t side;
    __device__ bool operator()(std::size_t i) const { return out[i] == in[i % side * side + i / side]; }
};

inline std::size_t sideOf(std::size_t size) {
    return static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(size))));
}

/// The smallest square of whole tiles that holds the wanted number of elements.
inline std::size_t roundToTiles(std::size_t wanted) {
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(wanted))));
    const std::size_t rounded = roundUp(side, kLargestTile);
    return rounded * rounded;
}

inline constexpr Sizes kSizes{std::size_t{4096} * 4096, std::size_t{1024} * 1024};

/// From here on a matrix is larger than the caches and the launches long, so that comparing time tells.
inline constexpr std::size_t kTimedSize = std::size_t{4096} * 4096;

/// One input, and an output for each variant that runs.
struct Matrices {
    explicit Matrices(const Setup& setup) : side(static_cast<int>(sideOf(setup.size))), in(setup.size) {
        fill(in, Uniform<float>{setup.seed, 1});
        for (const std::size_t variant : setup.variants)
            out[variant] = DeviceBuffer<float>(setup.size);
    }
    [[nodiscard]] Matrix<const float> input() const { return Matrix<const float>(in.data(), side, side); }
    [[nodiscard]] Matrix<float> output(std::size_t variant) const {
        return Matrix<float>(out.at(variant).data(), side, side);
    }
    /// Blocks that cover the matrix with tiles of this side.
    [[nodiscard]] dim3 grid(int tile) const {
        const auto tiles = static_cast<unsigned>(side / tile);
        return {tiles, tiles};
    }
    [[nodiscard]] CheckResult checkCopied(std::size_t variant) const {
        return checkEach(in.size(), IsCopy{in.data(), out.at(variant).data()}, "out(i, j) == in(i, j)");
    }
    [[nodiscard]] CheckResult checkTransposed(std::size_t variant) const {
        return checkEach(in.size(),
                         IsTransposed{in.data(), out.at(variant).data(), static_cast<std::size_t>(side)},
                         "out(j, i) == in(i, j)");
    }

    int side;
    DeviceBuffer<float> in;
    std::map<std::size_t, DeviceBuffer<float>> out;
};

inline std::vector<std::string> parameters(std::size_t size, const std::string& tile,
                                           const std::string& block) {
    const std::string side = std::to_string(sideOf(size));
    return {"size=" + std::to_string(size), "matrix=" + side + "x" + side, "tile=" + tile, "block=" + block,
            "type=float"};
}

} // namespace dormer::kernels::transposition
