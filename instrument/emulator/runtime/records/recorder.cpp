// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/records/recorder.h"

#include "instrument/collect/process_facts.h"
#include "instrument/collect/record_stream.h"
#include "instrument/emulator/runtime/launch_check.h"
#include "instrument/emulator/runtime/records/ptx_code.h"

#include <unistd.h>

#include <algorithm>

namespace dormer::emulator::runtime {

using namespace session;

namespace {

/// Often enough for a person, seldom enough to cost nothing.
constexpr std::int64_t kProgressIntervalNs = 50'000'000;
/// A program that dies loses what it copied in that time.
constexpr std::int64_t kLongestJoinNs = 200'000'000;

} // namespace

Recorder* Recorder::instance() {
    static Recorder* const recorder = []() -> Recorder* {
        std::string launcher = instrument::collect::launcherName();
        if (launcher.empty()) return nullptr;
        // Lives until the process ends.
        auto* stream = new instrument::collect::RecordStream(std::move(launcher));
        std::vector<Note> problems;
        instrument::stream::CollectOptions options = instrument::collect::collectOptions(problems);
        return new Recorder([stream](const Record& record) { stream->write(record); }, std::move(options),
                            std::move(problems));
    }();
    return recorder;
}

Recorder::Recorder(Emit emit, instrument::stream::CollectOptions options, std::vector<Note> problems)
    : m_emit(std::move(emit))
    , m_options(std::move(options))
    , m_problems(std::move(problems))
    , m_nvtx([this](const std::string& path, std::int64_t startNs, std::int64_t endNs) {
        const std::lock_guard lock(m_mutex);
        becomeOwn();
        if (m_began && (m_inPass || m_options.everyLaunch)) m_emit(NvtxRange{0, path, startNs, endNs});
    })
    , m_filter(m_options)
    , m_pid(getpid()) {
    if (m_options.nvtxAllThreads) m_nvtx.followOtherThreads();
}

void Recorder::describe(Device device, std::function<std::vector<std::string>()> counters) {
    const std::lock_guard lock(m_mutex);
    m_device = std::move(device);
    m_counters = std::move(counters);
}

/// A child of fork() is a process of its own: all that its parent told of itself, it has to tell anew.
void Recorder::becomeOwn() {
    if (m_pid == getpid()) return;
    m_pid = getpid();
    m_forked = true;
    m_began = false;
    m_filter = instrument::collect::LaunchFilter(m_options);
    m_nextLaunch = 0;
    m_kernels.clear();
    m_streamEndNs.clear();
    m_notesGiven.clear();
    m_codeGiven.clear();
    m_stalls = {};
    m_lastProgressNs = 0;
    m_joined = {}; // what the parent has not written yet, it will
}

void Recorder::begin() {
    becomeOwn();
    if (m_began) return;
    m_began = true;
    Process process = instrument::collect::describeProcess();
    process.origin = Origin::Emulated;
    process.counterSet = m_options.counterSet;
    if (m_counters) process.counters = m_counters();
    process.passes = m_options.counterSet == "none" ? 0 : 1;
    process.cacheControl = "flush"; // caches are cold at each launch
    m_emit(ProcessStart{process});
    m_emit(m_device);
    if (!m_options.flushCaches)
        m_problems.push_back({0, "cache-control",
                              "the emulator starts every launch with cold caches: --cache keep has "
                              "no effect on it"});
    for (const Note& problem : m_problems)
        m_emit(problem);
}

bool Recorder::nextPass() {
    const std::lock_guard lock(m_mutex);
    begin();
    emitJoined();
    emitStalls();
    m_inPass = !m_inPass;
    return m_inPass;
}

void Recorder::declare(const Record& record) {
    const std::lock_guard lock(m_mutex);
    begin();
    m_emit(record);
}

void Recorder::check(const char* workload, bool passed, const char* detail) {
    const std::lock_guard lock(m_mutex);
    begin();
    m_emit(Check{workload, passed, detail});
}

void Recorder::note(const std::string& code, const std::string& text) {
    const std::lock_guard lock(m_mutex);
    begin();
    if (m_notesGiven.insert(code + text).second) m_emit(Note{0, code, text});
}

instrument::collect::CallSite Recorder::site() const {
    const std::vector<std::string>& workloads = instrument::collect::workloadStack();
    return {workloads.empty() ? std::string() : workloads.back(), m_nvtx.path()};
}

Recorder::Plan Recorder::begins(instrument::collect::LaunchCall call) {
    return begins(std::move(call), site());
}

Recorder::Plan Recorder::begins(instrument::collect::LaunchCall call,
                                const instrument::collect::CallSite& created, std::uint64_t node) {
    Plan plan = begins(std::move(call), instrument::collect::attributed(created, site()));
    plan.graphNode = node;
    return plan;
}

Recorder::Plan Recorder::begins(instrument::collect::LaunchCall call, instrument::collect::CallSite site) {
    Plan plan;
    call.workload = std::move(site.workload);
    call.nvtx = std::move(site.nvtx);
    plan.call = std::move(call);
    const std::lock_guard lock(m_mutex);
    plan.recorded = m_inPass || m_options.everyLaunch;
    if (!plan.recorded) return plan;
    begin();
    plan.notCounted = m_filter.whyNotCounted(plan.call);
    // Timing alone needs the counts too: the prediction is made of them.
    plan.counted = plan.notCounted.empty() || m_options.counterSet == "none";
    plan.startNs = instrument::collect::nowNs();
    emitProgress(plan.call);
    return plan;
}

Launch Recorder::launchOf(const Plan& plan, const program::KernelFacts& facts) {
    const auto [entry, isNew] = m_kernels.emplace(plan.call.function, m_kernels.size());
    if (isNew) {
        session::Kernel kernel = describeKernel(facts);
        kernel.id = entry->second;
        m_emit(kernel);
    }
    Launch launch;
    launch.id = m_nextLaunch++;
    launch.device = m_device.id;
    launch.kernel = entry->second;
    launch.grid = plan.call.grid;
    launch.block = plan.call.block;
    launch.dynamicSharedBytes = plan.call.dynamicSharedBytes;
    launch.workload = plan.call.workload;
    launch.nvtx = plan.call.nvtx;
    launch.startNs = plan.startNs;
    launch.graphNode = plan.graphNode;
    launch.notCounted = plan.notCounted;
    return launch;
}

void Recorder::ends(const Plan& plan, const program::KernelFacts& facts, Ran ran) {
    if (!plan.recorded) return;
    const std::lock_guard lock(m_mutex);
    Launch launch = launchOf(plan, facts);
    launch.stream = ran.stream;
    launch.blocksPerSm = ran.blocksPerSm;
    // A kernel starts when the program launched it, or when its stream is free: emulating takes longer than
    // the predicted duration but for the shortest kernels.
    std::int64_t& streamEndNs = m_streamEndNs[ran.stream];
    launch.startNs = std::max(launch.startNs, streamEndNs);
    if (ran.report) {
        launch.durationNs = ran.report->durationNs;
        launch.durationFactor = ran.report->durationFactor;
        streamEndNs = launch.startNs + static_cast<std::int64_t>(ran.report->durationNs);
    }
    const std::uint64_t id = launch.id, kernel = launch.kernel;
    const bool counted = plan.notCounted.empty() && ran.report.has_value();
    m_emit(std::move(launch));
    // Lines first: a launch is complete when its counters are.
    if (!ran.lines.empty() && m_options.sources)
        for (const Record& record : m_sources.named(ran.lines))
            m_emit(record);
    if (ran.kernel != nullptr && !(ran.lines.empty() && ran.stalls.empty())) emitCode(kernel, *ran.kernel);
    if (!ran.lines.empty()) m_emit(LaunchLines{id, std::move(ran.lines)});
    if (!ran.stalls.empty() && ran.report) {
        m_stalls.add(kernel, ran.stalls, ran.report->durationNs);
        for (session::WarpSamples& samples : m_stalls.due(kernel))
            m_emit(std::move(samples));
    }
    if (counted) m_emit(LaunchCounters{id, std::move(ran.report->counters), true});
}

void Recorder::emitCode(std::uint64_t kernel, const program::Kernel& of) {
    if (!m_codeGiven.insert(kernel).second) return;
    KernelCode code = ptxCode(of);
    code.kernel = kernel;
    if (!code.lines.empty()) m_emit(std::move(code));
}

void Recorder::emitStalls() {
    for (session::WarpSamples& samples : m_stalls.rest())
        m_emit(std::move(samples));
}

void Recorder::failed(const Plan& plan, const program::KernelFacts& facts, const std::string& why) {
    if (!plan.recorded) return;
    const std::lock_guard lock(m_mutex);
    Launch launch = launchOf(plan, facts);
    launch.notCounted = why;
    m_emit(std::move(launch));
}

bool Recorder::joining(std::int64_t nowNs) {
    if (!m_inPass && !m_options.everyLaunch) return false;
    begin();
    const std::uint64_t run = instrument::collect::workloadRun();
    if (run != m_joinedRun || nowNs - m_joinedSinceNs > kLongestJoinNs) emitJoined();
    if (m_joined.empty()) m_joinedSinceNs = nowNs;
    m_joinedRun = run;
    return true;
}

void Recorder::emitJoined() {
    for (const Record& record : m_joined.take())
        m_emit(record);
}

void Recorder::transferred(Transfer transfer, const instrument::collect::CallSite& where) {
    const std::lock_guard lock(m_mutex);
    transfer.startNs = transfer.endNs = instrument::collect::nowNs();
    if (!joining(transfer.startNs)) return;
    transfer.device = m_device.id;
    transfer.workload = where.workload;
    transfer.nvtx = where.nvtx;
    m_joined.add(transfer, m_joinedRun);
}

void Recorder::memoryCalled(MemoryCall call) {
    const instrument::collect::CallSite here = site();
    const std::lock_guard lock(m_mutex);
    call.startNs = instrument::collect::nowNs();
    if (!joining(call.startNs)) return;
    call.workload = here.workload;
    call.nvtx = here.nvtx;
    m_joined.add(call, m_joinedRun);
}

void Recorder::programEnds() {
    // Before the lock: another thread may have held it at the fork.
    if (getpid() != m_pid) return;
    const std::lock_guard lock(m_mutex);
    if (m_forked && !m_began) return;
    begin();
    emitJoined();
    emitStalls();
}

void Recorder::emitProgress(const instrument::collect::LaunchCall& call) {
    const std::int64_t now = instrument::collect::nowNs();
    if (now - m_lastProgressNs < kProgressIntervalNs) return;
    m_lastProgressNs = now;
    Progress progress;
    progress.phase = "emulating";
    progress.workload = call.workload.empty() ? base::demangled(call.mangledName) : call.workload;
    progress.launchesDone = static_cast<std::int64_t>(m_nextLaunch);
    m_emit(progress);
}

} // namespace dormer::emulator::runtime
