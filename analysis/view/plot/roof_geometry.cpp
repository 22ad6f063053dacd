// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/plot/roof_geometry.h"

#include "analysis/metrics/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::view::plot {

using device::Ceiling;
using metrics::Unit;
using verdict::MemoryLevel;
using verdict::Roofline;
using verdict::Work;

namespace {

/// The highest of one kind: a device has one roof a resource, and the best measurement of it counts.
std::optional<double> highest(const std::vector<Ceiling>& ceilings, bool measured) {
    std::optional<double> best;
    for (const Ceiling& ceiling : ceilings) {
        if (ceiling.measured == measured && ceiling.perSecond > 0) {
            best = std::max(best.value_or(0), ceiling.perSecond);
        }
    }
    return best;
}

std::optional<double> logOf(std::optional<double> value) {
    return value ? std::optional(std::log10(*value)) : std::nullopt;
}

/// "4.33 TB/s", and "12.0 B/s" where there is no prefix to lean the unit on.
std::string withUnit(double value, std::string_view unit) {
    const std::string number = metrics::withSiPrefix(value);
    const bool prefixed = !number.empty() && (number.back() < '0' || number.back() > '9');
    return fmt::format("{}{}{}", number, prefixed ? "" : " ", unit);
}

std::string roofLabel(std::string_view name, const std::vector<Ceiling>& ceilings, std::string_view unit,
                      bool brief) {
    const auto theoretical = highest(ceilings, false), measured = highest(ceilings, true);
    const auto main = measured ? measured : theoretical;
    if (!main) return {};
    std::string text = fmt::format("{} {}", name, withUnit(*main, unit));
    if (brief) return text;
    text += measured ? " measured" : " theoretical";
    if (measured && theoretical) {
        // The second number in the unit of the first, so that they compare at a glance.
        const double prefix = std::pow(1000, std::floor(std::log10(*measured) / 3));
        text += fmt::format(" · {:.3g} theoretical", *theoretical / prefix);
    }
    return text;
}

/// "FP32"; of tensor cores with the format that the roof is for: "FP16 tensor".
std::string computeName(const Roofline& roofline) {
    if (roofline.work != Work::Tensor || roofline.compute.empty()) return std::string(title(roofline.work));
    return fmt::format("{} {}", title(roofline.compute.front().format), title(roofline.work));
}

} // namespace

std::optional<double> Roof::ridge() const {
    return memory && compute ? std::optional(*compute - *memory) : std::nullopt;
}

std::optional<double> Roof::attainable(double intensity) const {
    if (memory && compute) return std::min(*memory + intensity, *compute);
    return memory ? std::optional(*memory + intensity) : compute;
}

std::optional<double> Roof::leastIntensity(double rate) const {
    if (!memory || (compute && rate > *compute)) return std::nullopt;
    return rate - *memory;
}

std::vector<Roof> roofs(const Roofline& roofline) {
    const auto memory = logOf(highest(roofline.memory, false)),
               compute = logOf(highest(roofline.compute, false));
    const auto memoryMeasured = logOf(highest(roofline.memory, true));
    const auto computeMeasured = logOf(highest(roofline.compute, true));
    std::vector<Roof> result;
    if (memory || compute) result.push_back({.measured = false, .memory = memory, .compute = compute});
    if (memoryMeasured || computeMeasured) {
        result.push_back({.measured = true,
                          .memory = memoryMeasured ? memoryMeasured : memory,
                          .compute = computeMeasured ? computeMeasured : compute,
                          .drawsSlope = memoryMeasured.has_value(),
                          .drawsFlat = computeMeasured.has_value()});
    }
    return result;
}

std::optional<Segment> slopeIn(const Roof& roof, const ChartRange& view) {
    if (!roof.memory || !roof.drawsSlope) return std::nullopt;
    // y = memory + x with both in decades; clipped on all four sides.
    const double lower = std::max(view.x.lower, view.y.lower - *roof.memory);
    const double upper =
        std::min({view.x.upper, view.y.upper - *roof.memory, roof.ridge().value_or(view.x.upper)});
    if (lower >= upper) return std::nullopt;
    return Segment{lower, *roof.memory + lower, upper, *roof.memory + upper};
}

std::optional<Segment> flatIn(const Roof& roof, const ChartRange& view) {
    if (!roof.compute || !roof.drawsFlat || !view.y.holds(*roof.compute)) return std::nullopt;
    const double lower = std::max(view.x.lower, roof.ridge().value_or(view.x.lower));
    if (lower >= view.x.upper) return std::nullopt;
    return Segment{lower, *roof.compute, view.x.upper, *roof.compute};
}

