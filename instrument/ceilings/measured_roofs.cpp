// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/measured_roofs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace dormer::instrument::ceilings {

namespace {

using nlohmann::json;

constexpr int kSchema = 1;

bool isRate(double value) {
    return std::isfinite(value) && value > 0;
}

json toJson(const MeasuredRoof& roof) {
    json entry{{"resource", roof.resource}, {"method", roof.method}};
    if (roof.perSecond) {
        entry["per_second"] = *roof.perSecond;
        entry["spread"] = roof.spread;
        if (roof.ofHost) entry["of_host"] = true;
    } else {
        entry["problem"] = roof.problem;
    }
    if (roof.clockHz) entry["clock_hz"] = *roof.clockHz;
    return entry;
}

/// Throws json::exception for what is not one.
Result<MeasuredRoof> roofOf(const json& entry) {
    MeasuredRoof roof;
    roof.resource = entry.at("resource").get<std::string>();
    roof.method = entry.value("method", "");
    roof.problem = entry.value("problem", "");
    roof.spread = entry.value("spread", 0.0);
    roof.ofHost = entry.value("of_host", false);
    if (entry.contains("clock_hz")) roof.clockHz = entry.at("clock_hz").get<double>();
    if (roof.problem.empty()) roof.perSecond = entry.at("per_second").get<double>();
    if ((roof.perSecond && !isRate(*roof.perSecond)) || (roof.clockHz && !isRate(*roof.clockHz)) ||
        !(roof.spread >= 0))
        return failure(ErrorKind::Input, fmt::format("the rate of {} is no positive number", roof.resource));
    return roof;
}

} // namespace

const MeasuredRoof* MeasuredRoofs::find(std::string_view resource) const {
    const auto found = std::ranges::find(roofs, resource, &MeasuredRoof::resource);
    return found == roofs.end() ? nullptr : &*found;
}

Result<std::vector<MeasuredRoof>> parseMeasurements(std::string_view lines) {
    std::vector<MeasuredRoof> roofs;
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        if (line.empty()) continue;
        try {
            auto roof = roofOf(json::parse(line));
            if (!roof) return std::unexpected(roof.error());
            roofs.push_back(std::move(*roof));
        } catch (const json::exception&) {
            return failure(ErrorKind::Input, "not a measurement: " + std::string(line.substr(0, 80)));
        }
    }
    return roofs;
}

std::string formatRoofs(const MeasuredRoofs& roofs) {
    json entries = json::array();
    for (const MeasuredRoof& roof : roofs.roofs)
        entries.push_back(toJson(roof));
    return json{{"schema", kSchema},
                {"device", roofs.deviceName},
                {"uuid", roofs.uuid},
                {"driver_version", roofs.driverVersion},
                {"measured_at_ns", roofs.measuredAtNs},
                {"roofs", std::move(entries)}}
        .dump(2, ' ', false, json::error_handler_t::replace);
}

Result<MeasuredRoofs> parseRoofs(std::string_view text) {
    try {
        const json document = json::parse(text);
        if (document.at("schema") != kSchema)
            return failure(ErrorKind::Input, "measured roofs of another version of Dormer");
        MeasuredRoofs roofs;
        roofs.deviceName = document.at("device").get<std::string>();
        roofs.uuid = document.at("uuid").get<std::string>();
        roofs.driverVersion = document.at("driver_version").get<std::string>();
        roofs.measuredAtNs = document.at("measured_at_ns").get<std::int64_t>();
        for (const json& entry : document.at("roofs")) {
            auto roof = roofOf(entry);
            if (!roof) return std::unexpected(roof.error());
            roofs.roofs.push_back(std::move(*roof));
        }
        return roofs;
    } catch (const json::exception&) {
        return failure(ErrorKind::Input, "not a file of measured roofs");
    }
}

std::vector<session::MeasuredCeiling> recordsOf(const MeasuredRoofs& roofs, std::int32_t device) {
    std::vector<session::MeasuredCeiling> records;
    for (const MeasuredRoof& roof : roofs.roofs) {
        if (!roof.perSecond) continue;
        records.push_back(
            {.device = device,
             .resource = roof.resource,
             .perSecond = *roof.perSecond,
             .method = fmt::format("{}; {}spread {:.1f} %", roof.method,
                                   roof.ofHost ? "limited by the host, " : "", 100 * roof.spread)});
        // Memory's own clock is no SM clock, and does not change.
        if (roof.clockHz && !roof.resource.starts_with("dram"))
            records.push_back({.device = device,
                               .resource = roof.resource + "_clock",
                               .perSecond = *roof.clockHz,
                               .method = "SM clock while " + roof.resource + " was measured"});
    }
    return records;
}

} // namespace dormer::instrument::ceilings
