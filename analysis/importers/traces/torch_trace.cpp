// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/traces/torch_trace.h"

#include "analysis/device/occupancy.h"
#include "analysis/importers/parts/range_paths.h"
#include "analysis/importers/parts/transfer_sums.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace dormer::importers {

namespace {

using nlohmann::json;

/// A number, which some versions write as text; 0 where there is none.
double numberOf(const json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end()) return 0;
    if (found->is_number()) return found->get<double>();
    double value = 0;
    if (found->is_string()) {
        const auto& text = found->get_ref<const std::string&>();
        std::from_chars(text.data(), text.data() + text.size(), value);
    }
    return std::isfinite(value) ? value : 0;
}

/// The same as a count: what does not fit is 0.
template <typename T>
T countOf(const json& object, const char* name) {
    const double value = numberOf(object, name);
    constexpr double kMost = 9e15; // whole numbers are exact below
    const double most = std::min(kMost, static_cast<double>(std::numeric_limits<T>::max()));
    return value >= 0 && value <= most ? static_cast<T>(value) : T{0};
}

std::string textOf(const json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

session::Dim3 dimensions(const json& arguments, const char* name) {
    session::Dim3 size;
    const auto found = arguments.find(name);
    if (found == arguments.end() || !found->is_array()) return size;
    std::size_t i = 0;
    for (std::uint32_t* axis : {&size.x, &size.y, &size.z}) {
        if (i < found->size() && (*found)[i].is_number_unsigned()) {
            const auto value = (*found)[i].get<std::uint64_t>();
            if (value >= 1 && value <= UINT32_MAX) *axis = static_cast<std::uint32_t>(value);
        }
        ++i;
    }
    return size;
}

/// Most resident blocks of an SM, which the trace does not tell: CUDA C++ Programming Guide, technical
/// specifications per compute capability. 0 where it is not known.
std::uint32_t blockSlots(const session::Device& device) {
    switch (device.computeCapabilityMajor * 10 + device.computeCapabilityMinor) {
    case 75:
    case 86:
    case 87:
        return 16;
    case 89:
    case 120:
    case 121:
        return 24;
    case 70:
    case 72:
    case 80:
    case 90:
    case 100:
    case 103:
        return 32;
    default:
        return 0;
    }
}

struct Call {
    std::int32_t pid = 0;
    std::uint64_t track = 0;
    std::int64_t startNs = 0;
    double ns = 0;
    bool asynchronous = false;
};

class Importer {
public:
    Importer(const json& trace, SessionBuilder& builder) : m_trace(trace), m_builder(builder) {}

    void run() {
        if (const auto base = m_trace.find("baseTimeNanoseconds");
            base != m_trace.end() && base->is_number_integer())
            m_epochNs = base->get<std::int64_t>();
        readDevices();
        for (const json& event : m_trace["traceEvents"])
            if (event.is_object() && textOf(event, "ph") == "X") readCpuSide(event);
        for (const json& event : m_trace["traceEvents"])
            if (event.is_object() && textOf(event, "ph") == "X") readGpuSide(event);
        finish();
    }

private:
    static std::string categoryOf(const json& event) {
        std::string category = textOf(event, "cat");
        std::ranges::transform(category, category.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        return category;
    }

    void readDevices() {
        const auto all = m_trace.find("deviceProperties");
        if (all == m_trace.end() || !all->is_array()) return;
        for (const json& each : *all) {
            if (!each.is_object()) continue;
            session::Device device;
            device.id = countOf<std::int32_t>(each, "id");
            device.name = textOf(each, "name");
            device.computeCapabilityMajor = countOf<std::int32_t>(each, "computeMajor");
            device.computeCapabilityMinor = countOf<std::int32_t>(each, "computeMinor");
            device.smCount = countOf<std::int32_t>(each, "numSms");
            device.memoryBytes = countOf<std::uint64_t>(each, "totalGlobalMem");
            device.maxThreadsPerSm = countOf<std::uint32_t>(each, "maxThreadsPerMultiprocessor");
            device.registersPerSm = countOf<std::uint32_t>(each, "regsPerMultiprocessor");
            device.sharedBytesPerSm = countOf<std::uint64_t>(each, "sharedMemPerMultiprocessor");
            device.sharedBytesPerBlockOptin = countOf<std::uint64_t>(each, "sharedMemPerBlockOptin");
            device.maxBlocksPerSm = blockSlots(device);
            m_devices.emplace(device.id, std::move(device));
        }
    }

    /// Nanoseconds since the epoch of an event's microseconds.
    [[nodiscard]] std::int64_t startOf(const json& event) const {
        const double ns = numberOf(event, "ts") * 1e3;
        return std::abs(ns) < 9e18 ? m_epochNs + static_cast<std::int64_t>(ns) : 0;
    }

    void readCpuSide(const json& event) {
        const std::string category = categoryOf(event);
        const bool call = category == "cuda_runtime" || category == "cuda_driver" || category == "runtime";
        if (!call && category != "user_annotation") return;
        const auto pid = countOf<std::int32_t>(event, "pid");
        const std::uint64_t track =
            countOf<std::uint64_t>(event, "tid") ^ std::uint64_t{static_cast<std::uint32_t>(pid)} << 40U;
        const std::int64_t start = startOf(event);
        const double ns = numberOf(event, "dur") * 1e3;
        if (!call) {
            if (ns >= 0 && ns < 9e18)
                m_ranges.push_back(
                    {track, start, start + static_cast<std::int64_t>(ns), textOf(event, "name")});
            return;
        }
        m_firstPid = m_firstPid.value_or(pid);
        const auto arguments = event.find("args");
        if (arguments == event.end() || !arguments->is_object()) return;
        const auto correlation = countOf<std::uint64_t>(*arguments, "correlation");
        if (correlation != 0)
            m_calls.insert_or_assign(
                correlation,
                Call{pid, track, start, ns, textOf(event, "name").find("Async") != std::string::npos});
    }

    void readGpuSide(const json& event) {
        const std::string category = categoryOf(event);
        static const json kNone = json::object();
        const auto found = event.find("args");
        const json& arguments = found != event.end() && found->is_object() ? *found : kNone;
        if (category == "kernel")
            readKernel(event, arguments);
        else if (category == "gpu_memcpy" || category == "memcpy" || category == "gpu_memset" ||
                 category == "memset")
            readTransfer(event, arguments, category.ends_with("memset"));
    }

    const Call* callOf(const json& arguments) const {
        const auto call = m_calls.find(countOf<std::uint64_t>(arguments, "correlation"));
        return call == m_calls.end() ? nullptr : &call->second;
    }

    std::uint32_t processOf(const Call* call) {
        return m_builder.process(call != nullptr ? call->pid : m_firstPid.value_or(0), {}, "PyTorch");
    }

    const session::Device& deviceOf(std::uint32_t process, const json& arguments) {
        const auto id = countOf<std::int32_t>(arguments, "device");
        session::Device& device = m_devices[id];
        device.id = id;
        if (device.name.empty()) device.name = fmt::format("GPU {}", id);
        m_builder.device(process, device);
        return device;
    }

    void readKernel(const json& event, const json& arguments) {
        const Call* call = callOf(arguments);
        Read& read = m_launches.emplace_back();
        read.process = processOf(call);
        read.kernel.name = textOf(event, "name");
        read.kernel.registersPerThread = countOf<std::uint32_t>(arguments, "registers per thread");
        session::Launch& launch = read.launch;
        launch.grid = dimensions(arguments, "grid");
        launch.block = dimensions(arguments, "block");
        // Static and dynamic shared memory together.
        launch.dynamicSharedBytes = countOf<std::uint64_t>(arguments, "shared memory");
        launch.stream = countOf<std::uint64_t>(arguments, "stream");
        launch.startNs = startOf(event);
        if (event.contains("dur")) launch.durationNs = numberOf(event, "dur") * 1e3;
        const session::Device& device = deviceOf(read.process, arguments);
        launch.device = device.id;
        if (call != nullptr) launch.callNs = call->ns;
        if (device.registersPerSm > 0 && device.sharedBytesPerSm > 0 && read.kernel.registersPerThread > 0 &&
            device.maxThreadsPerSm > 0 && device.maxBlocksPerSm > 0)
            if (const auto occupancy = device::theoreticalOccupancy(device, read.kernel, launch.block,
                                                                    launch.dynamicSharedBytes))
                launch.blocksPerSm = occupancy->blocksPerSm;
        m_launchMoments.push_back(call != nullptr ? Moment{call->track, call->startNs} : Moment{});
    }

    void readTransfer(const json& event, const json& arguments, bool fill) {
        const Call* call = callOf(arguments);
        session::Transfer& each = m_transfers.emplace_back();
        each.process = processOf(call);
        each.device = deviceOf(each.process, arguments).id;
        each.kind = fill ? session::TransferKind::Fill : session::TransferKind::Copy;
        const std::string name = textOf(event, "name"); // "Memcpy HtoD (Pageable -> Device)"
        using enum session::TransferDirection;
        for (const auto& [word, direction] :
             {std::pair{"HtoD", HostToDevice}, std::pair{"DtoH", DeviceToHost},
              std::pair{"DtoD", DeviceToDevice}, std::pair{"HtoH", HostToHost}, std::pair{"PtoP", Peer}})
            if (!fill && name.find(word) != std::string::npos) each.direction = direction;
        if (const std::size_t open = name.find('('); open != std::string::npos) {
            const std::size_t arrow = std::min(name.find("->", open), name.size());
            const std::string_view ends = name;
            if (arrow < name.size()) {
                each.source = memoryKind(ends.substr(open + 1, arrow - open - 1));
                each.destination = memoryKind(ends.substr(arrow + 2));
            } else {
                each.destination = memoryKind(ends.substr(open + 1));
            }
        }
        each.bytes = countOf<std::uint64_t>(arguments, "bytes");
        each.startNs = startOf(event);
        each.durationNs = numberOf(event, "dur") * 1e3;
        each.endNs = each.startNs + static_cast<std::int64_t>(std::clamp(*each.durationNs, 0.0, 9e17));
        each.stream = countOf<std::uint64_t>(arguments, "stream");
        if (call != nullptr) {
            each.callNs = call->ns;
            each.asynchronous = call->asynchronous;
        }
        m_transferMoments.push_back(call != nullptr ? Moment{call->track, call->startNs} : Moment{});
    }

    static session::MemoryKind memoryKind(std::string_view text) {
        for (const auto& [word, kind] : {std::pair{"Pageable", session::MemoryKind::Pageable},
                                         std::pair{"Pinned", session::MemoryKind::Pinned},
                                         std::pair{"Managed", session::MemoryKind::Managed},
                                         std::pair{"Device", session::MemoryKind::Device},
                                         std::pair{"Array", session::MemoryKind::Array}})
            if (text.find(word) != std::string_view::npos) return kind;
        return session::MemoryKind::Unknown;
    }

    void finish() {
        const std::vector<std::string> paths = pathsAt(m_ranges, m_launchMoments);
        std::vector<std::size_t> order(m_launches.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return m_launches[i].launch.startNs; });
        for (const std::size_t i : order) {
            Read& read = m_launches[i];
            read.launch.nvtx = paths[i];
            m_builder.launch(read.process, std::move(read.kernel), std::move(read.launch), {});
        }
        const std::vector<std::string> ofTransfers = pathsAt(m_ranges, m_transferMoments);
        TransferSums sums;
        for (std::size_t i = 0; i < m_transfers.size(); ++i) {
            m_transfers[i].nvtx = ofTransfers[i];
            sums.add(m_transfers[i]);
        }
        sums.write(m_builder);
    }

    struct Read {
        std::uint32_t process = 0;
        session::Kernel kernel;
        session::Launch launch;
    };

    const json& m_trace;
    SessionBuilder& m_builder;
    std::int64_t m_epochNs = 0;
    std::optional<std::int32_t> m_firstPid;
    std::map<std::int32_t, session::Device> m_devices;
    std::map<std::uint64_t, Call> m_calls; ///< by correlation
    std::vector<TimedRange> m_ranges;
    std::vector<Read> m_launches;
    std::vector<Moment> m_launchMoments;
    std::vector<session::Transfer> m_transfers;
    std::vector<Moment> m_transferMoments;
};

} // namespace

Result<void> importTorchTrace(std::string_view text, SessionBuilder& builder) {
    const json trace = json::parse(text, nullptr, false);
    if (trace.is_discarded())
        return failure(ErrorKind::Input, "is no valid JSON: it may be cut off, or another program's");
    if (!trace.is_object() || !trace.contains("traceEvents") || !trace["traceEvents"].is_array())
        return failure(ErrorKind::Input,
                       "is JSON, but no trace of PyTorch's profiler: it has no traceEvents");
    Importer(trace, builder).run();
    return {};
}

} // namespace dormer::importers
