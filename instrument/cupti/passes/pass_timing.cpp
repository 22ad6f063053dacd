// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The pass controller's undisturbed pass: from calls seen and times told to launches and transfers.

#include "instrument/cupti/passes/pass_controller.h"

#include "instrument/collect/call_site.h"

#include <algorithm>
#include <unordered_map>

namespace dormer::instrument::cupti::passes {

using namespace base;

using namespace session;

namespace {

/// CUPTI refuses counter images of much more than 2000 ranges.
constexpr std::size_t kMaxRangesPerSequence = 2000;

} // namespace

/// Times of kernels by the call that launched them.
class PassController::KernelTimings {
public:
    explicit KernelTimings(const std::vector<KernelTiming>& timings) {
        for (const KernelTiming& timing : timings) {
            if (timing.graphNode == 0)
                m_launched.emplace(timing.correlationId, &timing);
            else
                m_replayed[timing.correlationId].push_back(&timing);
        }
        for (auto& [call, kernels] : m_replayed)
            std::ranges::sort(kernels, {}, &KernelTiming::startNs);
    }
    /// Of a plain launch; null when CUPTI told none.
    [[nodiscard]] const KernelTiming* of(const collect::LaunchCall& call) const {
        const auto found = m_launched.find(call.correlationId);
        return found != m_launched.end() ? found->second : nullptr;
    }
    /// Of a graph's launch, in the order they started.
    [[nodiscard]] std::vector<const KernelTiming*> ofGraph(const collect::LaunchCall& call) const {
        const auto found = m_replayed.find(call.correlationId);
        return found != m_replayed.end() ? found->second : std::vector<const KernelTiming*>{};
    }

private:
    std::unordered_map<std::uint32_t, const KernelTiming*> m_launched;
    std::unordered_map<std::uint32_t, std::vector<const KernelTiming*>> m_replayed;
};

void PassController::startTiming() {
    m_calls.clear();
    m_transfers.clear();
    m_ordinal = 0;
    m_kernelCount = 0;
    m_countedKernels = 0;
    m_copiesUnderWay = false;
    m_sequenceBroken = false;
    m_pass = 0;
    m_counterPassesDone = false;
    if (const Result<void> started = m_timing->start(); !started)
        note("timing-failed", started.error().message);
    if (const std::string limitation = m_timing->limitation(); !limitation.empty())
        note("transfers-incomplete", limitation);
    m_passStartNs = m_context->nowNs();
    m_phase = Phase::Timing;
    emitProgress("timing", 0);
}

bool PassController::finishTiming() {
    m_timingPassNs = m_context->nowNs() - m_passStartNs;
    Result<Timings> timings = m_timing->stop();
    if (!timings) {
        note("timing-failed", timings.error().message);
        timings = Timings{};
    }
    const KernelTimings kernels(timings->kernels);
    for (SeenCall& seen : m_calls) {
        if (seen.graph)
            describeGraph(seen, kernels);
        else
            describeLaunch(seen, kernels);
    }
    emitTransfers(std::move(timings->transfers));
    return m_countedKernels > 0;
}

void PassController::flushBeforeTimed(const collect::LaunchCall& call) {
    if (!m_options.flushCaches) return;
    if (m_copiesUnderWay && m_context->busy(call.stream)) {
        note("cache-kept", "a launch after a copy that is still under way is timed with the caches as they "
                           "are: emptying them would wait for the copy and undo the program's overlap");
        return;
    }
    flush();
}

void PassController::memoryCalled(const MemoryApiCall& call) {
    if (m_phase != Phase::Timing) return;
    if (call.function.kind == ApiCall::Kind::Copy && call.function.name.ends_with("Async"))
        m_copiesUnderWay = true;
    m_transfers.called(call);
}

void PassController::workloadRan(const Place& place, std::int64_t startNs, std::int64_t endNs) {
    if (m_phase == Phase::Timing) m_transfers.workloadRan(place, startNs, endNs);
}

void PassController::describeLaunch(SeenCall& seen, const KernelTimings& timings) {
    SeenKernel& kernel = seen.kernels.emplace_back();
    kernel.launch.blocksPerSm = seen.blocksPerSm;
    emitLaunch(kernel, seen.call, timings.of(seen.call), {});
}

void PassController::describeGraph(SeenCall& seen, const KernelTimings& timings) {
    const Place replay{seen.call.workload, seen.call.nvtx, seen.call.run};
    for (const KernelTiming* timing : timings.ofGraph(seen.call)) {
        collect::LaunchCall call;
        call.mangledName = timing->mangledName;
        call.grid = timing->grid;
        call.block = timing->block;
        call.dynamicSharedBytes = timing->dynamicSharedBytes;
        const Place place = placeOfNode(replay, timing->graphNode);
        call.workload = place.workload;
        call.nvtx = place.nvtx;
        call.run = place.run;
        SeenKernel& kernel = seen.kernels.emplace_back();
        kernel.launch.graphNode = timing->graphNode;
        std::string why = seen.cannotCount;
        if (m_graphs != nullptr) {
            const GraphBackend::NodeFacts facts = m_graphs->node(timing->graphNode);
            // The program may have given the node another kernel since.
            if (facts.mangledName == timing->mangledName) call.function = facts.function;
            const auto step = stepOf(seen, timing->graphNode);
            if (step)
                kernel.step = *step;
            else if (why.empty())
                why = "its node is not one of the graph's that was made executable";
        }
        kernel.launch.blocksPerSm = blocksPerSm(call);
        emitLaunch(kernel, call, timing, why);
    }
}

std::optional<std::size_t> PassController::stepOf(const SeenCall& seen, std::uint64_t node) {
    // The GPU's records name the node of the executable graph, steps the one that it was copied from.
    for (; node != 0; node = m_graphs->originalOf(node)) {
        const auto found = std::ranges::find(seen.steps, node);
        if (found != seen.steps.end()) return static_cast<std::size_t>(found - seen.steps.begin());
    }
    return std::nullopt;
}

Place PassController::placeOfNode(const Place& replay, std::uint64_t node) {
    if (m_graphs == nullptr) return replay;
    const GraphBackend::NodeFacts facts = m_graphs->node(node);
    collect::CallSite whose =
        collect::attributed({facts.workload, facts.nvtx}, {replay.workload, replay.nvtx});
    return {std::move(whose.workload), std::move(whose.nvtx), replay.run};
}

/// By the function's attributes of now: a program may change its carveout from launch to launch.
std::optional<std::uint32_t> PassController::blocksPerSm(const collect::LaunchCall& call) {
    if (call.function == nullptr) return std::nullopt;
    return m_context->blocksPerSm(call.function, static_cast<std::uint32_t>(call.block.count()),
                                  call.dynamicSharedBytes);
}

void PassController::emitLaunch(SeenKernel& kernel, const collect::LaunchCall& call,
                                const KernelTiming* timing, const std::string& cannotCount) {
    Launch& launch = kernel.launch;
    launch.id = m_nextLaunchId++;
    launch.kernel = m_kernels.number(call.function, call.mangledName, timing, [&] {
        return call.function != nullptr ? m_context->functionFacts(call.function) : FunctionFacts{};
    });
    launch.grid = call.grid;
    launch.block = call.block;
    launch.dynamicSharedBytes = call.dynamicSharedBytes;
    launch.workload = call.workload;
    launch.nvtx = call.nvtx;
    launch.device = m_options.device;
    if (timing != nullptr) {
        launch.device = timing->device;
        launch.stream = timing->stream;
        launch.startNs = timing->startNs;
        launch.durationNs = static_cast<double>(timing->endNs - timing->startNs);
        m_transfers.kernelRan({call.workload, call.nvtx, call.run}, timing->startNs, timing->endNs);
    }
    launch.notCounted = cannotCount.empty() ? whyNotCounted(call) : cannotCount;
    if (launch.notCounted.empty() && m_countedKernels == kMaxRangesPerSequence)
        launch.notCounted = "one pass loop can count 2000 launches: split it, or use --launches N";
    kernel.counted = launch.notCounted.empty();
    kernel.lined = m_lines != nullptr && cannotCount.empty() && m_lineFilter.whyNotCounted(call).empty();
    kernel.range = m_kernelCount++;
    m_countedKernels += kernel.counted ? 1 : 0;
    m_emit(launch);
}

std::string PassController::whyNotCounted(const collect::LaunchCall& call) {
    if (m_options.counterSet != "none" && m_counters == nullptr)
        return "counters are not available here, see the notes";
    return m_filter.whyNotCounted(call);
}

void PassController::emitTransfers(std::vector<TransferTiming> transfers) {
    const auto placeOf = [this](const Place& replay, std::uint64_t node) {
        return placeOfNode(replay, node);
    };
    for (const Record& record : m_transfers.records(std::move(transfers), placeOf))
        m_emit(record);
}

} // namespace dormer::instrument::cupti::passes
