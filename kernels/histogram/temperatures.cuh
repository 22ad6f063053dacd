// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/harness/device_buffer.h"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/histogram/answers.h"

#include <map>
#include <numeric>
#include <string>
#include <vector>

/// The temperatures that all histograms count, and what a right result is.
namespace dormer::kernels::histogram {

inline constexpr unsigned kBlock = 256;
inline constexpr int kMostBins = 256;
inline constexpr float kHottest = 100.0F;

/// One multiplication and one conversion, both exactly defined: host and device agree to the bit.
template <int kBins>
__host__ __device__ int binOf(float temperature) {
    const int bin = static_cast<int>(temperature * (kBins / kHottest));
    return bin < kBins ? bin : kBins - 1;
}

enum class Input { Uniform, OneBin };

struct Same {
    float temperature;
    __device__ float operator()(std::size_t) const { return temperature; }
};

struct Temperatures {
    Temperatures(const Setup& setup, Input input) : values(setup.size), bins(kMostBins) {
        if (input == Input::Uniform)
            fill(values, Uniform<float>{setup.seed, kHottest});
        else
            fill(values, Same{kHottest * uniform(setup.seed, 0)});
    }

    /// Before every launch, so that repeats don't add up.
    void zero(int count) const {
        CUDA_CHECK(cudaMemsetAsync(bins.data(), 0, static_cast<std::size_t>(count) * sizeof(unsigned)));
    }

    /// What the bins should hold, counted on the host once.
    template <int kBins>
    const std::vector<unsigned>& expected() {
        std::vector<unsigned>& counts = m_expected[kBins];
        if (!counts.empty()) return counts;
        if (m_host.empty()) m_host = values.toHost();
        counts.resize(kBins);
        for (const float temperature : m_host)
            ++counts[static_cast<std::size_t>(binOf<kBins>(temperature))];
        return counts;
    }

    DeviceBuffer<float> values;
    DeviceBuffer<unsigned> bins; ///< shared by all variants, which therefore launch again before a check

private:
    std::vector<float> m_host;
    std::map<int, std::vector<unsigned>> m_expected; ///< by number of bins
};

/// A group's variants share one input; the type tells which.
template <Input kInput>
struct TemperaturesOf : Temperatures {
    explicit TemperaturesOf(const Setup& setup) : Temperatures(setup, kInput) {}
};

using Launch = void (*)(Temperatures& temperatures);

/// Launches into poisoned bins and returns what they hold then.
inline std::vector<unsigned> countAgain(Temperatures& temperatures, Launch launch, std::size_t bins) {
    CUDA_CHECK(cudaMemset(temperatures.bins.data(), 0xFF, temperatures.bins.bytes()));
    launch(temperatures);
    CUDA_CHECK(cudaGetLastError());
    std::vector<unsigned> counted = temperatures.bins.toHost();
    counted.resize(bins);
    return counted;
}

template <int kBins>
CheckResult checkCounts(Temperatures& temperatures, Launch launch) {
    const std::vector<unsigned>& expected = temperatures.expected<kBins>();
    const std::vector<unsigned> counted = countAgain(temperatures, launch, kBins);
    for (std::size_t bin = 0; bin < kBins; ++bin)
        if (counted[bin] != expected[bin])
            return {false, "bin " + std::to_string(bin) + " holds " + std::to_string(counted[bin]) +
                               " elements instead of " + std::to_string(expected[bin])};
    const std::size_t total = std::accumulate(counted.begin(), counted.end(), std::size_t{0});
    return {true, "all " + std::to_string(kBins) + " bins equal the host's count of " +
                      std::to_string(total) + " elements"};
}

/// A variant's row; its name says what differs from 10 bins and uniform temperatures: "shared_256",
/// "shared_one_bin". `better` names another method, whose row has the same bins and input.
struct Method {
    std::string name;
    std::string shows;
    std::function<std::vector<Expectation>(std::size_t size)> answers;
    std::string better{};
    bool good = false;
};

template <int kBins, Input kInput>
std::string nameOf(const std::string& method) {
    return method + (kBins == 10 ? "" : "_" + std::to_string(kBins)) +
           (kInput == Input::OneBin ? "_one_bin" : "");
}

template <int kBins, Input kInput>
Row<TemperaturesOf<kInput>> rowOf(const Method& method, Launch launch) {
    const std::string better =
        method.better.empty() ? "" : "histogram/" + nameOf<kBins, kInput>(method.better);
    return {{.name = nameOf<kBins, kInput>(method.name),
             .shows = method.shows,
             .knownAnswers = method.answers,
             .parameters = {"bins=" + std::to_string(kBins)},
             .better = better,
             .good = method.good},
            launch,
            [launch](Temperatures& t) { return checkCounts<kBins>(t, launch); }};
}

template <Input kInput>
std::vector<std::string> parameters(std::size_t size) {
    return {"size=" + std::to_string(size), "block=" + std::to_string(kBlock),
            kInput == Input::Uniform ? "input=uniform" : "input=one_bin"};
}

/// `step`: elements of a whole block, so that every warp is full and the number of atomics follows from the
/// size.
template <Input kInput>
Group groupOfRows(std::vector<Row<TemperaturesOf<kInput>>> rows, Sizes sizes, std::size_t step) {
    return groupOf<TemperaturesOf<kInput>>(
        std::move(rows), sizes, [step](std::size_t wanted) { return roundUp(wanted, step); },
        [](std::size_t size) { return size * sizeof(float) + kMostBins * sizeof(unsigned); },
        parameters<kInput>);
}

} // namespace dormer::kernels::histogram
