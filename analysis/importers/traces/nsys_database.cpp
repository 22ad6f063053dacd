// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/traces/nsys_database.h"

#include "analysis/device/occupancy.h"
#include "analysis/importers/parts/range_paths.h"
#include "analysis/importers/parts/sqlite_rows.h"
#include "analysis/importers/parts/transfer_sums.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::importers {

namespace {

/// Of an identifier that nsys makes of host, process and thread.
std::int32_t pidOf(std::uint64_t globalId) {
    return static_cast<std::int32_t>(globalId >> 24U & 0xFFFFFFU);
}
std::uint64_t processPart(std::uint64_t globalTid) {
    return globalTid & ~std::uint64_t{0xFFFFFF};
}

/// A call of the CUDA API: when, and on which thread.
struct Call {
    std::uint64_t thread = 0;
    std::int64_t startNs = 0, endNs = 0;
    bool asynchronous = false;
};

class Importer {
public:
    Importer(SQLite::Database& database, SessionBuilder& builder)
        : m_database(database), m_builder(builder) {}

    void run() {
        readNames();
        readCalls();
        readRanges();
        readKernels();
        readTransfers();
    }

private:
    [[nodiscard]] SqliteRows rows(const std::string& table, const std::vector<std::string>& columns) const {
        return {m_database, table, columns};
    }

    [[nodiscard]] std::string string(std::int64_t id) const {
        const auto found = m_strings.find(id);
        return found == m_strings.end() ? std::string() : found->second;
    }

