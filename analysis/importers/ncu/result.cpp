// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/ncu/result.h"

#include "analysis/importers/ncu/derived.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dormer::importers {

namespace {

using Values = std::map<std::string, double>;

std::optional<double> valueOf(const Values& values, std::string_view name) {
    const auto found = values.find(std::string(name));
    return found == values.end() ? std::nullopt : std::optional(found->second);
}

/// A count that fits its type; 0 where the file has none.
template <typename T>
T countOf(const Values& values, std::string_view name, std::string_view other = {}, double scale = 1) {
    auto value = valueOf(values, name);
    if (!value && !other.empty()) value = valueOf(values, other);
    const double scaled = value.value_or(0) * scale;
    constexpr double kMost = 9e15; // whole numbers are exact below
    if (!(scaled >= 0) || scaled > std::min(kMost, static_cast<double>(std::numeric_limits<T>::max())))
        return 0;
    return static_cast<T>(scaled);
}

session::Device deviceOf(const NcuResult& result) {
    const Values& v = result.values;
    const auto attribute = [](std::string_view name) { return fmt::format("device__attribute_{}", name); };
    session::Device device;
    device.id = result.device;
    device.computeCapabilityMajor = countOf<std::int32_t>(v, attribute("compute_capability_major"));
    device.computeCapabilityMinor = countOf<std::int32_t>(v, attribute("compute_capability_minor"));
    if (device.computeCapabilityMajor == 0) {
        device.computeCapabilityMajor = result.computeCapabilityMajor;
        device.computeCapabilityMinor = result.computeCapabilityMinor;
    }
    device.name = !result.deviceName.empty()
                      ? result.deviceName
                      : fmt::format("GPU of compute capability {}.{}", device.computeCapabilityMajor,
                                    device.computeCapabilityMinor);
    device.smCount = countOf<std::int32_t>(v, attribute("multiprocessor_count"), "launch__sm_count");
    constexpr double kKilo = 1e3; // attributes hold kilohertz
    device.smClockMaxHz =
        countOf<std::uint64_t>(v, attribute("clock_rate"), attribute("max_gpu_frequency_khz"), kKilo);
    device.memoryClockMaxHz =
        countOf<std::uint64_t>(v, attribute("memory_clock_rate"), attribute("max_mem_frequency_khz"), kKilo);
    device.memoryBusBits =
        countOf<std::int32_t>(v, attribute("global_memory_bus_width"), attribute("fb_bus_width"));
    device.memoryBytes = countOf<std::uint64_t>(v, attribute("total_memory"));
    device.l2Bytes = countOf<std::uint64_t>(v, attribute("l2_cache_size"));
    device.sharedBytesPerSm = countOf<std::uint64_t>(v, attribute("max_shared_memory_per_multiprocessor"));
    device.sharedBytesPerBlockOptin =
        countOf<std::uint64_t>(v, attribute("max_shared_memory_per_block_optin"));
    device.reservedSharedBytesPerBlock = countOf<std::uint64_t>(
        v, attribute("reserved_shared_memory_per_block"), "launch__shared_mem_per_block_driver");
    device.registersPerSm = countOf<std::uint32_t>(v, attribute("max_registers_per_multiprocessor"));
    device.maxThreadsPerSm = countOf<std::uint32_t>(v, attribute("max_threads_per_multiprocessor"));
    if (device.maxThreadsPerSm == 0)
        device.maxThreadsPerSm = 32 * countOf<std::uint32_t>(v, "sm__maximum_warps_avg_per_active_cycle");
    device.maxBlocksPerSm = countOf<std::uint32_t>(v, attribute("max_blocks_per_multiprocessor"),
                                                   "launch__occupancy_limit_blocks");
    return device;
}

std::optional<std::uint32_t> blocksPerSm(const Values& values) {
    std::optional<double> least;
    for (const std::string_view limit :
         {"launch__occupancy_limit_blocks", "launch__occupancy_limit_registers",
          "launch__occupancy_limit_shared_mem", "launch__occupancy_limit_warps",
          "launch__occupancy_limit_barriers"})
        if (const auto value = valueOf(values, limit); value && *value > 0)
            least = std::min(least.value_or(*value), *value);
    return least ? std::optional(static_cast<std::uint32_t>(*least)) : std::nullopt;
}

session::Dim3 dimensionsOf(const Values& values, std::string_view prefix) {
    session::Dim3 size;
    const auto along = [&](char axis) {
        return std::max(1U, countOf<std::uint32_t>(values, fmt::format("{}_{}", prefix, axis)));
    };
    size.x = along('x');
    size.y = along('y');
    size.z = along('z');
    return size;
}

/// What tells nothing about a launch, or is told by its device already.
constexpr std::array<std::string_view, 9> kNotCounters = {
    "device__attribute_", "nvlink__", "numa__",     "c2clink__",       "profiler__",
    "breakdown:",         "group:",   "pmsampling", "launch__grid_dim"};

bool isKept(std::string_view name) {
    if (std::ranges::any_of(kNotCounters, [&](std::string_view each) { return name.starts_with(each); }))
        return false;
    if (name == "sm__cycles_elapsed.max") return true; // the cycles that IPC is over
    const auto rollup = [&](std::string_view each) {
        const std::size_t at = name.find(each);
        return at != std::string_view::npos &&
               (at + each.size() == name.size() || name[at + each.size()] == '.');
    };
    return session::isCounterName(name) && !rollup(".min") && !rollup(".max");
}

} // namespace

void addResult(SessionBuilder& builder, NcuResult result) {
    const std::uint32_t process = builder.process(result.pid, result.host, result.program);
    if (!builder.hasDevice(process, result.device)) builder.device(process, deviceOf(result));
    addDerivedCounters(result.values);
    const Values& v = result.values;

    session::Kernel kernel;
    kernel.name = result.kernel.empty() ? result.mangledName : result.kernel;
    kernel.mangledName = result.mangledName;
    kernel.registersPerThread = countOf<std::uint32_t>(v, "launch__registers_per_thread");
    kernel.staticSharedBytes = countOf<std::uint64_t>(v, "launch__shared_mem_per_block_static");

    session::Launch launch;
    launch.device = result.device;
    launch.grid = result.grid ? *result.grid : dimensionsOf(v, "launch__grid_dim");
    launch.block = result.block ? *result.block : dimensionsOf(v, "launch__block_dim");
    launch.dynamicSharedBytes = countOf<std::uint64_t>(v, "launch__shared_mem_per_block_dynamic");
    launch.stream = result.stream;
    launch.nvtx = result.nvtx;
    launch.durationNs = valueOf(v, "gpu__time_duration.sum");
    launch.blocksPerSm = blocksPerSm(v);

    std::erase_if(result.values, [](const auto& each) { return !isKept(each.first); });
    builder.launch(process, std::move(kernel), std::move(launch), std::move(result.values));
}

} // namespace dormer::importers
