// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/roofline.h"

#include "analysis/device/measured.h"
#include "analysis/verdict/measured.h"

#include <algorithm>
#include <array>
#include <functional>

namespace dormer::verdict {

namespace {

std::string_view workMetric(Work work) {
    switch (work) {
    case Work::Fp32:
        return "flops_fp32";
    case Work::Fp64:
        return "flops_fp64";
    case Work::Tensor:
        return "tensor_ops";
    case Work::IntegerAndFp:
        return "int_fp_ops";
    case Work::WarpInstructions:
        return "warp_instructions";
    }
    return "";
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

/// Metrics by place, so that points of a growing chart cost no name lookups.
const metrics::Metric& metricOf(Work work) {
    static const std::array found = [] {
        std::array<const metrics::Metric*, kWorks.size()> all{};
        for (const Work each : kWorks)
            all[static_cast<std::size_t>(each)] = metrics::findMetric(workMetric(each));
        return all;
    }();
    return *found[static_cast<std::size_t>(work)];
}

const metrics::Metric& metricOf(MemoryLevel level) {
    static const std::array found = {metrics::findMetric(bytesMetric(MemoryLevel::Dram)),
                                     metrics::findMetric(bytesMetric(MemoryLevel::L2)),
                                     metrics::findMetric(bytesMetric(MemoryLevel::L1)),
                                     metrics::findMetric(bytesMetric(MemoryLevel::Shared))};
    return *found[static_cast<std::size_t>(level)];
}

device::Resource resourceOf(MemoryLevel level) {
    switch (level) {
    case MemoryLevel::Dram:
        return device::Resource::Dram;
    case MemoryLevel::L2:
        return device::Resource::L2;
    case MemoryLevel::L1:
        return device::Resource::L1;
    case MemoryLevel::Shared:
        return device::Resource::Shared;
    }
    return device::Resource::Dram;
}

/// Roofs of a kind of work, the one that no mix can pass first.
std::vector<device::Resource> roofsOf(Work work) {
    switch (work) {
    case Work::Fp32:
        return {device::Resource::Fp32};
    case Work::Fp64:
        return {device::Resource::Fp64};
    case Work::Tensor:
        return {device::Resource::Tensor};
    case Work::IntegerAndFp:
        return {device::Resource::Fp32, device::Resource::Integer};
    case Work::WarpInstructions:
        return {device::Resource::IssueSlots};
    }
    return {};
}

std::vector<device::Ceiling> pick(const std::vector<device::Ceiling>& all,
                                  const std::vector<device::Resource>& resources) {
    std::vector<device::Ceiling> picked;
    for (const bool measured : {false, true}) {
        for (const device::Resource resource : resources) {
            for (const device::Ceiling& ceiling : all) {
                if (ceiling.resource == resource && ceiling.measured == measured) picked.push_back(ceiling);
            }
        }
    }
    return picked;
}

bool ranOn(const session::Session& session, session::LaunchIndex launch, const session::Device& device) {
    return session.deviceOf(launch) == &device;
}

/// Metric of the operations on matrices of each format, by TensorFormat.
const std::array<const metrics::Metric*, device::kTensorFormatCount>& tensorMetrics() {
    static const std::array found = {
        metrics::findMetric("flops_tensor_fp16"), metrics::findMetric("flops_tensor_bf16"),
        metrics::findMetric("flops_tensor_tf32"), metrics::findMetric("flops_tensor_fp64"),
        metrics::findMetric("flops_tensor_fp8"),  metrics::findMetric("integer_ops_tensor")};
    return found;
}

/// Leaves the roofs of the tensor formats that launches of the device used, the highest first.
void keepUsedFormats(const metrics::MetricEvaluator& metrics, const session::Device* device,
                     std::vector<device::Ceiling>& roofs) {
    std::array<bool, device::kTensorFormatCount> used{};
    for (std::size_t i = 0; i < metrics.session().launches().size(); ++i) {
        const auto launch = static_cast<session::LaunchIndex>(i);
        if (!metrics.session().hasCounters(launch) || metrics.session().deviceOf(launch) != device) continue;
        for (std::size_t format = 0; format < used.size(); ++format)
            used[format] = used[format] || metrics.value(launch, *tensorMetrics()[format]).value_or(0) > 0;
    }
    if (std::ranges::none_of(used, std::identity())) used.front() = true;
    std::erase_if(roofs, [&](const device::Ceiling& roof) {
        return !roof.measured && !used[static_cast<std::size_t>(roof.format)];
    });
    std::ranges::stable_sort(roofs, [](const device::Ceiling& a, const device::Ceiling& b) {
        return std::pair(a.measured, -a.perSecond) < std::pair(b.measured, -b.perSecond);
    });
}

const metrics::Metric& tensorInstructions() {
    static const metrics::Metric& found = *metrics::findMetric("tensor_instructions");
    return found;
}

/// Without tensor instructions there is no tensor work, whether it was to be counted or not.
std::optional<double> workOf(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                             Work work) {
    const auto amount = metrics.value(launch, metricOf(work));
    if (!amount && work == Work::Tensor && metrics.value(launch, tensorInstructions()) == 0.0) return 0.0;
    return amount;
}

/// L2 has no published figure on most chips; a launch that collected the chip's own peak tells it.
void addCountedL2(const session::Session& session, const session::Device& device,
                  std::vector<device::Ceiling>& memory) {
    if (!memory.empty() && !memory.front().measured) return;
    for (std::size_t i = 0; i < session.launches().size(); ++i) {
        const auto launch = static_cast<session::LaunchIndex>(i);
        if (!session.hasCounters(launch) || !ranOn(session, launch, device)) continue;
        if (auto ceiling = device::ceilingDuring(session, launch, device::Resource::L2)) {
            memory.insert(memory.begin(), std::move(*ceiling));
            return;
        }
    }
}

} // namespace

std::string_view toString(Work work) {
    switch (work) {
    case Work::Fp32:
        return "fp32";
    case Work::Fp64:
        return "fp64";
    case Work::Tensor:
        return "tensor";
    case Work::IntegerAndFp:
        return "int_fp";
    case Work::WarpInstructions:
        return "warp_instructions";
    }
    return "";
}

std::string_view title(Work work) {
    switch (work) {
    case Work::Fp32:
        return "FP32";
    case Work::Fp64:
        return "FP64";
    case Work::Tensor:
        return "tensor";
    case Work::IntegerAndFp:
        return "all ops";
    case Work::WarpInstructions:
        return "warp instructions";
    }
    return "";
}

std::string_view toString(MemoryLevel level) {
    return device::toString(resourceOf(level));
}

std::string_view title(MemoryLevel level) {
    return device::title(resourceOf(level));
}

std::optional<RooflinePoint> rooflinePoint(const metrics::MetricEvaluator& metrics,
                                           session::LaunchIndex launch, Work work, MemoryLevel level) {
    static const metrics::Metric* const duration = metrics::findMetric("duration_ns");
    const auto ns = metrics.value(launch, *duration);
    const auto amount = workOf(metrics, launch, work);
    if (!ns || !amount) return std::nullopt;
    if (*amount == 0) return RooflinePoint{launch, 0, 0, *ns};
    const auto bytes = metrics.value(launch, metricOf(level));
    if (!bytes) return std::nullopt;
    if (*bytes == 0) return RooflinePoint{launch, 0, 0, *ns}; // no place on a logarithmic axis
    return RooflinePoint{launch, *amount / *bytes, *amount / *ns * 1e9, *ns};
}

Roofline roofline(const metrics::MetricEvaluator& metrics, Work work, MemoryLevel level, std::size_t device) {
    const session::Session& session = metrics.session();
    Roofline chart;
    chart.work = work;
    chart.level = level;
    const bool known = device < session.devices().size();
    if (known) {
        const std::vector<device::Ceiling> all = device::ceilings(session, session.devices()[device]);
        chart.memory = pick(all, {resourceOf(level)});
        chart.compute = pick(all, roofsOf(work));
        if (work == Work::Tensor) keepUsedFormats(metrics, &session.devices()[device], chart.compute);
        if (level == MemoryLevel::L2) addCountedL2(session, session.devices()[device], chart.memory);
        if (!chart.memory.empty() && !chart.compute.empty() && !chart.memory.front().measured &&
            !chart.compute.front().measured)
            chart.ridge = chart.compute.front().perSecond / chart.memory.front().perSecond;
    }
    for (std::size_t i = 0; i < session.launches().size(); ++i) {
        const auto launch = static_cast<session::LaunchIndex>(i);
        // Launches of a device never described belong on the only chart there is.
        if (known ? !ranOn(session, launch, session.devices()[device]) : device != 0) continue;
        const auto point = rooflinePoint(metrics, launch, work, level);
        if (!point)
            chart.unknown.push_back(launch);
        else if (point->rate == 0)
            chart.withoutWork.push_back(launch);
        else
            chart.points.push_back(*point);
    }
    return chart;
}

namespace {

/// Time of the tensor work at `peakOf` each format.
template <typename PeakOf>
std::optional<double> tensorSecondsAt(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                                      const session::Device& device, const PeakOf& peakOf) {
    const device::Architecture* architecture = device::architectureOf(device);
    if (architecture == nullptr || !metrics.value(launch, metricOf(Work::Tensor))) return std::nullopt;
    const auto counter = [&](std::string_view name) {
        return metrics.session().counter(launch, name).value_or(0);
    };
    double seconds = 0;
    for (std::size_t i = 0; i < tensorMetrics().size(); ++i) {
        const auto format = static_cast<device::TensorFormat>(i);
        double operations = metrics.value(launch, *tensorMetrics()[i]).value_or(0);
        if (operations == 0) continue;
        const double peak = peakOf(*architecture, format);
        if (!(peak > 0)) return std::nullopt;
        if (format == device::TensorFormat::Fp16) { // of these, some at the rate of FP16 sums
            const double halfSums = counter("sm__ops_path_tensor_src_fp16_dst_fp16.sum");
            operations += halfSums / architecture->tensor.halfSums - halfSums;
        } else if (format == device::TensorFormat::Fp8) { // FP4 by itself takes half the time
            operations -= counter("sm__ops_path_tensor_src_fp4_dst_fp32.sum") / 2;
        } else if (format == device::TensorFormat::Int8 &&
                   counter("sm__ops_path_tensor_src_int8.sum") != operations) {
            return std::nullopt; // no rates of INT4 and INT1 are known
        }
        seconds += operations / peak;
    }
    return seconds;
}

} // namespace

std::optional<double> tensorSeconds(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch,
                                    const session::Device& device, const device::Clocks& clocks) {
    return tensorSecondsAt(metrics, launch, device,
                           [&](const device::Architecture& architecture, device::TensorFormat format) {
                               return device::tensorPeakPerSecond(device, architecture, format, clocks);
                           });
}

std::optional<double> measuredTensorSeconds(const metrics::MetricEvaluator& metrics,
                                            session::LaunchIndex launch, const session::Device& device,
                                            const device::Clocks& clocks) {
    if (metrics.session().measuredCeilings().empty()) return std::nullopt;
    return tensorSecondsAt(metrics, launch, device,
                           [&](const device::Architecture&, device::TensorFormat format) {
                               return device::measuredPeakPerSecond(metrics.session(), device,
                                                                    device::Resource::Tensor, clocks, format);
                           });
}

Work dominantWork(const metrics::MetricEvaluator& metrics, session::LaunchIndex launch) {
    const double fp32 = metrics.value(launch, metricOf(Work::Fp32)).value_or(0);
    const double fp64 = metrics.value(launch, metricOf(Work::Fp64)).value_or(0);
    const auto tensor = metrics.value(launch, metricOf(Work::Tensor));
    if (!tensor && metrics.value(launch, tensorInstructions()).value_or(0) > 0) return Work::Tensor;
    if (fp32 == 0 && fp64 == 0) return tensor.value_or(0) > 0 ? Work::Tensor : Work::IntegerAndFp;
    // By time at the ceiling: a double-precision division brings a few FP32 instructions along, and a matrix
    // product scales its sums.
    const session::Device* device = metrics.session().deviceOf(launch);
    const device::Architecture* architecture = device != nullptr ? device::architectureOf(*device) : nullptr;
    if (architecture == nullptr)
        return tensor.value_or(0) > 0 ? Work::Tensor : fp64 >= fp32 ? Work::Fp64 : Work::Fp32;
    const device::Clocks clocks = device::maximumClocks(*device);
    const auto seconds = [&](double work, device::Resource resource) {
        const double peak = device::peakPerSecond(*device, architecture, resource, clocks);
        return work > 0 && peak > 0 ? work / peak : 0;
    };
    const double onTensor = tensorSeconds(metrics, launch, *device, clocks).value_or(0);
    const double onFp32 = seconds(fp32, device::Resource::Fp32),
                 onFp64 = seconds(fp64, device::Resource::Fp64);
    if (onTensor > 0 && onTensor >= std::max(onFp32, onFp64)) return Work::Tensor;
    return onFp64 >= onFp32 ? Work::Fp64 : Work::Fp32;
}

} // namespace dormer::verdict
