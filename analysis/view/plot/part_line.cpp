// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/part_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::view::plot {

using device::Resource;

namespace {

/// What a chart of this work counts; nothing where that is not FLOPs.
std::optional<Resource> resourceOf(verdict::Work work) {
    switch (work) {
    case verdict::Work::Fp32:
        return Resource::Fp32;
    case verdict::Work::Fp64:
        return Resource::Fp64;
    case verdict::Work::Tensor:
        return Resource::Tensor;
    case verdict::Work::IntegerAndFp:
    case verdict::Work::WarpInstructions:
        return std::nullopt;
    }
    return std::nullopt;
}

std::string labelOf(const verdict::WorkPart& part) {
    const auto work = part.resource == Resource::Fp64 ? verdict::Work::Fp64 : verdict::Work::Fp32;
    return fmt::format("{} {}", part.name, rateText(part.roof->perSecond, work));
}

} // namespace

std::optional<std::size_t> PartLine::own() const {
    const auto found = std::ranges::find(stops, true, &Stop::own);
    return found == stops.end() ? std::nullopt
                                : std::optional(static_cast<std::size_t>(found - stops.begin()));
}

PartLine partLine(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch, verdict::Work work,
                  verdict::MemoryLevel level) {
    const auto about = resourceOf(work);
    const auto bytes = verdict::bytesAt(metrics, launch, level);
    const session::Device* device = metrics.session().deviceOf(launch);
    if (!about || !bytes || device == nullptr) return {};
    const auto place = static_cast<std::size_t>(device - metrics.session().devices().data());
    std::optional<double> memory;
    for (const Roof& roof : roofs(roofsOf(metrics.session(), work, level, place)))
        if (roof.memory) memory = roof.memory; // the last is measured if any is
    PartLine line;
    for (const verdict::WorkPart& part : verdict::workParts(metrics, launch)) {
        const bool own = part.resource == *about;
        if (!part.roof || (!own && *part.share() < kLeastPartShare)) continue;
        line.stops.push_back({part.name, part.operations / *bytes, part.rate, own, part.share(),
                              Roof{.measured = part.roof->measured,
                                   .memory = memory,
                                   .compute = std::log10(part.roof->perSecond),
                                   .drawsSlope = false},
                              labelOf(part)});
    }
    if (std::ranges::all_of(line.stops, &PartLine::Stop::own)) line.stops.clear();
    return line;
}

std::optional<PartMarks> partMarks(const PartLine& line, const ChartFrame& frame, double radius) {
    if (line.stops.empty()) return std::nullopt;
    const double left = frame.x.pixelAtLower, right = frame.x.pixelAtUpper;
    const double top = frame.y.pixelAtUpper, bottom = frame.y.pixelAtLower;
    PartMarks placed;
    double least = frame.x.range.upper, most = frame.x.range.lower;
    for (const PartLine::Stop& stop : line.stops) {
        const Spot decades{std::log10(stop.intensity), std::log10(stop.rate)};
        least = std::min(least, decades.x);
        most = std::max(most, decades.x);
        if (stop.own) continue;
        const Spot at = frame.pixel(decades);
        if (at.x - radius >= left && at.x + radius <= right && at.y - radius >= top &&
            at.y + radius <= bottom)
            placed.marks.push_back({stop.name, at});
        if (const auto flat = flatIn(stop.roof, frame.view()))
            placed.flats.push_back(
                {frame.pixel({flat->x1, flat->y1}), frame.pixel({flat->x2, flat->y2}), stop.label});
    }
    if (placed.marks.empty()) return std::nullopt;
    // All on rate = intensity x bytes per second.
    const double bytesPerSecond = std::log10(line.stops.front().rate / line.stops.front().intensity);
    least = std::max({least, frame.x.range.lower, frame.y.range.lower - bytesPerSecond});
    most = std::min({most, frame.x.range.upper, frame.y.range.upper - bytesPerSecond});
    placed.from = frame.pixel({least, bytesPerSecond + least});
    placed.to = frame.pixel({most, bytesPerSecond + most});
    return placed;
}

} // namespace dormer::view::plot
