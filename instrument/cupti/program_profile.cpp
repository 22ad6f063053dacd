// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/program_profile.h"

#include "instrument/collect/process_facts.h"
#include "instrument/cupti/activity/activity_buffers.h"
#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/counting/range_profiler.h"
#include "instrument/cupti/graph_registry.h"
#include "instrument/cupti/host/cupti_error.h"
#include "instrument/cupti/pm_sampler.h"

#include <cuda.h>
#include <fmt/format.h>

#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <unordered_set>
#include <utility>

namespace dormer::instrument::cupti {

using namespace session;

namespace {

/// Some two hundred launches: they arrive soon, and CUPTI asks for no more than a few buffers a second. Where
/// launches are counted a buffer must not fill up while they run, so it has room for 200,000.
constexpr std::size_t kBufferBytes = std::size_t{1} << 15, kBufferBytesOfCounting = std::size_t{1} << 25;
constexpr std::chrono::milliseconds kFlushEvery{50};
/// A program that ends by _exit() or abort() loses what was not asked for. So it is asked for each time the
/// program has waited for the GPU, but not so often that it costs a program more than a hundredth.
constexpr std::int64_t kFlushApartNs = 2'000'000, kFlushShare = 100;
constexpr std::chrono::milliseconds kFlushWait{2};
constexpr std::int32_t kMostDevices = 64;

ProgramProfile* theProfile = nullptr;

/// When the calling thread's last call returned, if it was one that waited for the GPU; else 0.
thread_local std::int64_t waitedUntilNs = 0;

/// Of a core that the calling thread has used: without what it waited for CUPTI, which is busy for 0.3 s
/// while sampling is set up.
std::int64_t threadTimeNs() {
    timespec used = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * std::int64_t{1'000'000'000} + used.tv_nsec;
}

/// exit() destroys what belongs to its thread before all else: before the statics of CUPTI's libraries that
/// were made after our own handler was registered, which a sampler that is still setting up would miss.
struct MainThread {
    ~MainThread() {
        if (theProfile != nullptr) theProfile->stopSampling();
    }
    /// Does nothing on other threads, which end while the program goes on.
    static void watch() {
        static thread_local const bool isMain = gettid() == getpid();
        if (isMain) static thread_local const MainThread kWatched;
    }
};

} // namespace

ProgramProfile::ProgramProfile(stream::CollectOptions options, collect::RecordStream& stream,
                               std::vector<Note> problems)
    : m_options(std::move(options))
    , m_stream(stream)
    , m_problems(std::move(problems))
    , m_context(std::make_unique<CudaContext>(nullptr, 0))
    , m_log(
          m_options, *m_context, &GraphRegistry::instance(),
          [this](const Record& record) { m_stream.write(record); },
          [this](std::int32_t device, std::int64_t durationNs) {
              const std::lock_guard lock(m_mutex);
              if (const auto sampler = m_samplers.find(device); sampler != m_samplers.end())
                  sampler->second->launchRan(durationNs);
          })
    , m_counting(m_options, {.log = m_log,
                             .emit = [this](const Record& record) { m_stream.write(record); },
                             .flush = [this] { flush(kFlushApartNs); }}) {
    if (m_options.stalls)
        m_stalls = std::make_unique<StallProfile>(StallProfile::Host{
            .emit = [this](const Record& record) { m_stream.write(record); },
            .kernel = [this](const std::string& mangledName) { return m_log.kernelNamed(mangledName); },
            .nowNs = [] { return collect::nowNs(); },
            .sources = m_options.sources});
}

std::int32_t ProgramProfile::currentDevice() {
    const activity::OwnCalls ours;
    CUdevice device = 0;
    return cuCtxGetDevice(&device) == CUDA_SUCCESS ? device : 0;
}

void ProgramProfile::begin() {
    Process process = collect::describeProcess();
    process.origin = Origin::Measured;
    process.counterSet = m_options.counterSet;
    process.cacheControl = "keep"; // nothing is done to them
    process.bySignature = m_options.counterSet != "none";
    if (m_options.counterSet == stream::kSampledSet)
        process.intervalNs = static_cast<std::int32_t>(sampling::kShortestIntervalNs);
    m_stream.write(ProcessStart{process});
    for (const Note& problem : m_problems)
        m_stream.write(problem);
    const activity::OwnCalls ours;
    std::vector<Device> devices;
    int count = 0;
    if (cuDeviceGetCount(&count) != CUDA_SUCCESS) count = 0;
    for (int ordinal = 0; ordinal < std::min(count, kMostDevices); ++ordinal) {
        try {
            devices.push_back(describeDevice(ordinal));
        } catch (const host::CallError& error) {
            m_stream.write(Note{0, "no-device", error.what()});
        }
    }
    m_log.setDevices(std::move(devices));
    const Result<void> started =
        activity::startActivity([this](passes::Timings timings) { m_log.ran(std::move(timings)); },
                                m_counting.counts() ? kBufferBytesOfCounting : kBufferBytes);
    if (!started) m_stream.write(Note{0, "timing-failed", started.error().message});
    if (const std::string limitation = activity::activityLimitation(); !limitation.empty())
        m_stream.write(Note{0, "transfers-incomplete", limitation});
    const std::lock_guard lock(m_earlyMutex);
    for (const Record& record : std::exchange(m_early, {}))
        m_stream.write(record);
    m_told = true;
}

void ProgramProfile::run() {
    MainThread::watch();
    contextCreated(); // unless it was made before we were there
    std::call_once(m_running, [this] {
        // CUDA's own teardown was registered when it came up: ours runs before it.
        theProfile = this;
        std::atexit([] { theProfile->end(); });
        m_flusher = std::thread([this] {
            const activity::OwnCalls own;
            while (!m_over) {
                std::this_thread::sleep_for(kFlushEvery);
                if (!m_counting.counts()) flush(0);
                if (m_stalls != nullptr) m_stalls->tick();
            }
        });
    });
}

bool ProgramProfile::flushDue(std::int64_t apartNs) const {
    return collect::nowNs() - m_flushedNs >= std::max<std::int64_t>(apartNs, kFlushShare * m_flushCostNs);
}

void ProgramProfile::flush(std::int64_t apartNs) {
    // Someone may be at it, who began before what the caller wants to be told had ended.
    const std::unique_lock lock(m_flushMutex, kFlushWait);
    if (!lock || !flushDue(apartNs)) return;
    const std::int64_t beginNs = threadTimeNs();
    (void)activity::flushActivity(false); // what fails here fails at the end, which tells
    m_flushedNs = collect::nowNs();
    m_flushCostNs = threadTimeNs() - beginNs;
}

void ProgramProfile::waited(bool context) {
    if (m_over || theProfile != this) return;
    waitedUntilNs = collect::nowNs();
    if (!m_counting.counts()) return flush(kFlushApartNs);
    if (context && flushDue(kFlushApartNs)) m_counting.waited(); // being quiet takes a thread to find out
}

void ProgramProfile::sample(std::int32_t device) {
    if (m_options.counterSet != stream::kSampledSet || device >= kMostDevices) return;
    const std::uint64_t bit = std::uint64_t{1} << device;
    if ((m_sampled.load(std::memory_order_relaxed) & bit) != 0 || (m_sampled.fetch_or(bit) & bit) != 0)
        return;
    sampling::SamplerHost host{
        .emit = [this](const Record& record) { m_stream.write(record); },
        .flushActivity = [] { (void)activity::flushActivity(false); },
        .signature = [this](std::uint32_t signature) { return m_log.signature(signature); },
        .nowNs = [] { return collect::nowNs(); }};
    const std::lock_guard lock(m_mutex);
    m_samplers.emplace(device, std::make_unique<sampling::Sampler>(
                                   device, [device] { return PmSampler::open(device); },
                                   m_log.timeline(device), std::move(host)));
}

void ProgramProfile::awaitSampler(const profile::SeenLaunch& launch) {
    if (m_options.counterSet != stream::kSampledSet) return;
    static thread_local std::unordered_set<const void*> seen;
    if (!seen.insert(launch.function).second) return;
    sampling::Sampler* sampler = nullptr;
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_samplers.find(launch.device);
        if (found == m_samplers.end()) return;
        sampler = found->second.get(); // they live as long as this
    }
    sampler->awaitBurst();
    m_log.launchHeldUp(launch.correlationId, collect::nowNs());
}

void ProgramProfile::contextCreated() {
    if (!m_over) std::call_once(m_begun, [this] { begin(); });
}

void ProgramProfile::launchBegins(profile::SeenLaunch launch, const passes::Place& place,
                                  const void* stream) {
    if (m_over) return;
    run();
    launch.device = currentDevice();
    launch.waitedUntilNs = std::exchange(waitedUntilNs, 0);
    sample(launch.device);
    if (m_stalls != nullptr) m_stalls->contextUsed();
    const auto choice = m_log.launchBegins(launch, place, collect::nowNs());
    awaitSampler(launch);
    if (m_counting.wanted()) m_counting.launchBegins(launch, stream, choice);
}

void ProgramProfile::launchEnds(std::uint32_t correlationId, bool failed, const void* stream,
                                const Again& again) {
    if (!m_over) m_log.launchEnds(correlationId, failed, collect::nowNs());
    if (m_counting.wanted()) m_counting.launchEnds(correlationId, failed, stream, again);
}

void ProgramProfile::memoryCalled(const passes::MemoryApiCall& call) {
    if (m_over) return;
    run();
    sample(currentDevice()); // setting up takes a while, in which the program readies its data
    waitedUntilNs = 0;
    m_log.memoryCalled(call);
}

void ProgramProfile::declare(const Record& record) {
    if (m_over) return;
    // A program may speak before it uses CUDA: its first record has to be who it is.
    const std::lock_guard lock(m_earlyMutex);
    if (m_told)
        m_stream.write(record);
    else
        m_early.push_back(record);
}

void ProgramProfile::rangeEnded(const std::string& path, std::int64_t startNs, std::int64_t endNs) {
    declare(NvtxRange{0, path, startNs, endNs});
}

void ProgramProfile::contextEnds(CUctx_st* context) {
    if (m_over) return;
    if (m_stalls != nullptr) m_stalls->contextEnds(context);
    m_counting.contextEnds(context);
    if (const Result<void> flushed = activity::flushActivity(true); !flushed)
        m_stream.write(Note{0, "timing-failed", flushed.error().message});
}

void ProgramProfile::stopSampling() {
    std::vector<sampling::Sampler*> samplers;
    {
        const std::lock_guard lock(m_mutex); // not while they end: their last times come through launchRan()
        for (const auto& [device, sampler] : m_samplers)
            samplers.push_back(sampler.get());
    }
    for (sampling::Sampler* sampler : samplers)
        sampler->stop();
}

void ProgramProfile::end() {
    if (m_over.exchange(true)) return;
    const activity::OwnCalls ours;
    if (m_flusher.joinable()) m_flusher.join();
    stopSampling();
    cuCtxSynchronize(); // a failed kernel is the program's to report
    if (const Result<void> flushed = activity::flushActivity(true); !flushed)
        m_stream.write(Note{0, "timing-failed", flushed.error().message});
    for (auto& [device, sampler] : m_samplers)
        sampler->finish();
    if (m_stalls != nullptr) m_stalls->finish();
    m_counting.finish();
    m_log.finish();
    if (const std::size_t dropped = activity::droppedActivity(); dropped > 0)
        m_stream.write(
            Note{0, "launches-dropped",
                 fmt::format("CUPTI dropped {} records of launches and copies: they are left out", dropped)});
}

} // namespace dormer::instrument::cupti
