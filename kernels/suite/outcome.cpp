// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/suite/outcome.h"

#include "instrument/dormer.h"

#include <fmt/format.h>

#include <cstdio>

namespace dormer::kernels {

namespace {
/// Lasts as long as the texts do.
std::vector<const char*> pointersTo(const std::vector<std::string>& texts) {
    std::vector<const char*> pointers;
    for (const std::string& text : texts)
        pointers.push_back(text.c_str());
    pointers.push_back(nullptr);
    return pointers;
}
} // namespace

void reportSweeps(const Family& family) {
    const DormerCollector* collector = instrument::detail::collector();
    if (collector == nullptr) return;
    for (const SweepFacts& sweep : family.sweeps) {
        const std::string name = family.name + "/" + sweep.name;
        const auto parameters = pointersTo(sweep.parameters);
        const auto metrics = pointersTo(sweep.metrics);
        const DormerSweep record{.name = name.c_str(),
                                 .title = sweep.title.c_str(),
                                 .parameters = parameters.data(),
                                 .metrics = metrics.data(),
                                 .best = sweep.best.c_str()};
        collector->sweep(&record);
    }
}

void reportWorkload(const Family& family, const Variant& variant, std::vector<std::string> parameters) {
    const DormerCollector* collector = instrument::detail::collector();
    if (collector == nullptr) return;
    const std::string path = family.name + "/" + variant.name;
    const std::string sweep = variant.sweep.empty() ? "" : family.name + "/" + variant.sweep;
    parameters.insert(parameters.end(), variant.parameters.begin(), variant.parameters.end());
    const auto pointers = pointersTo(parameters);
    const DormerWorkload record{.workload = path.c_str(),
                                .title = family.title.c_str(),
                                .shows = variant.shows.c_str(),
                                .parameters = pointers.data(),
                                .sweep = sweep.c_str(),
                                .better = variant.better.c_str(),
                                .good = variant.good ? 1 : 0,
                                .wrongByDesign = variant.wrongByDesign ? 1 : 0};
    collector->workload(&record);
}

void reportExpectation(const std::string& path, const Expectation& expectation) {
    const DormerCollector* collector = instrument::detail::collector();
    if (collector == nullptr) return;
    const DormerExpectation record{.workload = path.c_str(),
                                   .kernel = expectation.kernel.c_str(),
                                   .metric = expectation.metric.c_str(),
                                   .relation = expectation.relation.c_str(),
                                   .value = expectation.value,
                                   .tolerance = expectation.tolerance,
                                   .text = expectation.text.c_str(),
                                   .why = expectation.why.c_str(),
                                   .gpuOnly = expectation.gpuOnly ? 1 : 0,
                                   .reference = expectation.reference.c_str()};
    collector->expect(&record);
}

void reportCheck(const std::string& path, const CheckResult& result) {
    if (const DormerCollector* collector = instrument::detail::collector()) {
        collector->check(path.c_str(), result.passed ? 1 : 0, result.detail.c_str());
        return;
    }
    fmt::print("{:<28} {}  {}\n", path, result.passed ? "ok  " : "FAIL", result.detail);
    // Each line goes out at once: a later crash must not swallow it.
    std::fflush(stdout);
}

bool collected() {
    return instrument::active();
}

} // namespace dormer::kernels
