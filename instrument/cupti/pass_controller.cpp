// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/pass_controller.h"

#include "analysis/counter_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace dormer::instrument {

using namespace analysis;

/// A launch of the running sequence, as the undisturbed pass saw it.
struct PassController::SeenLaunch {
    LaunchCall call;
    Launch launch;
    bool counted = false; ///< gets a range in each counter pass
    bool lined = false;   ///< gets counts per instruction
};

namespace {

/// CUPTI refuses counter images of much more than 2000 ranges.
constexpr std::size_t kMaxRangesPerSequence = 2000;

CollectOptions whateverTheSet(CollectOptions options) {
    options.counterSet = analysis::kDefaultCounterSet;
    return options;
}

} // namespace

PassController::PassController(CollectOptions options, std::unique_ptr<TimingBackend> timing,
                               std::unique_ptr<CounterBackend> counters,
                               std::unique_ptr<ContextBackend> context, Emit emit,
                               std::unique_ptr<LineBackend> lines)
    : m_options(std::move(options))
    , m_timing(std::move(timing))
    , m_counters(std::move(counters))
    , m_lines(std::move(lines))
    , m_context(std::move(context))
    , m_emit(std::move(emit))
    , m_filter(m_options)
    , m_lineFilter(whateverTheSet(m_options)) {
    if (!m_filter.problem().empty()) note("bad-filter", m_filter.problem());
}

PassController::~PassController() = default;

bool PassController::nextPass() {
    m_context->synchronize();
    switch (m_phase) {
    case Phase::Idle:
        startTiming();
        return true;
    case Phase::Timing:
        if (finishTiming() && startCounting()) return true;
        break;
    case Phase::Counting:
        if (finishCountingPass()) return true;
        break;
    case Phase::Lines:
        checkLaunchCount();
        finishSequence();
        return false;
    }
    if (startLines()) return true;
    finishSequence();
    return false;
}

void PassController::startTiming() {
    m_launches.clear();
    m_ordinal = 0;
    m_sequenceBroken = false;
    m_pass = 0;
    m_counterPassesDone = false;
    if (const Result<void> started = m_timing->start(); !started)
        note("timing-failed", started.error().message);
    m_passStartNs = m_context->nowNs();
    m_phase = Phase::Timing;
    emitProgress("timing", 0);
}

bool PassController::finishTiming() {
    m_timingPassNs = m_context->nowNs() - m_passStartNs;
    const Result<std::vector<KernelTiming>> timings = m_timing->stop();
    if (!timings) note("timing-failed", timings.error().message);
    std::unordered_map<std::uint32_t, const KernelTiming*> byCorrelation;
    if (timings) {
        for (const KernelTiming& timing : *timings)
            byCorrelation.emplace(timing.correlationId, &timing);
    }
    std::size_t counted = 0;
    for (SeenLaunch& seen : m_launches) {
        const auto found = byCorrelation.find(seen.call.correlationId);
        const KernelTiming* timing = found != byCorrelation.end() ? found->second : nullptr;
        Launch& launch = seen.launch;
        launch.id = m_nextLaunchId++;
        launch.kernel = kernelId(seen.call, timing);
        launch.grid = seen.call.grid;
        launch.block = seen.call.block;
        launch.dynamicSharedBytes = seen.call.dynamicSharedBytes;
        launch.workload = seen.call.workload;
        launch.nvtx = seen.call.nvtx;
        launch.device = m_options.device;
        launch.blocksPerSm =
            m_context->blocksPerSm(seen.call.function, static_cast<std::uint32_t>(seen.call.block.count()),
                                   seen.call.dynamicSharedBytes);
        if (timing != nullptr) {
            launch.device = timing->device;
            launch.stream = timing->stream;
            launch.startNs = timing->startNs;
            launch.durationNs = static_cast<double>(timing->endNs - timing->startNs);
        }
        launch.notCounted = whyNotCounted(seen);
        if (launch.notCounted.empty() && counted == kMaxRangesPerSequence)
            launch.notCounted = "one pass loop can count 2000 launches: split it, or use --launches N";
        seen.counted = launch.notCounted.empty();
        seen.lined = m_lines != nullptr && m_lineFilter.whyNotCounted(seen.call).empty();
        counted += seen.counted ? 1 : 0;
        m_emit(launch);
    }
    return counted > 0;
}

