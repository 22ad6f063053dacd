// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"

#include <utility>

namespace dormer::kernels {

namespace {
constexpr double kTrafficTolerance = 0.02;
}

Expectation exactly(std::string metric, double value, std::string why) {
    return {.metric = std::move(metric), .relation = "==", .value = value, .why = std::move(why)};
}

Expectation atLeast(std::string metric, double value, std::string why) {
    return {.metric = std::move(metric), .relation = ">=", .value = value, .why = std::move(why)};
}

Expectation measuredNear(std::string metric, double value, std::string why) {
    return {.metric = std::move(metric),
            .relation = "~",
            .value = value,
            .tolerance = kTrafficTolerance,
            .why = std::move(why),
            .gpuOnly = true};
}

Expectation verdict(std::string bound, std::string why) {
    return {.metric = "verdict",
            .relation = "verdict",
            .text = std::move(bound),
            .why = std::move(why),
            .gpuOnly = true};
}

Expectation comparedTo(std::string reference, std::string metric, std::string relation, double factor,
                       std::string why) {
    return {.metric = std::move(metric),
            .relation = std::move(relation),
            .value = factor,
            .why = std::move(why),
            .gpuOnly = true,
            .reference = std::move(reference)};
}

Expectation onGpu(Expectation expectation) {
    expectation.gpuOnly = true;
    return expectation;
}

Expectation ofKernel(std::string kernel, Expectation expectation) {
    expectation.kernel = std::move(kernel);
    return expectation;
}

std::vector<Expectation> globalSectors(double load, const std::string& whyLoad, double store,
                                       const std::string& whyStore) {
    return {exactly("global_load_sectors_per_request", load, whyLoad),
            exactly("global_store_sectors_per_request", store, whyStore)};
}

} // namespace dormer::kernels
