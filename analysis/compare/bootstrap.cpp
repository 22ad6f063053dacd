// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/compare/bootstrap.h"

#include <algorithm>
#include <cstdint>

namespace dormer::compare {

namespace {

constexpr std::size_t kResamples = 2000;
/// Launches of one side that are resampled at most; of more the interval is as narrow as it needs to be.
constexpr std::size_t kMostDrawn = 1000;

/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine, unlike the library's
/// distributions.
class Generator {
public:
    std::size_t below(std::size_t bound) {
        m_state += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = m_state;
        z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ z >> 27U) * 0x94D049BB133111EBULL;
        return static_cast<std::size_t>((z ^ z >> 31U) % bound);
    }

private:
    std::uint64_t m_state = 0x446F726D6572ULL;
};

double medianOfValues(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double resampledMedian(const Runs& runs, Generator& generator, std::vector<double>& drawn) {
    drawn.clear();
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::vector<double>& run = runs[generator.below(runs.size())];
        const std::size_t count = std::min(run.size(), std::max<std::size_t>(1, kMostDrawn / runs.size()));
        for (std::size_t k = 0; k < count; ++k)
            drawn.push_back(run[generator.below(run.size())]);
    }
    return medianOfValues(drawn);
}

} // namespace

std::size_t launchesOf(const Runs& runs) {
    std::size_t all = 0;
    for (const auto& run : runs)
        all += run.size();
    return all;
}

double medianOf(const Runs& runs) {
    std::vector<double> all;
    for (const auto& run : runs)
        all.insert(all.end(), run.begin(), run.end());
    return medianOfValues(all);
}

Interval ratioInterval(const Runs& base, const Runs& fresh) {
    Generator generator;
    std::vector<double> ratios(kResamples);
    std::vector<double> drawn;
    for (double& ratio : ratios) {
        const double below = resampledMedian(base, generator, drawn);
        ratio = resampledMedian(fresh, generator, drawn) / below;
    }
    std::ranges::sort(ratios);
    const auto tail = static_cast<std::size_t>((1 - kConfidence) / 2 * kResamples);
    return {ratios[tail], ratios[kResamples - 1 - tail]};
}

} // namespace dormer::compare
