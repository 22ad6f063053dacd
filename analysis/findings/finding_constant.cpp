// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"
#include "analysis/metrics/format.h"

#include <fmt/format.h>

namespace dormer::findings {

namespace {

double number(const std::optional<std::uint64_t>& count) {
    return static_cast<double>(count.value_or(0));
}

std::string passesText(const session::LineCounts& sum, std::size_t instructions) {
    return fmt::format("{}: {:.3g} passes/request (ideal 1)", operationText(sum, instructions),
                       number(sum.wavefronts) / number(sum.executions));
}

} // namespace

// The constant cache serves one address at a time: a request is split into as many as its lanes have
// different addresses (CUDA C++ Best Practices Guide, constant memory).
void checkConstantLoads(const FindingContext& c) {
    std::vector<WastefulAccess> accesses;
    double requests = 0, passes = 0, all = 0;
    for (const session::LineCounts& line : c.lines) {
        if (line.op != session::MemoryOperation::Load) continue;
        all += number(line.executions);
        if (line.space != session::MemorySpace::Constant || !line.wavefronts || !line.wavefrontsIdeal ||
            !access::isExcess(line.wavefronts, line.wavefrontsIdeal))
            continue;
        requests += number(line.executions);
        passes += number(line.wavefronts);
        accesses.push_back({&line, number(line.wavefronts) - number(line.wavefrontsIdeal)});
    }
    if (!(passes - requests > kNegligible * all)) return;
    std::vector<FindingPlace> places = placesOf(accesses, {passesText, {}});
    c.add(
        FindingKind::ConstantLoads,
        fmt::format("{} constant loads whose lanes read different addresses: {:.3g} passes/request (ideal 1)",
                    metrics::forPeople(requests, metrics::Unit::Count), passes / requests),
        std::nullopt, std::move(places));
}

} // namespace dormer::findings