std::vector<Spot> outlineIn(const Roof& roof, const ChartRange& view) {
    std::vector<Spot> corners;
    const auto slope = slopeIn(roof, view), flat = flatIn(roof, view);
    if (slope) corners = {{slope->x1, slope->y1}, {slope->x2, slope->y2}};
    if (flat && !slope) corners.push_back({flat->x1, flat->y1}); // else it begins where the slope ends
    if (flat) corners.push_back({flat->x2, flat->y2});
    return corners;
}

std::optional<Segment> ridgeIn(const Roof& roof, const ChartRange& view) {
    const auto ridge = roof.ridge();
    if (!ridge || !view.x.holds(*ridge) || *roof.compute <= view.y.lower) return std::nullopt;
    return Segment{*ridge, std::min(*roof.compute, view.y.upper), *ridge, view.y.lower};
}

Shades shadesIn(const Roof& roof, const ChartRange& view) {
    Shades shades;
    if (!roof.ridge()) return shades;
    const double bottom = view.y.lower;
    const auto top = [&](double x) { return std::clamp(*roof.attainable(x), bottom, view.y.upper); };
    const double left = std::max(view.x.lower, bottom - *roof.memory);
    const double ridge = std::clamp(*roof.ridge(), view.x.lower, view.x.upper);
    if (left < ridge) {
        shades.memory = {{left, bottom}, {left, top(left)}};
        const double leaves = view.y.upper - *roof.memory; // through the upper edge
        if (leaves > left && leaves < ridge) shades.memory.push_back({leaves, view.y.upper});
        shades.memory.insert(shades.memory.end(), {{ridge, top(ridge)}, {ridge, bottom}});
    }
    if (ridge<view.x.upper&& * roof.compute> bottom)
        shades.compute = {
            {ridge, bottom}, {ridge, top(ridge)}, {view.x.upper, top(view.x.upper)}, {view.x.upper, bottom}};
    return shades;
}

ChartRange fittedView(const Roofline& roofline, const Extent& points) {
    return fitRange(highest(roofline.memory, false), highest(roofline.compute, false), points);
}

std::string memoryRoofLabel(const Roofline& roofline) {
    return roofLabel(title(roofline.level), roofline.memory, "B/s", false);
}
std::string computeRoofLabel(const Roofline& roofline) {
    return roofLabel(computeName(roofline), roofline.compute, rateUnit(roofline.work), false);
}
std::string shortMemoryRoofLabel(const Roofline& roofline) {
    return roofLabel(title(roofline.level), roofline.memory, "B/s", true);
}
std::string shortComputeRoofLabel(const Roofline& roofline) {
    return roofLabel(computeName(roofline), roofline.compute, rateUnit(roofline.work), true);
}

std::string ridgeLabel(double ridge, Work work) {
    return "ridge " + metrics::forPeople(ridge, intensityUnit(work));
}

std::string_view rateUnit(Work work) {
    switch (work) {
    case Work::Fp32:
    case Work::Fp64:
    case Work::Tensor:
        return "FLOP/s";
    case Work::IntegerAndFp:
        return "op/s";
    case Work::WarpInstructions:
        return "inst/s";
    }
    return "op/s";
}

bool isFlop(Work work) {
    return work == Work::Fp32 || work == Work::Fp64 || work == Work::Tensor;
}

Unit intensityUnit(Work work) {
    return isFlop(work) ? Unit::FlopPerByte : Unit::OpPerByte;
}

std::string intensityAxisTitle(Work work, MemoryLevel level) {
    const std::string_view units = isFlop(work)                     ? "arithmetic intensity, FLOP"
                                   : work == Work::WarpInstructions ? "intensity, warp instructions"
                                                                    : "intensity, operations";
    return fmt::format("{} per {} byte", units, title(level));
}

std::string chartTitle(const Roofline& roofline) {
    return fmt::format("Roofline: {} over {} traffic", title(roofline.work), title(roofline.level));
}

std::string rateText(double perSecond, Work work) {
    return withUnit(perSecond, rateUnit(work));
}

Roofline roofsOf(const session::Session& session, Work work, MemoryLevel level, std::size_t device) {
    // Roofs are a function of the device alone, so a session that holds only the device answers.
    session::Session deviceOnly;
    if (device < session.devices().size()) {
        const session::Device& described = session.devices()[device];
        (void)deviceOnly.apply(described);
        for (const session::MeasuredCeiling& ceiling : session.measuredCeilings()) {
            if (ceiling.device == described.id) (void)deviceOnly.apply(ceiling);
        }
    }
    Roofline empty;
    empty.work = work;
    empty.level = level;
    if (deviceOnly.devices().empty()) return empty;
    return verdict::roofline(metrics::MetricEvaluator(deviceOnly), work, level);
}

} // namespace dormer::view::plot
