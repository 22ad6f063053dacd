// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/outcome.h"

#include "instrument/dormer.h"

#include <fmt/format.h>

#include <cstdio>

namespace dormer::kernels {

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
                                   .gpuOnly = expectation.gpuOnly ? 1 : 0};
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