std::string PassController::whyNotCounted(const SeenLaunch& seen) {
    if (m_options.counterSet != "none" && m_counters == nullptr)
        return "counters are not available here, see the notes";
    return m_filter.whyNotCounted(seen.call);
}

std::uint64_t PassController::kernelId(const LaunchCall& call, const KernelTiming* timing) {
    const auto [entry, isNew] = m_kernelIds.emplace(call.function, m_kernelIds.size());
    if (isNew) {
        Kernel kernel;
        kernel.id = entry->second;
        kernel.mangledName = call.mangledName;
        kernel.name = demangled(call.mangledName);
        kernel.maxThreadsPerBlock = m_context->maxThreadsPerBlock(call.function);
        if (timing != nullptr) {
            kernel.registersPerThread = timing->registersPerThread;
            kernel.staticSharedBytes = timing->staticSharedBytes;
            kernel.localBytesPerThread = timing->localBytesPerThread;
        }
        m_emit(kernel);
    }
    return entry->second;
}

bool PassController::startCounting() {
    std::size_t ranges = 0;
    for (const SeenLaunch& seen : m_launches)
        ranges += seen.counted ? 1 : 0;
    if (const Result<void> configured = m_counters->configure(ranges); !configured) {
        abandonCounting("counters-failed", configured.error().message);
        return false;
    }
    m_pass = 1;
    m_ordinal = 0;
    if (const Result<void> started = m_counters->startPass(); !started) {
        abandonCounting("counters-failed", started.error().message);
        return false;
    }
    m_phase = Phase::Counting;
    m_passStartNs = m_context->nowNs();
    emitProgress("counting", m_pass);
    return true;
}

bool PassController::finishCountingPass() {
    checkLaunchCount();
    const Result<bool> allDone = m_counters->stopPass();
    if (!allDone) {
        abandonCounting("counters-failed", allDone.error().message);
        return false;
    }
    // A broken sequence still has to end its passes, but there is no use in running more of them.
    m_counterPassesDone = *allDone && !m_sequenceBroken;
    if (m_sequenceBroken || *allDone) return false;
    ++m_pass;
    m_ordinal = 0;
    if (const Result<void> started = m_counters->startPass(); !started) {
        abandonCounting("counters-failed", started.error().message);
        return false;
    }
    m_passStartNs = m_context->nowNs();
    emitProgress("counting", m_pass);
    return true;
}

bool PassController::startLines() {
    const bool wanted = std::ranges::any_of(m_launches, &SeenLaunch::lined);
    if (m_lines == nullptr || m_sequenceBroken || !wanted) return false;
    ++m_pass;
    m_ordinal = 0;
    m_phase = Phase::Lines;
    m_passStartNs = m_context->nowNs();
    emitProgress("counting", m_pass);
    return true;
}

void PassController::breakSequence(const std::string& what) {
    m_sequenceBroken = true;
    note("sequence-changed", what + ": counters of this sequence are dropped; the loop body must launch the "
                                    "same each time");
}

void PassController::checkLaunchCount() {
    if (m_ordinal == m_launches.size() || m_sequenceBroken) return;
    breakSequence(fmt::format("pass {} launched {} kernels where the first launched {}", m_pass, m_ordinal,
                              m_launches.size()));
}

bool PassController::continuesSequence(const LaunchCall& call, std::size_t ordinal) const {
    if (ordinal >= m_launches.size()) return false;
    const LaunchCall& first = m_launches[ordinal].call;
    return first.function == call.function && first.grid == call.grid && first.block == call.block;
}

void PassController::finishSequence() {
    m_phase = Phase::Idle;
    m_context->releaseFlushBuffer();
    m_launchesDone += static_cast<std::int64_t>(m_launches.size());
    if (!m_counterPassesDone || m_sequenceBroken || m_counters == nullptr) return;
    auto values = m_counters->decode();
    if (!values) {
        note("counters-failed", values.error().message);
        return;
    }
    for (std::size_t i = 0; i < m_launches.size(); ++i) {
        if (!m_launches[i].counted) continue;
        const auto found = values->find(std::to_string(i));
        if (found == values->end()) {
            note("range-lost", fmt::format("CUPTI returned no counters for launch {} ({})",
                                           m_launches[i].launch.id, m_launches[i].launch.workload));
            continue;
        }
        m_emit(LaunchCounters{m_launches[i].launch.id, std::move(found->second), true});
    }
}

