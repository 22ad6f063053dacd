// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/profile/program_log.h"
#include "tests/support/catch.h"

#include <functional>

namespace dormer::tests {

using namespace dormer::session;
using namespace dormer::instrument::cupti;
using profile::ProgramLog;

class LoggedContext : public passes::ContextBackend {
public:
    void synchronize() override {}
    bool busy(const void*) override { return false; }
    Result<void> flushCaches() override { return {}; }
    void releaseFlushBuffer() override {}
    std::optional<std::uint32_t> blocksPerSm(const void*, std::uint32_t threads, std::uint64_t) override {
        ++asked;
        if (onAsk) onAsk();
        return 2048 / threads;
    }
    passes::FunctionFacts functionFacts(const void*) override {
        if (onAsk) onAsk();
        return {1024, 32, 64, 0};
    }
    std::int64_t nowNs() override { return now; }

    int asked = 0;
    std::function<void()> onAsk; ///< while the driver is asked
    std::int64_t now = 1;
};

inline const void* const kCopy = reinterpret_cast<const void*>(0x10);
inline const void* const kScan = reinterpret_cast<const void*>(0x20);

/// A program on a device that runs everything a microsecond after it was called.
struct LoggedProgram {
    LoggedContext context;
    std::vector<Record> records;
    instrument::stream::CollectOptions options;
    std::unique_ptr<ProgramLog> log;
    std::uint32_t nextCall = 1;
    std::vector<std::int64_t> durations;

    void open() {
        options.everyLaunch = true;
        log = std::make_unique<ProgramLog>(
            options, context, nullptr, [this](const Record& record) { records.push_back(record); },
            [this](std::int32_t, std::int64_t ns) { durations.push_back(ns); });
        Device device;
        device.name = "H100";
        Device other = device;
        other.id = 1;
        log->setDevices({device, other});
    }
    profile::SeenLaunch seen(const void* function, std::uint32_t blocks = 128) {
        return {.function = function,
                .mangledName = function == kCopy ? "_Z4copyPf" : "_Z4scanPf",
                .correlationId = nextCall++,
                .grid = {blocks, 1, 1},
                .block = {256, 1, 1},
                .dynamicSharedBytes = 0,
                .device = 0,
                .graph = false};
    }
    static passes::KernelTiming timing(const profile::SeenLaunch& launch, std::int64_t startNs,
                                       std::int64_t endNs) {
        passes::KernelTiming timing;
        timing.correlationId = launch.correlationId;
        timing.mangledName = launch.mangledName;
        timing.startNs = startNs;
        timing.endNs = endNs;
        timing.grid = launch.grid;
        timing.block = launch.block;
        timing.registersPerThread = 32;
        return timing;
    }
    void run(const void* function, std::uint32_t blocks = 128, const char* nvtx = "") {
        const auto launch = seen(function, blocks);
        REQUIRE(log->launchBegins(launch, {"", nvtx, 0}, context.now) == ProgramLog::Choice{});
        log->launchEnds(launch.correlationId, false, context.now + 300);
        log->ran({.kernels = {timing(launch, context.now + 1'000, context.now + 6'000)}, .transfers = {}});
        context.now += 10'000;
    }
    template <typename T>
    std::vector<T> all() const {
        std::vector<T> found;
        for (const Record& record : records)
            if (const auto* each = std::get_if<T>(&record)) found.push_back(*each);
        return found;
    }
};

} // namespace dormer::tests
