// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/plot/roof_geometry.h"

#include "analysis/metrics/format.h"
#include "analysis/view/chart_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dormer::ui::plot {

using device::Ceiling;
using verdict::MemoryLevel;
using verdict::Roofline;
using verdict::Work;
using view::rateUnit;
using view::workUnits;

namespace {

/// The highest of one kind: a device has one roof a resource, and the best measurement of it counts.
std::optional<double> highest(const std::vector<device::Ceiling>& ceilings, bool measured) {
    std::optional<double> best;
    for (const device::Ceiling& ceiling : ceilings) {
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

std::string roofLabel(std::string_view name, const std::vector<device::Ceiling>& ceilings,
                      std::string_view unit, bool brief) {
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

std::vector<Roof> roofs(const verdict::Roofline& roofline) {
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

std::string memoryRoofLabel(const verdict::Roofline& roofline) {
    return roofLabel(verdict::title(roofline.level), roofline.memory, "B/s", false);
}
std::string computeRoofLabel(const verdict::Roofline& roofline) {
    return roofLabel(verdict::title(roofline.work), roofline.compute, view::rateUnit(roofline.work), false);
}
std::string shortMemoryRoofLabel(const verdict::Roofline& roofline) {
    return roofLabel(verdict::title(roofline.level), roofline.memory, "B/s", true);
}
std::string shortComputeRoofLabel(const verdict::Roofline& roofline) {
    return roofLabel(verdict::title(roofline.work), roofline.compute, view::rateUnit(roofline.work), true);
}

std::string ridgeLabel(double ridge) {
    return fmt::format("ridge {:.3g}", ridge);
}

std::string intensityAxisTitle(verdict::Work work, verdict::MemoryLevel level) {
    return fmt::format("{}, {} per {} byte",
                       work == verdict::Work::Fp32 || work == verdict::Work::Fp64 ? "arithmetic intensity"
                                                                                  : "intensity",
                       view::workUnits(work), verdict::title(level));
}

std::string chartTitle(const verdict::Roofline& roofline) {
    return fmt::format("Roofline: {} over {} traffic", verdict::title(roofline.work),
                       verdict::title(roofline.level));
}

std::string rateForPeople(double perSecond, verdict::Work work) {
    return withUnit(perSecond, view::rateUnit(work));
}

verdict::Roofline roofsOf(const session::Session& session, verdict::Work work, verdict::MemoryLevel level) {
    // Roofs are a function of the device alone, so a session that holds only the device answers.
    session::Session deviceOnly;
    if (!session.devices().empty()) {
        const session::Device& device = session.devices().front();
        (void)deviceOnly.apply(device);
        for (const session::MeasuredCeiling& ceiling : session.measuredCeilings()) {
            if (ceiling.device == device.id) (void)deviceOnly.apply(ceiling);
        }
    }
    verdict::Roofline empty;
    empty.work = work;
    empty.level = level;
    if (deviceOnly.devices().empty()) return empty;
    return verdict::roofline(metrics::MetricEvaluator(deviceOnly), work, level);
}

} // namespace dormer::ui::plot
