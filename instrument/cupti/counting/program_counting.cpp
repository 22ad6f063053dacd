// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/counting/program_counting.h"

#include "instrument/collect/process_facts.h"
#include "instrument/cupti/activity/activity_buffers.h"
#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/counting/printing_kernels.h"
#include "instrument/cupti/counting/range_profiler.h"
#include "instrument/cupti/counting/running_kernel.h"
#include "instrument/cupti/counting/untraced_counters.h"
#include "instrument/cupti/cuda_context.h"
#include "instrument/cupti/host/cupti_error.h"
#include "instrument/cupti/lines/checkpoint.h"
#include "instrument/cupti/passes/shared_memory_backend.h"

#include "analysis/base/demangle.h"
#include "analysis/metrics/counter_sets.h"

#include <cuda.h>
#include <cupti.h>
#include <fmt/format.h>

#include <utility>

namespace dormer::instrument::cupti {

using namespace session;
using Look = profile::ProgramLog::Look;

namespace {

constexpr std::uint64_t kMostUnflushed = 100'000;
constexpr std::int64_t kShortWaitNs = 5'000'000, kLongestWaitNs = 1'000'000'000;
/// What is under way may wait for this launch; one whose lines are wanted may wait for others.
constexpr std::int64_t kPatienceNs = 2'000'000'000;

/// What the calling thread's launch holds while it is in the driver.
struct Within {
    enum class Hold { None, Shared, Alone } hold = Hold::None;
    bool counted = false, lined = false;
    std::int32_t device = 0;
    std::int64_t beganNs = 0;
};
thread_local Within within;

CUcontext currentContext() {
    const activity::OwnCalls ours;
    CUcontext context = nullptr;
    return cuCtxGetCurrent(&context) == CUDA_SUCCESS ? context : nullptr;
}

/// As activity records number it.
std::uint32_t streamNumber(const void* stream) {
    const activity::OwnCalls ours;
    std::uint32_t number = 0;
    auto* const handle = static_cast<CUstream>(const_cast<void*>(stream));
    const std::uint8_t perThread = handle == CU_STREAM_PER_THREAD ? 1 : 0;
    return cuptiGetStreamIdEx(nullptr, handle, perThread, &number) == CUPTI_SUCCESS ? number : 0;
}

} // namespace

bool ProgramCounting::counts() const {
    return profile::countsLaunches(m_options);
}

ProgramCounting::Counters& ProgramCounting::countersOf(std::int32_t device) {
    const auto [at, isNew] = m_counters.try_emplace(device);
    Counters& counters = at->second;
    if (!isNew) return counters;
    counters.context = currentContext();
    counters.running = std::make_unique<RunningKernel>(counters.context);
    if (m_options.lines || m_options.replay != stream::Replay::None) {
        if (auto memory = Checkpoint::create(counters.context)) {
            counters.memory = std::move(*memory);
            counters.shared = std::make_unique<passes::SharedMemoryBackend>(*counters.memory);
        } else {
            counters.memoryProblem = memory.error().message;
        }
    }
    if (counts() && counters.context != nullptr) startCounting(device, counters);
    if (!m_options.lines) return counters;
    auto lines = counters.shared != nullptr
                     ? LineReplay::create(device, counters.profiler != nullptr, *counters.shared)
                     : failure(ErrorKind::Device, counters.memoryProblem);
    if (lines)
        counters.lines = std::move(*lines);
    else
        counters.lineProblem = lines.error().message;
    return counters;
}

void ProgramCounting::startCounting(std::int32_t device, Counters& counters) {
    const auto set = metrics::findCounterSet(m_options.counterSet);
    if (!set) return;
    std::string chip;
    try {
        awaitProfilerInitialization();
        chip = describeDevice(device).chip;
    } catch (const host::CallError& error) {
        m_host.emit(Note{0, "counters-failed", error.what()});
        return;
    }
    auto profiler = RangeProfiler::create(counters.context, chip, *set);
    if (!profiler) {
        m_host.emit(Note{0, "counters-failed", profiler.error().message + "; launches are still timed"});
        return;
    }
    for (const std::string& missing : (*profiler)->plan().missing)
        m_host.emit(
            Note{0, "counter-missing", "the chip does not offer " + missing + ": what needs it is absent"});
    counters.profiler = std::move(*profiler);
    counters.untraced = std::make_unique<UntracedCounters>(*counters.profiler);
    if (m_options.replay != stream::Replay::None && counters.shared == nullptr)
        m_host.emit(Note{0, "not-replayed", counters.memoryProblem + ": no launch is replayed"});
    counters.counting = std::make_unique<passes::LaunchCounting>(
        passes::LaunchCounting::Options{.replay = m_options.replay,
                                        .launches = m_options.launches,
                                        .budgetSeconds = m_options.budgetSeconds,
                                        .beganNs = collect::nowNs() - collect::processAgeNs()},
        passes::LaunchCounting::Host{
            .counters = *counters.untraced,
            .memory = m_options.replay != stream::Replay::None ? counters.shared.get() : nullptr,
            .running = *counters.running,
            .nowNs = [] { return collect::nowNs(); },
            .quiet = [this] { flushWhereQuiet(); },
            // What the program launches while it runs is timed.
            .launched =
                [this] {
                    if (const auto timed = activity::setKernelActivity(true); !timed)
                        m_host.emit(Note{0, "timing-failed", timed.error().message});
                },
            .takesNs = [this](std::uint32_t group) { return m_host.log.takesNs(group); },
            .counted =
                [this](std::uint32_t group, std::map<std::string, double> values) {
                    m_host.log.groupCounted(group, std::move(values));
                },
            .note =
                [this](const std::string& code, const std::string& text) {
                    m_host.emit(Note{0, code, text});
                }});
}

bool ProgramCounting::isDue(std::int32_t device, std::uint32_t group) const {
    const auto counters = m_counters.find(device);
    if (counters == m_counters.end()) return true;
    if (counters->second.counting == nullptr) return false;
    counters->second.counting->saw();
    return counters->second.counting->due(group);
}

void ProgramCounting::flushWhereQuiet() {
    m_unflushed = 0;
    // Of two devices one may be busy.
    if (m_counters.size() == 1) m_host.flush();
}

void ProgramCounting::waited() {
    const std::unique_lock alone(m_alone, std::try_to_lock);
    if (!alone || m_counters.empty()) return;
    if (m_counters.begin()->second.running->idle(kShortWaitNs)) flushWhereQuiet();
}

Result<void> ProgramCounting::beginLines(const profile::SeenLaunch& launch) {
    const Counters& counters = countersOf(launch.device);
    if (counters.lines == nullptr) return failure(ErrorKind::Device, counters.lineProblem);
    if (launch.mangledName != nullptr && PrintingKernels::instance().has(launch.mangledName))
        return failure(ErrorKind::Device, base::demangled(launch.mangledName) +
                                              " prints: it is not run once more, as it would print twice");
    if ((counters.counting != nullptr && !counters.counting->interrupt()) ||
        !counters.running->idle(kPatienceNs))
        return failure(ErrorKind::Device, "a kernel that may wait for this launch is still running");
    return counters.lines->begin();
}

void ProgramCounting::endLines(std::uint32_t correlationId, bool failed, bool ended, std::int64_t ownNs,
                               const Again& again) {
    LineReplay& lines = *m_counters.at(within.device).lines;
    if (failed) return lines.abandon();
    const bool tooLong =
        m_options.replay != stream::Replay::Kernel && ownNs > passes::LaunchCounting::kLongestPatchedNs;
    if (!ended || tooLong) {
        lines.abandon();
        return m_host.log.lined(
            correlationId,
            failure(
                ErrorKind::Device,
                ended ? fmt::format("a launch took {:.1f} s: patched, it would take up to 270 times as long "
                                    "(--replay kernel does so)",
                                    static_cast<double>(ownNs) * 1e-9)
                      : "a launch did not end in 2 s: it may wait for what follows it"));
    }
    m_host.log.lined(correlationId, lines.finish([&] {
        const activity::OwnCalls ours;
        return again();
    }));
}

bool ProgramCounting::beginCounting(profile::SeenLaunch launch, const void* stream, std::uint32_t group) {
    using Way = passes::LaunchCounting::Way;
    const Counters& counters = countersOf(launch.device);
    if (counters.counting == nullptr) return false;
    if (m_unflushed >= kMostUnflushed && counters.running->idle(kLongestWaitNs)) flushWhereQuiet();
    if (launch.mangledName != nullptr && PrintingKernels::instance().has(launch.mangledName))
        counters.counting->neverReplay(group);
    const Way way = counters.counting->begin(group);
    if (way == Way::Not) return false;
    launch.stream = streamNumber(stream);
    m_host.log.looksAt(launch, way == Way::Replayed ? Look::Replay : Look::Pass);
    return true;
}

void ProgramCounting::endCounting(std::uint32_t correlationId, bool failed, const void* stream,
                                  const Again& again) {
    auto values = m_counters.at(within.device).counting->end(stream, !failed, [&] {
        const activity::OwnCalls ours;
        return again();
    });
    if (values)
        m_host.log.counted(correlationId, std::move(*values));
    else
        m_host.log.letGo(correlationId);
}

void ProgramCounting::launchBegins(profile::SeenLaunch launch, const void* stream,
                                   const profile::ProgramLog::Choice& choice) {
    if (!choice.lines) {
        m_alone.lock_shared();
        if (!choice.count || (!isDue(launch.device, choice.group) && ++m_unflushed < kMostUnflushed)) {
            within = {.hold = Within::Hold::Shared};
            return;
        }
        m_alone.unlock_shared();
    }
    m_alone.lock();
    within = {.hold = Within::Hold::Alone, .device = launch.device};
    if (choice.lines) {
        m_host.log.looksAt(launch, Look::Lines);
        const Result<void> begun = beginLines(launch);
        within.lined = begun.has_value();
        if (!begun) m_host.log.lined(launch.correlationId, std::unexpected(begun.error()));
    }
    within.counted = choice.count && beginCounting(launch, stream, choice.group);
    within.beganNs = collect::nowNs();
}

void ProgramCounting::launchEnds(std::uint32_t correlationId, bool failed, const void* stream,
                                 const Again& again) {
    const Within was = within;
    bool ended = true;
    if (was.lined && !failed) {
        passes::RunningBackend& running = *m_counters.at(was.device).running;
        running.launched(stream);
        ended = running.ended(kPatienceNs);
    }
    const std::int64_t ownNs = collect::nowNs() - was.beganNs;
    if (was.counted) endCounting(correlationId, failed, stream, again);
    if (was.lined) endLines(correlationId, failed, ended, ownNs, again);
    within = {};
    if (was.hold == Within::Hold::Shared)
        m_alone.unlock_shared();
    else if (was.hold == Within::Hold::Alone)
        m_alone.unlock();
}

void ProgramCounting::contextEnds(CUctx_st* context) {
    const std::unique_lock alone(m_alone);
    std::erase_if(m_counters, [&](auto& each) {
        if (each.second.context != context) return false;
        if (each.second.counting != nullptr) each.second.counting->finish();
        return true;
    });
}

void ProgramCounting::finish() {
    for (auto& [device, counters] : m_counters)
        if (counters.counting != nullptr) counters.counting->finish();
}

} // namespace dormer::instrument::cupti