void PassController::launchBegins(const LaunchCall& call) {
    if (m_phase == Phase::Idle) return;
    if (m_phase == Phase::Timing) {
        if (m_options.flushCaches) {
            if (const Result<void> flushed = m_context->flushCaches(); !flushed)
                note("flush-failed", flushed.error().message);
        }
        m_launches.push_back(SeenLaunch{call, {}, false});
        return;
    }
    const std::size_t ordinal = m_ordinal++;
    if (m_sequenceBroken) return;
    if (!continuesSequence(call, ordinal)) {
        breakSequence(fmt::format("launch {} of pass {} is {}, not what the first pass launched there",
                                  ordinal + 1, m_pass, demangled(call.mangledName)));
        return;
    }
    if (m_phase == Phase::Lines) {
        if (!m_launches[ordinal].lined || m_lines == nullptr) return;
        if (const Result<void> begun = m_lines->begin(); begun)
            m_rangeOpen = true;
        else
            abandonLines(begun.error().message);
        return;
    }
    if (!m_launches[ordinal].counted) return;
    if (m_options.flushCaches) {
        if (const Result<void> flushed = m_context->flushCaches(); !flushed)
            note("flush-failed", flushed.error().message);
    }
    if (const Result<void> pushed = m_counters->pushRange(std::to_string(ordinal)); !pushed) {
        m_sequenceBroken = true;
        note("counters-failed", pushed.error().message);
        return;
    }
    m_rangeOpen = true;
}

void PassController::launchEnds() {
    if (!m_rangeOpen) return;
    m_rangeOpen = false;
    if (m_phase == Phase::Lines) {
        Result<std::vector<LineCounts>> lines = m_lines->end();
        if (!lines)
            abandonLines(lines.error().message);
        else
            m_emit(LaunchLines{m_launches[m_ordinal - 1].launch.id, std::move(*lines)});
        return;
    }
    if (const Result<void> popped = m_counters->popRange(); !popped) {
        m_sequenceBroken = true;
        note("counters-failed", popped.error().message);
    }
}

void PassController::rangeEnded(const std::string& path, std::int64_t startNs, std::int64_t endNs) {
    if (m_phase == Phase::Timing) m_emit(NvtxRange{0, path, startNs, endNs});
}

void PassController::note(const std::string& code, const std::string& text) {
    if (m_notesGiven.insert(code + text).second) m_emit(Note{0, code, text});
}

void PassController::abandonCounting(const std::string& code, const std::string& text) {
    note(code, text + ": timing goes on without counters");
    m_counters.reset();
    m_counterPassesDone = false;
    m_pass = 0;
    for (SeenLaunch& seen : m_launches) {
        if (!seen.counted) continue;
        seen.counted = false;
        seen.launch.notCounted = text;
        m_emit(seen.launch);
    }
}

void PassController::abandonLines(const std::string& text) {
    note("lines-failed", "counts per instruction: " + text);
    m_lines.reset();
}

void PassController::emitProgress(const char* phase, int pass) {
    Progress progress;
    progress.phase = phase;
    progress.workload = m_launches.empty() ? std::string() : m_launches.front().call.workload;
    progress.pass = pass;
    progress.passes = (m_counters ? m_counters->passes() : 0) + (m_lines ? 1 : 0);
    progress.launchesDone = m_launchesDone;
    progress.launchesExpected = m_launchesDone + static_cast<std::int64_t>(m_launches.size());
    // Counter passes cost about as long as the undisturbed one plus a fixed start and stop, measured as they
    // go.
    if (pass > 0)
        progress.secondsLeft = 1e-9 * static_cast<double>(m_timingPassNs) * (progress.passes - pass + 1);
    m_emit(progress);
}

} // namespace dormer::instrument
