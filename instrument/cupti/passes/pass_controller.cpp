// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/pass_controller.h"

#include "analysis/metrics/counter_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dormer::instrument::cupti::passes {

using namespace base;

using namespace session;

namespace {

stream::CollectOptions whateverTheSet(stream::CollectOptions options) {
    options.counterSet = metrics::kDefaultCounterSet;
    return options;
}

} // namespace

PassController::PassController(stream::CollectOptions options, std::unique_ptr<TimingBackend> timing,
                               std::unique_ptr<CounterBackend> counters,
                               std::unique_ptr<ContextBackend> context, Emit emit,
                               std::unique_ptr<LineBackend> lines, GraphBackend* graphs)
    : m_options(std::move(options))
    , m_timing(std::move(timing))
    , m_counters(std::move(counters))
    , m_lines(std::move(lines))
    , m_graphs(graphs)
    , m_context(std::move(context))
    , m_emit(std::move(emit))
    , m_filter(m_options)
    , m_lineFilter(whateverTheSet(m_options))
    , m_lineRecords(m_options.sources)
    , m_kernels(m_emit) {}

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

bool PassController::startCounting() {
    if (const Result<void> configured = m_counters->configure(m_countedKernels); !configured) {
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
    const bool wanted = std::ranges::any_of(
        m_calls, [](const SeenCall& seen) { return std::ranges::any_of(seen.kernels, &SeenKernel::lined); });
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
    if (m_ordinal == m_calls.size() || m_sequenceBroken) return;
    breakSequence(fmt::format("pass {} launched {} times where the first launched {} times", m_pass,
                              m_ordinal, m_calls.size()));
}

bool PassController::continuesSequence(const collect::LaunchCall& call, bool graph,
                                       std::size_t ordinal) const {
    if (ordinal >= m_calls.size()) return false;
    if (m_calls[ordinal].graph || graph) // which may be made anew in every pass
        return m_calls[ordinal].graph && graph;
    const collect::LaunchCall& first = m_calls[ordinal].call;
    return first.function == call.function && first.grid == call.grid && first.block == call.block;
}

void PassController::finishSequence() {
    m_phase = Phase::Idle;
    m_context->releaseFlushBuffer();
    m_launchesDone += static_cast<std::int64_t>(m_kernelCount);
    if (!m_counterPassesDone || m_sequenceBroken || m_counters == nullptr) return;
    auto values = m_counters->decode();
    if (!values) {
        note("counters-failed", values.error().message);
        return;
    }
    for (const SeenCall& seen : m_calls) {
        for (const SeenKernel& kernel : seen.kernels) {
            if (!kernel.counted) continue;
            const auto found = values->find(std::to_string(kernel.range));
            if (found == values->end()) {
                note("range-lost", fmt::format("CUPTI returned no counters for launch {} ({})",
                                               kernel.launch.id, kernel.launch.workload));
                continue;
            }
            m_emit(LaunchCounters{kernel.launch.id, std::move(found->second), true});
        }
    }
}

void PassController::flush() {
    m_copiesUnderWay = false; // emptying waits for everything
    if (const Result<void> flushed = m_context->flushCaches(); !flushed)
        note("flush-failed", flushed.error().message);
}

void PassController::openRange(const SeenKernel& kernel) {
    if (m_phase == Phase::Lines) {
        if (!kernel.lined || m_lines == nullptr) return;
        if (const Result<void> begun = m_lines->begin(); begun)
            m_openRange = &kernel;
        else
            abandonLines(begun.error().message);
        return;
    }
    if (!kernel.counted || m_sequenceBroken) return;
    if (m_options.flushCaches) flush();
    if (const Result<void> pushed = m_counters->pushRange(std::to_string(kernel.range)); !pushed) {
        m_sequenceBroken = true;
        note("counters-failed", pushed.error().message);
        return;
    }
    m_openRange = &kernel;
}

void PassController::emitLines(const SeenKernel& kernel, std::vector<LineCounts> lines) {
    CountedLines counted{.lines = std::move(lines), .code = {}, .limitation = m_lines->limitation()};
    if (!counted.lines.empty() && m_lineRecords.needsCode(kernel.launch.kernel))
        counted.code = m_lines->code();
    m_lineRecords.tell(kernel.launch.kernel, kernel.launch.id, std::move(counted), m_emit);
}

void PassController::closeRange() {
    const SeenKernel* kernel = std::exchange(m_openRange, nullptr);
    if (kernel == nullptr) return;
    if (m_phase == Phase::Lines) {
        Result<std::vector<LineCounts>> lines = m_lines->end();
        if (!lines)
            abandonLines(lines.error().message);
        else
            emitLines(*kernel, std::move(*lines));
        return;
    }
    if (const Result<void> popped = m_counters->popRange(); !popped) {
        m_sequenceBroken = true;
        note("counters-failed", popped.error().message);
    }
}

const SeenCall* PassController::nextCall(const collect::LaunchCall& call, bool graph) {
    const std::size_t ordinal = m_ordinal++;
    if (m_sequenceBroken) return nullptr;
    if (continuesSequence(call, graph, ordinal)) return &m_calls[ordinal];
    breakSequence(fmt::format("launch {} of pass {} is {}, not what the first pass launched there",
                              ordinal + 1, m_pass, demangled(call.mangledName)));
    return nullptr;
}

void PassController::launchBegins(const collect::LaunchCall& call) {
    if (m_phase == Phase::Idle) return;
    if (m_phase == Phase::Timing) {
        flushBeforeTimed(call);
        m_calls.push_back({.call = call, .blocksPerSm = blocksPerSm(call)});
        return;
    }
    const SeenCall* seen = nextCall(call, false);
    if (seen != nullptr && !seen->kernels.empty()) openRange(seen->kernels.front());
}

void PassController::launchEnds() {
    closeRange();
}

void PassController::graphBegins(const collect::LaunchCall& call) {
    if (m_phase == Phase::Idle) return;
    if (m_phase == Phase::Timing) {
        flushBeforeTimed(call);
        SeenCall& seen = m_calls.emplace_back(SeenCall{.call = call, .graph = true});
        // Now: the program may destroy the graph before the pass is over.
        if (m_graphs == nullptr)
            seen.cannotCount = "kernels of graphs are only timed here";
        else if (auto steps = m_graphs->steps(call.function))
            seen.steps = std::move(*steps);
        else
            seen.cannotCount = steps.error().message;
        m_transfers.replayed(call.correlationId, {call.workload, call.nvtx, call.run});
        return;
    }
    const SeenCall* seen = nextCall(call, true);
    if (seen == nullptr || !(m_phase == Phase::Counting ? seen->counted() : seen->lined())) return;
    const auto steps = m_graphs->steps(call.function);
    if (!steps || steps->size() != seen->steps.size()) {
        breakSequence(fmt::format("launch {} of pass {} is of a graph of another shape", m_ordinal, m_pass));
        return;
    }
    if (const Result<void> isolated = m_graphs->isolate(call.function); !isolated) {
        m_sequenceBroken = true;
        note("graph-failed", isolated.error().message);
        return;
    }
    m_isolated = call.function;
    runGraphNodes(*seen, call);
}

void PassController::runGraphNodes(const SeenCall& seen, const collect::LaunchCall& call) {
    for (std::size_t step = 0; step < seen.steps.size(); ++step) {
        const auto kernel = std::ranges::find(seen.kernels, step, &SeenKernel::step);
        if (kernel != seen.kernels.end()) openRange(*kernel);
        // A node that is not counted runs all the same: later ones need its results.
        if (const Result<void> ran = m_graphs->runStep(call.function, call.stream, step); !ran) {
            m_sequenceBroken = true;
            note("graph-failed", ran.error().message);
        }
        closeRange();
    }
}

void PassController::graphEnds(const void* executable) {
    if (m_isolated == nullptr || m_isolated != executable) return;
    m_isolated = nullptr;
    if (const Result<void> restored = m_graphs->restore(executable); !restored)
        note("graph-failed", restored.error().message);
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
    for (SeenCall& seen : m_calls) {
        for (SeenKernel& kernel : seen.kernels) {
            if (!kernel.counted) continue;
            kernel.counted = false;
            kernel.launch.notCounted = text;
            m_emit(kernel.launch);
        }
    }
}

void PassController::abandonLines(const std::string& text) {
    note("lines-failed", "counts per instruction: " + text);
    m_lines.reset();
}

void PassController::emitProgress(const char* phase, int pass) {
    Progress progress;
    progress.phase = phase;
    progress.workload = m_calls.empty() ? std::string() : m_calls.front().call.workload;
    progress.pass = pass;
    progress.passes = (m_counters ? m_counters->passes() : 0) + (m_lines ? 1 : 0);
    progress.launchesDone = m_launchesDone;
    progress.launchesExpected = m_launchesDone + static_cast<std::int64_t>(m_kernelCount);
    // Counter passes cost about as long as the undisturbed one plus a fixed start and stop, measured as they
    // go.
    if (pass > 0)
        progress.secondsLeft = 1e-9 * static_cast<double>(m_timingPassNs) * (progress.passes - pass + 1);
    m_emit(progress);
}

} // namespace dormer::instrument::cupti::passes