    void readNames() {
        for (auto row = rows("StringIds", {"id", "value"}); row.next();)
            m_strings.emplace(row.integer("id"), row.text("value"));
        for (auto row = rows("PROCESSES", {"globalPid", "name"}); row.next();)
            m_programs.emplace(static_cast<std::uint64_t>(row.integer("globalPid")), row.text("name"));
        for (auto row = rows("TARGET_INFO_SYSTEM_ENV", {"name", "value"}); row.next();)
            if (row.text("name") == "Hostname") m_host = row.text("value");
        for (auto row = rows("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}); row.next();)
            m_epochNs = row.integer("utcEpochNs");
        for (auto row = rows("ENUM_CUDA_MEM_KIND", {"id", "label"}); row.next();)
            m_memoryKinds.emplace(row.integer("id"), row.text("label"));
        std::map<std::int64_t, std::int64_t> gpuOfCuda;
        for (auto row = rows("TARGET_INFO_CUDA_DEVICE", {"gpuId", "cudaId"}); row.next();)
            gpuOfCuda.emplace(row.integer("gpuId"), row.integer("cudaId"));
        for (auto row =
                 rows("TARGET_INFO_GPU",
                      {"id", "name", "smCount", "clockRate", "totalMemory", "l2CacheSize", "computeMajor",
                       "computeMinor", "maxWarpsPerSm", "maxBlocksPerSm", "maxRegistersPerSm",
                       "maxShmemPerSm", "maxShmemPerBlockOptin", "chipName", "uuid"});
             row.next();) {
            session::Device device;
            const auto mapped = gpuOfCuda.find(row.integer("id"));
            device.id =
                static_cast<std::int32_t>(mapped == gpuOfCuda.end() ? row.integer("id") : mapped->second);
            device.name = row.text("name");
            device.chip = row.text("chipName");
            device.uuid = row.text("uuid");
            device.computeCapabilityMajor = static_cast<std::int32_t>(row.integer("computeMajor"));
            device.computeCapabilityMinor = static_cast<std::int32_t>(row.integer("computeMinor"));
            device.smCount = static_cast<std::int32_t>(row.integer("smCount"));
            device.smClockMaxHz = static_cast<double>(row.integer("clockRate"));
            device.memoryBytes = static_cast<std::uint64_t>(row.integer("totalMemory"));
            device.l2Bytes = static_cast<std::uint64_t>(row.integer("l2CacheSize"));
            device.maxThreadsPerSm = 32 * static_cast<std::uint32_t>(row.integer("maxWarpsPerSm"));
            device.maxBlocksPerSm = static_cast<std::uint32_t>(row.integer("maxBlocksPerSm"));
            device.registersPerSm = static_cast<std::uint32_t>(row.integer("maxRegistersPerSm"));
            device.sharedBytesPerSm = static_cast<std::uint64_t>(row.integer("maxShmemPerSm"));
            device.sharedBytesPerBlockOptin =
                static_cast<std::uint64_t>(row.integer("maxShmemPerBlockOptin"));
            m_gpus.emplace(device.id, std::move(device));
        }
    }

    void readCalls() {
        for (auto row = rows("CUPTI_ACTIVITY_KIND_RUNTIME",
                             {"start", "end", "globalTid", "correlationId", "nameId"});
             row.next();) {
            const auto thread = static_cast<std::uint64_t>(row.integer("globalTid"));
            m_calls.insert_or_assign({processPart(thread), row.integer("correlationId")},
                                     Call{thread, row.integer("start"), row.integer("end"),
                                          string(row.integer("nameId")).find("Async") != std::string::npos});
        }
    }

    void readRanges() {
        constexpr std::int64_t kPushPop = 59, kStartEnd = 60; // ENUM_NSYS_EVENT_TYPE
        for (auto row = rows("NVTX_EVENTS", {"start", "end", "eventType", "text", "textId", "globalTid"});
             row.next();) {
            const std::int64_t type = row.integer("eventType");
            if ((type != kPushPop && type != kStartEnd) || row.integer("end") < row.integer("start"))
                continue;
            std::string name = row.text("text");
            if (name.empty()) name = string(row.integer("textId"));
            if (name.empty()) continue;
            const auto thread = static_cast<std::uint64_t>(row.integer("globalTid"));
            auto& ranges = type == kPushPop ? m_threadRanges : m_processRanges;
            ranges.push_back({type == kPushPop ? thread : processPart(thread), row.integer("start"),
                              row.integer("end"), std::move(name)});
        }
    }

    [[nodiscard]] std::vector<std::string> pathsOf(const std::vector<Moment>& moments) const {
        std::vector<std::string> paths = pathsAt(m_threadRanges, moments);
        std::vector<Moment> ofProcess = moments;
        for (Moment& moment : ofProcess)
            moment.track = processPart(moment.track);
        const std::vector<std::string> outer = pathsAt(m_processRanges, ofProcess);
        for (std::size_t i = 0; i < paths.size(); ++i)
            if (!outer[i].empty()) paths[i] = outer[i] + (paths[i].empty() ? "" : " > ") + paths[i];
        return paths;
    }

    std::uint32_t processOf(std::uint64_t globalPid) {
        const auto program = m_programs.find(globalPid);
        return m_builder.process(pidOf(globalPid), m_host,
                                 program == m_programs.end() ? std::string() : program->second);
    }

    const session::Device& deviceOf(std::uint32_t process, std::int64_t id) {
        session::Device& device = m_gpus[static_cast<std::int32_t>(id)];
        device.id = static_cast<std::int32_t>(id);
        if (device.name.empty()) device.name = fmt::format("GPU {}", id);
        m_builder.device(process, device);
        return device;
    }

    /// What an activity and its call tell: process, moment of the call, time of the call.
    struct Origin {
        std::uint64_t globalPid = 0;
        const Call* call = nullptr;
    };
    [[nodiscard]] Origin originOf(const SqliteRows& row) const {
        const auto globalPid = static_cast<std::uint64_t>(row.integer("globalPid"));
        const auto call = m_calls.find({processPart(globalPid), row.integer("correlationId")});
        return {globalPid, call == m_calls.end() ? nullptr : &call->second};
    }

    void readKernels() {
        struct Read {
            std::uint32_t process;
            session::Kernel kernel;
            session::Launch launch;
        };
        std::vector<Read> all;
        std::vector<Moment> moments;
        auto row = rows("CUPTI_ACTIVITY_KIND_KERNEL", {"start",
                                                       "end",
                                                       "deviceId",
                                                       "streamId",
                                                       "correlationId",
                                                       "globalPid",
                                                       "demangledName",
                                                       "shortName",
                                                       "mangledName",
                                                       "registersPerThread",
                                                       "gridX",
                                                       "gridY",
                                                       "gridZ",
                                                       "blockX",
                                                       "blockY",
                                                       "blockZ",
                                                       "staticSharedMemory",
                                                       "dynamicSharedMemory",
                                                       "localMemoryPerThread",
                                                       "graphNodeId"});
        while (row.next()) {
            const Origin origin = originOf(row);
            Read& read = all.emplace_back();
            read.process = processOf(origin.globalPid);
            read.kernel.name = string(row.integer("demangledName"));
            if (read.kernel.name.empty()) read.kernel.name = string(row.integer("shortName"));
            read.kernel.mangledName = string(row.integer("mangledName"));
            read.kernel.registersPerThread = static_cast<std::uint32_t>(row.integer("registersPerThread"));
            read.kernel.staticSharedBytes = static_cast<std::uint64_t>(row.integer("staticSharedMemory"));
            read.kernel.localBytesPerThread = static_cast<std::uint64_t>(row.integer("localMemoryPerThread"));
            const auto size = [&](const char* axis) {
                return static_cast<std::uint32_t>(std::clamp<std::int64_t>(row.integer(axis), 1, INT32_MAX));
            };
            session::Launch& launch = read.launch;
            launch.grid = {size("gridX"), size("gridY"), size("gridZ")};
            launch.block = {size("blockX"), size("blockY"), size("blockZ")};
            launch.dynamicSharedBytes = static_cast<std::uint64_t>(row.integer("dynamicSharedMemory"));
            launch.stream = static_cast<std::uint64_t>(row.integer("streamId"));
            launch.startNs = m_epochNs + row.integer("start");
            launch.durationNs =
                static_cast<double>(row.integer("end")) - static_cast<double>(row.integer("start"));
            if (row.integer("graphNodeId") > 0)
                launch.graphNode = static_cast<std::uint64_t>(row.integer("graphNodeId"));
            else if (origin.call != nullptr)
                launch.callNs = static_cast<double>(origin.call->endNs - origin.call->startNs);
            const session::Device& device = deviceOf(read.process, row.integer("deviceId"));
            launch.device = device.id;
            if (device.registersPerSm > 0 && device.sharedBytesPerSm > 0 && device.maxThreadsPerSm > 0 &&
                device.maxBlocksPerSm > 0)
                if (const auto occupancy = device::theoreticalOccupancy(device, read.kernel, launch.block,
                                                                        launch.dynamicSharedBytes))
                    launch.blocksPerSm = occupancy->blocksPerSm;
            moments.push_back(origin.call != nullptr ? Moment{origin.call->thread, origin.call->startNs}
                                                     : Moment{});
        }
        const std::vector<std::string> paths = pathsOf(moments);
        std::vector<std::size_t> order(all.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return all[i].launch.startNs; });
        for (const std::size_t i : order) {
            all[i].launch.nvtx = paths[i];
            m_builder.launch(all[i].process, std::move(all[i].kernel), std::move(all[i].launch), {});
        }
    }

    [[nodiscard]] session::MemoryKind memoryKind(std::int64_t id) const {
        const auto label = m_memoryKinds.find(id);
        if (label == m_memoryKinds.end()) return session::MemoryKind::None;
        for (const auto& [word, kind] : {std::pair{"Pageable", session::MemoryKind::Pageable},
                                         std::pair{"Pinned", session::MemoryKind::Pinned},
                                         std::pair{"Managed", session::MemoryKind::Managed},
                                         std::pair{"Device", session::MemoryKind::Device},
                                         std::pair{"Array", session::MemoryKind::Array}})
            if (label->second.starts_with(word)) return kind;
        return session::MemoryKind::Unknown;
    }

    void readTransfers() {
        std::vector<session::Transfer> all;
        std::vector<Moment> moments;
        for (const bool copies : {true, false}) {
            auto row = rows(copies ? "CUPTI_ACTIVITY_KIND_MEMCPY" : "CUPTI_ACTIVITY_KIND_MEMSET",
                            {"start", "end", "deviceId", "streamId", "correlationId", "globalPid", "bytes",
                             "copyKind", "srcKind", "dstKind", "memKind"});
            while (row.next()) {
                const Origin origin = originOf(row);
                session::Transfer& each = all.emplace_back();
                each.process = processOf(origin.globalPid);
                each.device = deviceOf(each.process, row.integer("deviceId")).id;
                each.kind = copies ? session::TransferKind::Copy : session::TransferKind::Fill;
                each.direction =
                    copies ? directionOf(row.integer("copyKind")) : session::TransferDirection::None;
                each.source =
                    row.has("srcKind") ? memoryKind(row.integer("srcKind")) : session::MemoryKind::None;
                each.destination = row.has("dstKind")   ? memoryKind(row.integer("dstKind"))
                                   : row.has("memKind") ? memoryKind(row.integer("memKind"))
                                                        : session::MemoryKind::None;
                each.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.integer("bytes")));
                each.startNs = m_epochNs + row.integer("start");
                each.endNs = m_epochNs + row.integer("end");
                each.durationNs = static_cast<double>(each.endNs - each.startNs);
                each.stream = static_cast<std::uint64_t>(row.integer("streamId"));
                if (origin.call != nullptr) {
                    each.callNs = static_cast<double>(origin.call->endNs - origin.call->startNs);
                    each.asynchronous = origin.call->asynchronous;
                }
                moments.push_back(origin.call != nullptr ? Moment{origin.call->thread, origin.call->startNs}
                                                         : Moment{});
            }
        }
        const std::vector<std::string> paths = pathsOf(moments);
        TransferSums sums;
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i].nvtx = paths[i];
            sums.add(all[i]);
        }
        sums.write(m_builder);
    }

    /// CUPTI's numbers (CUpti_ActivityMemcpyKind).
    static session::TransferDirection directionOf(std::int64_t kind) {
        switch (kind) {
        case 1:
        case 3:
            return session::TransferDirection::HostToDevice;
        case 2:
        case 4:
            return session::TransferDirection::DeviceToHost;
        case 5:
        case 6:
        case 7:
        case 8:
            return session::TransferDirection::DeviceToDevice;
        case 9:
            return session::TransferDirection::HostToHost;
        case 10:
            return session::TransferDirection::Peer;
        default:
            return session::TransferDirection::Unknown;
        }
    }

    SQLite::Database& m_database;
    SessionBuilder& m_builder;
    std::string m_host;
    std::int64_t m_epochNs = 0;
    std::unordered_map<std::int64_t, std::string> m_strings;
    std::map<std::uint64_t, std::string> m_programs;
    std::map<std::int64_t, std::string> m_memoryKinds;
    std::map<std::int32_t, session::Device> m_gpus;
    std::map<std::pair<std::uint64_t, std::int64_t>, Call> m_calls; ///< by process and correlation
    std::vector<TimedRange> m_threadRanges, m_processRanges;
};

} // namespace

Result<void> importNsysDatabase(const std::filesystem::path& path, SessionBuilder& builder) {
    try {
        SQLite::Database database(path, SQLite::OPEN_READONLY | SQLite::OPEN_NOMUTEX);
        database.exec("PRAGMA trusted_schema = OFF");
        if (!database.tableExists("StringIds") || !database.tableExists("CUPTI_ACTIVITY_KIND_KERNEL"))
            return failure(ErrorKind::Input,
                           "is no database of Nsight Systems with kernels in it: export one with "
                           "'nsys export --type sqlite'");
        Importer(database, builder).run();
    } catch (const SQLite::Exception& error) {
        return failure(ErrorKind::Input, fmt::format("can't be read as a database: {}", error.what()));
    }
    return {};
}

} // namespace dormer::importers
