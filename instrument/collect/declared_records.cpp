// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/declared_records.h"

namespace dormer::instrument::collect {

namespace {
std::vector<std::string> listOf(const char* const* texts) {
    std::vector<std::string> list;
    for (; *texts != nullptr; ++texts)
        list.emplace_back(*texts);
    return list;
}
} // namespace

session::Expectation recordOf(const DormerExpectation& e) {
    return {.workload = e.workload,
            .kernel = e.kernel,
            .metric = e.metric,
            .relation = e.relation,
            .value = e.value,
            .tolerance = e.tolerance,
            .text = e.text,
            .why = e.why,
            .gpuOnly = e.gpuOnly != 0,
            .reference = e.reference};
}

session::Workload recordOf(const DormerWorkload& w) {
    return {.workload = w.workload,
            .title = w.title,
            .shows = w.shows,
            .parameters = listOf(w.parameters),
            .sweep = w.sweep,
            .better = w.better,
            .good = w.good != 0,
            .wrongByDesign = w.wrongByDesign != 0};
}

session::Sweep recordOf(const DormerSweep& s) {
    return {.name = s.name,
            .title = s.title,
            .parameters = listOf(s.parameters),
            .metrics = listOf(s.metrics),
            .best = s.best};
}

} // namespace dormer::instrument::collect
