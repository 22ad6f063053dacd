// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/access/pattern_picture.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace dormer::access {

nlohmann::ordered_json patternJson(const LanePattern& pattern) {
    const PatternQuestion& q = pattern.question;
    nlohmann::ordered_json json;
    if (pattern.caption.empty()) {
        json["expression"] = q.expression;
    } else {
        json["access"] = q.expression;
        json["caption"] = pattern.caption;
    }
    json["space"] = patternSpace(q);
    json["op"] = q.op == AccessOp::Load ? "load" : q.op == AccessOp::Store ? "store" : "atomic";
    json["width_bytes"] = q.widthBytes;
    if (pattern.caption.empty()) json["compute_capability"] = fmt::format("{}.{}", q.ccMajor, q.ccMinor);
    json["class"] = toString(pattern.shape);
    json["bytes_requested"] = pattern.bytesRequested;
    json["bytes_moved"] = pattern.bytesMoved;
    json["utilization"] = nullptr;
    if (pattern.utilization) json["utilization"] = *pattern.utilization;
    if (q.shared) {
        json["wavefronts"] = pattern.wavefronts;
        json["wavefronts_ideal"] = pattern.wavefrontsIdeal;
        json["ways"] = nullptr;
        if (pattern.ways) json["ways"] = *pattern.ways;
    } else {
        json["sectors"] = pattern.sectors;
        json["sectors_ideal"] = pattern.sectorsIdeal;
        json["lines_128"] = pattern.lines;
        json["transactions"] = pattern.transactions;
        json["transaction_bytes"] = pattern.transactionBytes;
    }
    auto& lanes = json["lanes"] = nlohmann::ordered_json::array();
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        nlohmann::ordered_json address = nullptr;
        if (pattern.active(lane)) address = pattern.address[lane];
        lanes.push_back({{"lane", lane}, {"address", std::move(address)}});
    }
    json["headline"] = patternHeadline(pattern);
    json["advice"] = patternAdvice(pattern);
    return json;
}

} // namespace dormer::access
