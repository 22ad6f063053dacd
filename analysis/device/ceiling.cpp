// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/device/ceiling.h"

#include "analysis/device/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace dormer::device {

namespace {

std::string smCeilingSource(const session::Device& device, double perClock, std::string_view what,
                            double clockHz, std::string_view source) {
    return fmt::format("{:g} {} per clock and SM x {} SM x {:.3f} GHz ({})", perClock, what, device.smCount,
                       clockHz / 1e9, source);
}

std::string sourceOf(const session::Device& device, const Architecture* a, Resource resource,
                     TensorFormat format, const Clocks& clocks) {
    switch (resource) {
    case Resource::Dram:
        return fmt::format("2 x {:.3f} GHz x {} bits / 8 (device attributes)", clocks.memoryHz / 1e9,
                           device.memoryBusBits);
    case Resource::L2:
        if (clocks.l2SectorsPerClock > 0 && clocks.l2Hz > 0)
            return fmt::format(
                "{:g} sectors per clock x 32 B x {:.3f} GHz (the chip's own peak, from its counters)",
                clocks.l2SectorsPerClock, clocks.l2Hz / 1e9);
        return fmt::format("{:g} B per clock x {:g} slices x {:.3f} GHz ({})", a->l2BytesPerSlice,
                           static_cast<double>(device.l2Bytes) / a->l2SliceBytes, clocks.smHz / 1e9,
                           a->l2Source);
    case Resource::L1:
        return smCeilingSource(device, a->l1Bytes, "B", clocks.smHz, a->cacheSource);
    case Resource::Shared:
        return smCeilingSource(device, a->sharedBytes, "B", clocks.smHz, a->cacheSource);
    default:
        break;
    }
    if (resource == Resource::Tensor)
        return smCeilingSource(device, 2 * a->tensor.perClock[static_cast<std::size_t>(format)],
                               fmt::format("{} of dense {} matrices",
                                           format == TensorFormat::Int8 ? "operations" : "FLOP",
                                           title(format)),
                               format == TensorFormat::Fp64 ? clocks.smHz : clocks.tensorHz,
                               a->tensor.clock < 1 && format != TensorFormat::Fp64
                                   ? "NVIDIA's whitepaper, which states tensor rates at this clock"
                                   : "NVIDIA's whitepaper");
    const double perClock = peakPerSecond(device, a, resource, clocks) / (device.smCount * clocks.smHz);
    const auto what = resource == Resource::Integer      ? "additions"
                      : resource == Resource::IssueSlots ? "warp instructions"
                                                         : "FLOP";
    return smCeilingSource(device, perClock, what, clocks.smHz, a->arithmeticSource);
}

std::optional<Ceiling> theoreticalAt(const session::Device& device, Resource resource, const Clocks& clocks,
                                     TensorFormat format = TensorFormat::Fp16) {
    const Architecture* architecture = architectureOf(device);
    const double peak = resource == Resource::Tensor && architecture != nullptr
                            ? tensorPeakPerSecond(device, *architecture, format, clocks)
                            : peakPerSecond(device, architecture, resource, clocks);
    if (!(peak > 0)) return std::nullopt;
    Ceiling ceiling{resource, peak, false, 0, {}, format};
    if (resource == Resource::Dram)
        ceiling.clockHz = clocks.memoryHz;
    else if (resource == Resource::L2 && clocks.l2SectorsPerClock > 0 && clocks.l2Hz > 0)
        ceiling.clockHz = clocks.l2Hz;
    else if (resource == Resource::Tensor && format != TensorFormat::Fp64) // which is stated at the maximum
        ceiling.clockHz = clocks.tensorHz;
    else
        ceiling.clockHz = clocks.smHz;
    ceiling.source = sourceOf(device, architecture, resource, format, clocks);
    return ceiling;
}

/// The ceiling that a measurement of this name is of; nothing for parts of one, and for what bounds no
/// kernel.
std::optional<Ceiling> namedCeiling(std::string_view name) {
    for (int i = 0; i < kResourceCount; ++i) {
        const auto resource = static_cast<Resource>(i);
        const int formats = resource == Resource::Tensor ? kTensorFormatCount : 1;
        for (int format = 0; format < formats; ++format) {
            Ceiling ceiling{resource, 0, true, 0, {}, static_cast<TensorFormat>(format)};
            if (measuredName(resource, ceiling.format) == name) return ceiling;
        }
    }
    return std::nullopt;
}

} // namespace

std::string_view toString(Resource resource) {
    switch (resource) {
    case Resource::Dram:
        return "dram";
    case Resource::L2:
        return "l2";
    case Resource::L1:
        return "l1";
    case Resource::Shared:
        return "shared";
    case Resource::Fp32:
        return "fp32";
    case Resource::Fp64:
        return "fp64";
    case Resource::Fp16:
        return "fp16";
    case Resource::Tensor:
        return "tensor";
    case Resource::Integer:
        return "integer";
    case Resource::IssueSlots:
        return "issue_slots";
    }
    return "";
}

