// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/work_parts.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace dormer::verdict {

using device::Ceiling;
using device::Resource;
using device::TensorFormat;

namespace {

struct Kind {
    const char* metric;
    Resource resource;
    TensorFormat format = TensorFormat::Fp16;
};
constexpr auto kKinds = std::to_array<Kind>({
    {"flops_tensor_fp16", Resource::Tensor, TensorFormat::Fp16},
    {"flops_tensor_bf16", Resource::Tensor, TensorFormat::Bf16},
    {"flops_tensor_tf32", Resource::Tensor, TensorFormat::Tf32},
    {"flops_tensor_fp64", Resource::Tensor, TensorFormat::Fp64},
    {"flops_tensor_fp8", Resource::Tensor, TensorFormat::Fp8},
    {"integer_ops_tensor", Resource::Tensor, TensorFormat::Int8},
    {"flops_fp32", Resource::Fp32},
    {"flops_fp64", Resource::Fp64},
    {"flops_fp16", Resource::Fp16},
});

std::string nameOf(const Kind& kind) {
    const std::string_view resource = device::title(kind.resource);
    return kind.resource == Resource::Tensor ? fmt::format("{} {}", device::title(kind.format), resource)
                                             : std::string(resource);
}

/// The roof that is drawn: the measured one before the theoretical one.
std::optional<Ceiling> roofOf(const std::vector<Ceiling>& all, const WorkPart& part) {
    std::optional<Ceiling> best;
    for (const Ceiling& each : all)
        if (each.resource == part.resource &&
            (part.resource != Resource::Tensor || each.format == part.format) &&
            (!best || std::pair(each.measured, each.perSecond) > std::pair(best->measured, best->perSecond)))
            best = each;
    return best;
}

std::string_view bytesMetric(MemoryLevel level) {
    switch (level) {
    case MemoryLevel::Dram:
        return "dram_bytes";
    case MemoryLevel::L2:
        return "l2_bytes";
    case MemoryLevel::L1:
        return "l1_bytes";
    case MemoryLevel::Shared:
        return "shared_bytes";
    }
    return "";
}

} // namespace

std::optional<double> WorkPart::share() const {
    return roof && roof->perSecond > 0 ? std::optional(rate / roof->perSecond) : std::nullopt;
}

std::vector<WorkPart> workParts(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch) {
    const auto ns = metrics.value(launch, "duration_ns");
    if (!ns || !(*ns > 0)) return {};
    std::vector<WorkPart> parts;
    bool tensor = false, scalar = false;
    for (const Kind& kind : kKinds) {
        const double operations = metrics.value(launch, kind.metric).value_or(0);
        if (!(operations > 0)) continue;
        (kind.resource == Resource::Tensor ? tensor : scalar) = true;
        parts.push_back({.resource = kind.resource,
                         .format = kind.format,
                         .name = nameOf(kind),
                         .operations = operations,
                         .rate = operations / *ns * 1e9,
                         .roof = std::nullopt});
    }
    if (!tensor || !scalar) return {};
    if (const session::Device* device = metrics.session().deviceOf(launch)) {
        const std::vector<Ceiling> ceilings = device::ceilings(metrics.session(), *device);
        for (WorkPart& part : parts)
            part.roof = roofOf(ceilings, part);
    }
    return parts;
}

std::optional<double> bytesAt(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                              MemoryLevel level) {
    const auto bytes = metrics.value(launch, bytesMetric(level));
    return bytes && *bytes > 0 ? bytes : std::nullopt;
}

} // namespace dormer::verdict
