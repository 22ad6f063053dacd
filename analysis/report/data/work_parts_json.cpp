// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/data/json_parts.h"
#include "analysis/report/data/json_values.h"
#include "analysis/verdict/work_parts.h"

#include <string>
#include <utility>

namespace dormer::report {

using nlohmann::json;

json workPartsJson(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch) {
    using verdict::MemoryLevel;
    json all = json::array();
    for (const verdict::WorkPart& part : verdict::workParts(metrics, launch)) {
        json intensity = json::object();
        for (const auto level : {MemoryLevel::Dram, MemoryLevel::L2, MemoryLevel::L1, MemoryLevel::Shared})
            if (const auto bytes = verdict::bytesAt(metrics, launch, level))
                intensity[std::string(verdict::toString(level))] = jsonNumber(part.operations / *bytes);
        all.push_back({{"work", part.name},
                       {"operations", jsonNumber(part.operations)},
                       {"per_second", jsonNumber(part.rate)},
                       {"intensity", std::move(intensity)},
                       {"roof_per_second", part.roof ? jsonNumber(part.roof->perSecond) : json(nullptr)},
                       {"roof_measured", part.roof ? json(part.roof->measured) : json(nullptr)},
                       {"utilization", part.share() ? jsonNumber(*part.share()) : json(nullptr)}});
    }
    return all;
}

} // namespace dormer::report
