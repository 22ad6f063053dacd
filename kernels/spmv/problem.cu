// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/spmv/problem.cuh"

namespace dormer::kernels {

namespace {

constexpr int kMostValue = 3; // 2^20 products of at most 15 are less than 2^24
constexpr int kMostX = 5;

RandomColumn columnsOf(std::uint64_t seed, std::size_t nonzeros) {
    return {seed, rowsOf(nonzeros)};
}
SmallInteger valuesOf(std::uint64_t seed) {
    return {seed + 1, kMostValue};
}
SmallInteger xOf(std::uint64_t seed) {
    return {seed + 2, kMostX};
}

} // namespace

MatrixData::MatrixData(MatrixKind kind, std::size_t nonzeros, std::uint64_t seed)
    : offsetsOnHost(rowOffsets(kind, nonzeros))
    , offsets(offsetsOnHost.size())
    , columns(nonzeros)
    , values(nonzeros) {
    CUDA_CHECK(cudaMemcpy(offsets.data(), offsetsOnHost.data(), offsets.bytes(), cudaMemcpyHostToDevice));
    fill(columns, columnsOf(seed, nonzeros));
    fill(values, valuesOf(seed));
}

Problem::Problem(const Setup& setup) : m_seed(setup.seed), m_x(rowsOf(setup.size)) {
    fill(m_x, xOf(m_seed));
    for (const std::size_t variant : setup.variants) {
        const MatrixKind kind = variant == kRegular ? MatrixKind::Regular : MatrixKind::PowerLaw;
        m_matrices[variant] = MatrixData(kind, setup.size, m_seed);
        m_y[variant] = DeviceBuffer<float>(rowsOf(setup.size));
    }
}

CheckResult Problem::check(std::size_t variant) const {
    const std::vector<int>& offsets = m_matrices[variant].offsetsOnHost;
    const RandomColumn column = columnsOf(m_seed, m_matrices[variant].columns.size());
    const std::vector<float> found = m_y[variant].toHost();
    for (std::size_t row = 0; row < found.size(); ++row) {
        long long sum = 0;
        for (int i = offsets[row]; i < offsets[row + 1]; ++i) {
            const auto at = static_cast<std::size_t>(i);
            sum += static_cast<long long>(valuesOf(m_seed)(at)) *
                   static_cast<long long>(xOf(m_seed)(static_cast<std::size_t>(column(at))));
        }
        if (found[row] != static_cast<float>(sum))
            return {false, "row " + std::to_string(row) + " of " + std::to_string(found.size()) + " gives " +
                               std::to_string(found[row]) + " instead of " + std::to_string(sum)};
    }
    return {true, "equal to sums of integers on the host in all " + std::to_string(found.size()) + " rows"};
}

Group groupOfMethod(const Method& method) {
    const auto row = [&](std::size_t variant) {
        const bool regular = variant == Problem::kRegular;
        return Row<Problem>{{.name = method.name + (regular ? "/regular" : "/power_law"),
                             .shows = regular ? method.regular : method.powerLaw,
                             .knownAnswers = regular ? method.onRegular : method.onPowerLaw,
                             .parameters = {regular ? "matrix=regular" : "matrix=power_law"},
                             .better = regular ? method.betterOnRegular : method.betterOnPowerLaw,
                             .good = method.good},
                            [launch = method.launch, variant](Problem& p) { launch(p, variant); },
                            [variant](Problem& p) { return p.check(variant); }};
    };
    return groupOf<Problem>(
        {row(Problem::kRegular), row(Problem::kPowerLaw)}, Sizes{std::size_t{1} << 20, std::size_t{1} << 16},
        // Whole blocks of rows, so that every warp is full.
        [](std::size_t wanted) { return roundUp(wanted, kNonzerosPerRow * kSpmvBlock); },
        [](std::size_t size) {
            return 2 * size * (sizeof(int) + sizeof(float)) +
                   rowsOf(size) * (2 * sizeof(int) + 3 * sizeof(float));
        },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size),
                                            "rows=" + std::to_string(rowsOf(size)),
                                            "block=" + std::to_string(kSpmvBlock)};
        });
}

} // namespace dormer::kernels