std::string_view title(Resource resource) {
    switch (resource) {
    case Resource::Dram:
        return "DRAM";
    case Resource::L2:
        return "L2";
    case Resource::L1:
        return "L1";
    case Resource::Shared:
        return "shared memory";
    case Resource::Fp32:
        return "FP32";
    case Resource::Fp64:
        return "FP64";
    case Resource::Fp16:
        return "FP16";
    case Resource::Tensor:
        return "tensor";
    case Resource::Integer:
        return "integer";
    case Resource::IssueSlots:
        return "issue";
    }
    return "";
}

std::string_view title(TensorFormat format) {
    switch (format) {
    case TensorFormat::Fp16:
        return "FP16";
    case TensorFormat::Bf16:
        return "BF16";
    case TensorFormat::Tf32:
        return "TF32";
    case TensorFormat::Fp64:
        return "FP64";
    case TensorFormat::Fp8:
        return "FP8";
    case TensorFormat::Int8:
        return "INT8";
    }
    return "";
}

bool isMemory(Resource resource) {
    return resource == Resource::Dram || resource == Resource::L2 || resource == Resource::L1 ||
           resource == Resource::Shared;
}

std::vector<Ceiling> theoreticalCeilings(const session::Device& device) {
    std::vector<Ceiling> all;
    const Clocks clocks = maximumClocks(device);
    for (int i = 0; i < kResourceCount; ++i) {
        const auto resource = static_cast<Resource>(i);
        const int formats = resource == Resource::Tensor ? kTensorFormatCount : 1;
        for (int format = 0; format < formats; ++format)
            if (auto ceiling = theoreticalAt(device, resource, clocks, static_cast<TensorFormat>(format)))
                all.push_back(std::move(*ceiling));
    }
    return all;
}

std::vector<Ceiling> ceilings(const session::Session& session, const session::Device& device) {
    std::vector<Ceiling> all = theoreticalCeilings(device);
    for (const session::MeasuredCeiling& measured : session.measuredCeilings()) {
        if (measured.device != device.id || !(measured.perSecond > 0)) continue;
        auto ceiling = namedCeiling(measured.resource);
        if (!ceiling) continue;
        ceiling->perSecond = measured.perSecond;
        ceiling->clockHz = measuredRate(session, device.id, measured.resource + "_clock");
        ceiling->source = measured.method;
        all.push_back(std::move(*ceiling));
    }
    return all;
}

double measuredRate(const session::Session& session, std::int32_t device, std::string_view name) {
    double best = 0;
    for (const session::MeasuredCeiling& measured : session.measuredCeilings())
        if (measured.device == device && measured.resource == name) best = std::max(best, measured.perSecond);
    return best;
}

std::string measuredName(Resource resource, TensorFormat format) {
    if (resource != Resource::Tensor) return std::string(toString(resource));
    std::string name = "tensor_";
    for (const char letter : title(format))
        name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return name;
}

double measuredPeakPerSecond(const session::Session& session, const session::Device& device,
                             Resource resource, const Clocks& clocks, TensorFormat format) {
    if (session.measuredCeilings().empty()) return 0;
    const std::string name = measuredName(resource, format);
    const double peak = measuredRate(session, device.id, name);
    if (resource == Resource::Dram || resource == Resource::L2 || !(clocks.smHz > 0)) return peak;
    const double seen = measuredRate(session, device.id, name + "_clock");
    return seen > 0 ? peak * clocks.smHz / seen : peak;
}

std::optional<Ceiling> ceilingDuring(const session::Session& session, session::LaunchIndex launch,
                                     Resource resource) {
    const session::Device* device = session.deviceOf(launch);
    if (device == nullptr) return std::nullopt;
    const auto smClock = session.counter(launch, "sm__cycles_elapsed.avg.per_second");
    const auto dramClock = session.counter(launch, "dram__cycles_elapsed.avg.per_second");
    Clocks clocks = maximumClocks(*device);
    if (smClock) clocks.smHz = clocks.tensorHz = *smClock;
    clocks.memoryHz = memoryClockDuring(*device, dramClock);
    clocks.l2Hz = session.counter(launch, "lts__cycles_elapsed.avg.per_second").value_or(0);
    clocks.l2SectorsPerClock = session.counter(launch, "lts__t_sectors.sum.peak_sustained").value_or(0);
    auto ceiling = theoreticalAt(*device, resource, clocks);
    if (!ceiling) return ceiling;
    if (resource == Resource::Dram) {
        if (dramClock && clocks.memoryHz != *dramClock)
            ceiling->source += "; the DRAM counter's clock does not tell the memory clock on this chip";
        else if (!dramClock)
            ceiling->source += "; the memory clock during the launch was not collected";
    } else if (!smClock && resource != Resource::Tensor && ceiling->clockHz == device->smClockMaxHz) {
        ceiling->source += "; at the maximum clock, the one during the launch was not collected";
    }
    return ceiling;
}

} // namespace dormer::device
