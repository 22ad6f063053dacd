// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/collector.h"

#include "instrument/collect/process_facts.h"
#include "instrument/cupti/activity/activity_timing.h"
#include "instrument/cupti/counting/range_profiler.h"
#include "instrument/cupti/cuda_context.h"
#include "instrument/cupti/graph_registry.h"
#include "instrument/cupti/host/cupti_error.h"
#include "instrument/cupti/lines/sass_metrics.h"

#include "analysis/metrics/counter_sets.h"

#include <cuda.h>
#include <fmt/format.h>

namespace dormer::instrument::cupti {

using namespace metrics;

using namespace session;

Collector* Collector::instance() {
    static Collector* const collector = []() -> Collector* {
        std::string launcher = collect::launcherName();
        return launcher.empty() ? nullptr : new Collector(std::move(launcher));
    }();
    return collector;
}

Collector::Collector(std::string launcher)
    : m_stream(std::move(launcher))
    , m_nvtx([this](const std::string& path, std::int64_t startNs, std::int64_t endNs) {
        if (m_profile) return m_profile->rangeEnded(path, startNs, endNs);
        const std::lock_guard lock(m_mutex);
        if (m_passes) m_passes->rangeEnded(path, startNs, endNs);
    }) {
    std::vector<Note> problems;
    const stream::CollectOptions options = collect::collectOptions(problems);
    if (options.nvtxAllThreads) m_nvtx.followOtherThreads();
    if (!options.everyLaunch) return; // begin() reads them again, and tells
    m_profile = std::make_unique<ProgramProfile>(options, m_stream, std::move(problems));
}

void Collector::note(const std::string& code, const std::string& text) {
    m_stream.write(Note{0, code, text});
}

/// The program's first word to us, a pass or an expectation: it has its context now, so devices and counters
/// can be requested, and the stream gets its first line.
void Collector::begin() {
    if (m_began) return;
    m_began = true;
    Process process = collect::describeProcess();
    process.origin = Origin::Measured;

    std::vector<Note> problems;
    m_options = collect::collectOptions(problems);
    process.counterSet = m_options.counterSet;
    process.cacheControl = m_options.flushCaches ? "flush" : "keep";

    CUcontext context = nullptr;
    CUdevice handle = 0;
    if (cuCtxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr ||
        cuCtxGetDevice(&handle) != CUDA_SUCCESS) {
        m_stream.write(ProcessStart{process});
        note("no-context",
             "the program's first pass began before it used CUDA: call cudaFree(0) before the pass loop");
        return;
    }
    m_options.device = handle;
    Device device;
    std::unique_ptr<passes::CounterBackend> counters;
    std::unique_ptr<passes::LineBackend> lines;
    try {
        device = describeDevice(handle);
        if (m_options.counterSet != "none") {
            const CounterSet set = findCounterSet(m_options.counterSet).value();
            Result<std::unique_ptr<RangeProfiler>> opened = RangeProfiler::create(context, device.chip, set);
            if (opened) {
                process.passes = (*opened)->passes();
                process.counters = (*opened)->plan().names;
                for (const std::string& missing : (*opened)->plan().missing)
                    problems.push_back(
                        {0, "counter-missing",
                         fmt::format("{} does not offer {}: what needs it is absent", device.chip, missing)});
                counters = std::move(*opened);
            } else {
                const bool permission = opened.error().message.starts_with("no permission");
                problems.push_back(
                    {0, permission ? "no-permission" : "counters-unavailable",
                     opened.error().message + "; durations and occupancy are still collected"});
            }
        }
        if (m_options.lines) {
            auto opened = SassMetrics::create(context, handle, device.chip, counters != nullptr);
            if (opened)
                lines = std::move(*opened);
            else
                problems.push_back(
                    {0, "lines-unavailable",
                     "counts per instruction are not available here: " + opened.error().message});
        }
    } catch (const host::CallError& error) {
        problems.push_back({0, "no-device", error.what()});
    }
    m_stream.write(ProcessStart{process});
    m_stream.write(device);
    for (const Note& problem : problems)
        m_stream.write(problem);
    m_passes = std::make_unique<passes::PassController>(
        m_options, std::make_unique<activity::ActivityTiming>(), std::move(counters),
        std::make_unique<CudaContext>(context, device.l2Bytes),
        [this](const Record& record) { m_stream.write(record); }, std::move(lines),
        &GraphRegistry::instance());
}

Collector::Modules Collector::wantedModules() {
    std::vector<Note> told; // begin() tells of bad options
    const stream::CollectOptions options = collect::collectOptions(told);
    if (options.lines || options.stalls) return Modules::Kept;
    return profile::countsLaunches(options) ? Modules::LookedAt : Modules::Ignored;
}

bool Collector::nextPass() {
    const std::lock_guard lock(m_mutex);
    if (!m_profile) begin();
    if (m_passes) return m_passes->nextPass();
    // Profiled as it runs, or no context: the body runs once, as it would without us.
    static bool again = false;
    again = !again;
    return again;
}

namespace {
/// Starts of the workloads the calling thread is in.
std::vector<std::int64_t>& workloadStarts() {
    thread_local std::vector<std::int64_t> starts;
    return starts;
}
} // namespace

void Collector::pushWorkload(const char* name) {
    collect::enterWorkload(name);
    workloadStarts().push_back(collect::nowNs());
}

void Collector::popWorkload() {
    if (!workloadStarts().empty()) {
        const std::int64_t startNs = workloadStarts().back();
        workloadStarts().pop_back();
        const passes::Place ended = place();
        const std::lock_guard lock(m_mutex);
        if (m_passes) m_passes->workloadRan(ended, startNs, collect::nowNs());
    }
    collect::leaveWorkload();
}

const passes::Place& Collector::placeNow() const {
    struct Kept {
        std::uint64_t version = ~std::uint64_t{0}, run = 0;
        passes::Place place;
    };
    thread_local Kept kept;
    const std::uint64_t version = m_nvtx.version(), run = collect::workloadRun();
    if (kept.version != version || kept.run != run) kept = {version, run, place()};
    return kept.place;
}

passes::Place Collector::place() const {
    return {collect::currentWorkload(), m_nvtx.path(), collect::workloadRun()};
}

void Collector::locate(collect::LaunchCall& call) const {
    passes::Place here = place();
    call.workload = std::move(here.workload);
    call.nvtx = std::move(here.nvtx);
    call.run = here.run;
}

void Collector::declare(const Record& record) {
    if (m_profile) return m_profile->declare(record);
    const std::lock_guard lock(m_mutex);
    begin();
    m_stream.write(record);
}

void Collector::check(const char* workload, bool passed, const char* detail) {
    declare(Check{workload, passed, detail});
}

void Collector::launchBegins(collect::LaunchCall call) {
    locate(call);
    const std::lock_guard lock(m_mutex);
    if (m_passes) m_passes->launchBegins(call);
}

void Collector::launchEnds() {
    const std::lock_guard lock(m_mutex);
    if (m_passes) m_passes->launchEnds();
}

void Collector::graphBegins(collect::LaunchCall call) {
    locate(call);
    const std::lock_guard lock(m_mutex);
    if (m_passes) m_passes->graphBegins(call);
}

void Collector::graphEnds(const void* executable) {
    const std::lock_guard lock(m_mutex);
    if (m_passes) m_passes->graphEnds(executable);
}

void Collector::memoryCalled(passes::MemoryApiCall call) {
    if (m_profile) {
        call.place = placeNow();
        return m_profile->memoryCalled(call);
    }
    {
        const std::lock_guard lock(m_mutex);
        if (!m_passes || !m_passes->undisturbed()) return;
    }
    call.place = place();
    const std::lock_guard lock(m_mutex);
    m_passes->memoryCalled(call);
}

} // namespace dormer::instrument::cupti
