// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/answers.h"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/spmv/matrix.h"

#include <array>
#include <string>

/// What all ways to multiply share: the matrices, the vector, the check and the names.
namespace dormer::kernels {

/// A sparse matrix in compressed rows. Row r has the nonzeros offsets[r] .. offsets[r + 1] - 1.
struct CsrMatrix {
    cuda::std::span<const int> offsets;
    cuda::std::span<const int> columns;
    cuda::std::span<const float> values;
    [[nodiscard]] __host__ __device__ int rows() const { return static_cast<int>(offsets.size()) - 1; }
    [[nodiscard]] __host__ __device__ int nonzeros() const { return static_cast<int>(columns.size()); }
};

/// Columns are drawn at random for both kinds of matrix: what a load of x costs is then alike, and only the
/// lengths of rows differ. A column may come twice in a row; the entries add up.
struct RandomColumn {
    std::uint64_t seed, columns;
    __host__ __device__ int operator()(std::size_t i) const {
        return static_cast<int>(mixed(seed, i) % columns);
    }
};

/// -range .. range: products and sums of these are exact, whatever their order.
struct SmallInteger {
    std::uint64_t seed;
    int range;
    __host__ __device__ float operator()(std::size_t i) const {
        return static_cast<float>(static_cast<int>(mixed(seed, i) % static_cast<unsigned>(2 * range + 1)) -
                                  range);
    }
};

/// One matrix with its nonzeros on the device.
struct MatrixData {
    MatrixData() = default;
    MatrixData(MatrixKind kind, std::size_t nonzeros, std::uint64_t seed);
    [[nodiscard]] CsrMatrix view() const { return {offsets.view(), columns.view(), values.view()}; }

    std::vector<int> offsetsOnHost;
    DeviceBuffer<int> offsets, columns;
    DeviceBuffer<float> values;
};

/// A group's state: both matrices, as far as its variants need them.
class Problem {
public:
    /// Rows of a group: its variants in the order of the enumerators.
    enum : std::size_t { kRegular, kPowerLaw, kVariantCount };

    explicit Problem(const Setup& setup);
    [[nodiscard]] CsrMatrix matrix(std::size_t variant) const { return m_matrices[variant].view(); }
    [[nodiscard]] cuda::std::span<const float> x() const { return m_x.view(); }
    [[nodiscard]] cuda::std::span<float> y(std::size_t variant) const { return m_y[variant].span(); }
    /// Against sums of integers on the host, which come from the generators, not from the device's arrays.
    [[nodiscard]] CheckResult check(std::size_t variant) const;

private:
    std::uint64_t m_seed;
    std::array<MatrixData, kVariantCount> m_matrices;
    DeviceBuffer<float> m_x;
    std::array<DeviceBuffer<float>, kVariantCount> m_y;
};

/// Facts of a group that differ by its way to multiply.
struct Method {
    std::string name;    ///< "scalar": variants are scalar/regular and scalar/power_law
    std::string regular; ///< what it shows on either matrix
    std::string powerLaw;
    std::function<void(Problem&, std::size_t variant)> launch;
    std::function<std::vector<Expectation>(std::size_t size)> onRegular, onPowerLaw;
    std::string betterOnRegular{}, betterOnPowerLaw{};
    bool good = false;
};
[[nodiscard]] Group groupOfMethod(const Method& method);

inline constexpr unsigned kSpmvBlock = 256;

} // namespace dormer::kernels
