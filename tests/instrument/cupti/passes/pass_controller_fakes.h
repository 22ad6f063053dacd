// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/pass_controller.h"
#include "tests/support/parsed.h"

/// Stand-ins for the hardware, and a program that launches.
namespace dormer::tests {

using namespace session;

using namespace instrument::collect;
using namespace instrument::cupti::passes;
using namespace instrument::stream;

/// What the fakes share: a GPU that runs each launch in 1000 ns times its correlation id.
struct FakeGpu {
    std::vector<KernelTiming> ran;
    std::vector<TransferTiming> moved;
    std::string limitation;
    bool streamBusy = false;
    std::vector<std::string> rangesOfPass;
    std::vector<std::size_t> configured;
    int passes = 3;
    int passesRun = 0;
    int flushes = 0;
    bool bufferHeld = false;
    std::string failConfigure, failPush, failLines;
    std::string lineFile; ///< that lines name
    std::string codeLimitation;
    int linesBegun = 0;
    bool loseFirstRange = false;
};

class FakeTiming : public TimingBackend {
public:
    explicit FakeTiming(FakeGpu& gpu) : m_gpu(gpu) {}
    Result<void> start() override {
        m_gpu.ran.clear();
        m_gpu.moved.clear();
        return {};
    }
    Result<Timings> stop() override { return Timings{m_gpu.ran, m_gpu.moved}; }
    std::string limitation() const override { return m_gpu.limitation; }

private:
    FakeGpu& m_gpu;
};

class FakeCounters : public CounterBackend {
public:
    explicit FakeCounters(FakeGpu& gpu) : m_gpu(gpu) {}
    Result<void> configure(std::size_t ranges) override {
        if (!m_gpu.failConfigure.empty()) return failure(ErrorKind::Device, m_gpu.failConfigure);
        m_gpu.configured.push_back(ranges);
        m_gpu.passesRun = 0;
        return {};
    }
    int passes() const override { return m_gpu.passes; }
    Result<void> startPass() override {
        m_gpu.rangesOfPass.clear();
        return {};
    }
    Result<void> pushRange(const std::string& name) override {
        if (!m_gpu.failPush.empty()) return failure(ErrorKind::Device, m_gpu.failPush);
        m_gpu.rangesOfPass.push_back(name);
        return {};
    }
    Result<void> popRange() override { return {}; }
    Result<bool> stopPass() override { return ++m_gpu.passesRun == m_gpu.passes; }
    Result<std::map<std::string, std::map<std::string, double>>> decode() override {
        std::map<std::string, std::map<std::string, double>> values;
        for (const std::string& range : m_gpu.rangesOfPass) {
            if (m_gpu.loseFirstRange && range == m_gpu.rangesOfPass.front()) continue;
            values[range]["smsp__inst_executed.sum"] = 100 + std::stod(range);
        }
        return values;
    }

private:
    FakeGpu& m_gpu;
};

/// Each launch did its number, counted over all passes, of warps.
class FakeLines : public LineBackend {
public:
    explicit FakeLines(FakeGpu& gpu) : m_gpu(gpu) {}
    Result<void> begin() override {
        if (!m_gpu.failLines.empty()) return failure(ErrorKind::Device, m_gpu.failLines);
        ++m_gpu.linesBegun;
        return {};
    }
    Result<std::vector<LineCounts>> end() override {
        LineCounts line;
        line.executions = static_cast<std::uint64_t>(m_gpu.linesBegun);
        if (!m_gpu.lineFile.empty()) {
            line.file = m_gpu.lineFile;
            line.line = 1;
        }
        return std::vector{line};
    }
    std::optional<KernelCode> code() override {
        return KernelCode{0, CodeLanguage::Sass, {}, {tests::parsed<CodeLine>("16 0 0 LDG.E R2, [R4.64]")}};
    }
    std::string limitation() const override { return m_gpu.codeLimitation; }

private:
    FakeGpu& m_gpu;
};

class FakeContext : public ContextBackend {
public:
    explicit FakeContext(FakeGpu& gpu) : m_gpu(gpu) {}
    void synchronize() override {}
    bool busy(const void*) override { return m_gpu.streamBusy; }
    Result<void> flushCaches() override {
        ++m_gpu.flushes;
        m_gpu.bufferHeld = true;
        return {};
    }
    void releaseFlushBuffer() override { m_gpu.bufferHeld = false; }
    std::optional<std::uint32_t> blocksPerSm(const void*, std::uint32_t, std::uint64_t) override { return 8; }
    FunctionFacts functionFacts(const void*) override { return {1024, 16, 0, 256}; }
    std::int64_t nowNs() override { return 0; }

private:
    FakeGpu& m_gpu;
};

inline const int kAdd = 0, kScan = 0; // their addresses stand for functions

struct Run {
    FakeGpu gpu;
    std::vector<Record> records;
    CollectOptions options;
    std::unique_ptr<PassController> controller;
    std::uint32_t correlation = 0;

    void open(bool withCounters = true) {
        controller = std::make_unique<PassController>(
            options, std::make_unique<FakeTiming>(gpu),
            withCounters ? std::make_unique<FakeCounters>(gpu) : nullptr, std::make_unique<FakeContext>(gpu),
            [this](const Record& record) { records.push_back(record); },
            options.lines ? std::make_unique<FakeLines>(gpu) : nullptr);
    }
    void launch(const int& function, const std::string& name, const std::string& workload,
                std::uint32_t blocks = 4) {
        LaunchCall call;
        call.function = &function;
        call.mangledName = name;
        call.correlationId = ++correlation;
        call.grid = {blocks, 1, 1};
        call.block = {256, 1, 1};
        call.workload = workload;
        call.nvtx = workload;
        controller->launchBegins(call);
        KernelTiming timing;
        timing.correlationId = correlation;
        timing.startNs = 1'000'000;
        timing.endNs = timing.startNs + 1000 * correlation;
        timing.registersPerThread = 16;
        gpu.ran.push_back(timing);
        controller->launchEnds();
    }
    template <typename T>
    std::vector<T> all() const {
        std::vector<T> found;
        for (const Record& record : records) {
            if (const T* value = std::get_if<T>(&record)) found.push_back(*value);
        }
        return found;
    }
    void twoKernels() {
        launch(kAdd, "_Z3addPf", "suite/add");
        launch(kScan, "_Z4scanPf", "suite/scan");
    }
};

} // namespace dormer::tests
