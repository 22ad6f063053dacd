// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/program_profile.h"

#include "instrument/collect/process_facts.h"
#include "instrument/cupti/activity/activity_buffers.h"
#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/graph_registry.h"
#include "instrument/cupti/host/cupti_error.h"
#include "instrument/cupti/kernel_replay.h"
#include "instrument/cupti/pm_sampler.h"

#include "analysis/metrics/counter_sets.h"

#include <cuda.h>
#include <fmt/format.h>

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <utility>

namespace dormer::instrument::cupti {

using namespace session;

namespace {

/// Some two hundred launches: they arrive soon, and CUPTI asks for no more than a few buffers a second.
constexpr std::size_t kBufferBytes = std::size_t{1} << 15;
constexpr std::chrono::milliseconds kFlushEvery{50};
constexpr std::int32_t kMostDevices = 64;

ProgramProfile* theProfile = nullptr;

/// What the calling thread's launch holds while it is in the driver.
enum class Within { None, Shared, Alone, Counted };
thread_local Within within = Within::None;
thread_local std::int32_t countedDevice = 0;

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
          }) {
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
    const Result<void> started = activity::startActivity(
        [this](passes::Timings timings) { m_log.ran(std::move(timings)); }, kBufferBytes);
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
                (void)activity::flushActivity(false); // what fails here fails at the end, which tells
                if (m_stalls != nullptr) m_stalls->tick();
            }
        });
    });
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
    m_samplers.emplace(device,
                       std::make_unique<sampling::Sampler>([device] { return PmSampler::open(device); },
                                                           m_log.timeline(device), std::move(host)));
}

void ProgramProfile::contextCreated() {
    if (!m_over) std::call_once(m_begun, [this] { begin(); });
}

bool ProgramProfile::counts() const {
    return m_options.counterSet != "none" && m_options.counterSet != stream::kSampledSet;
}

ProgramProfile::Counters& ProgramProfile::countersOf(std::int32_t device) {
    const auto [at, isNew] = m_counters.try_emplace(device);
    Counters& counters = at->second;
    if (!isNew) return counters;
    if (const auto set = metrics::findCounterSet(m_options.counterSet); set && counts()) {
        auto replay = KernelReplay::create(device, *set);
        if (replay) {
            for (const std::string& missing : (*replay)->plan().missing)
                m_stream.write(Note{0, "counter-missing",
                                    "the chip does not offer " + missing + ": what needs it is absent"});
            counters.replay = std::move(*replay);
        } else {
            counters.problem = replay.error().message + "; launches are still timed";
        }
    }
    if (m_options.lines) {
        auto lines = LineReplay::create(device, counters.replay != nullptr);
        if (lines)
            counters.lines = std::move(*lines);
        else
            counters.lineProblem = lines.error().message;
    }
    return counters;
}

Result<passes::CountedLines> ProgramProfile::countLines(std::int32_t device,
                                                        const std::function<bool()>& again) {
    const Counters& counters = countersOf(device);
    if (counters.lines == nullptr) return failure(ErrorKind::Device, counters.lineProblem);
    return counters.lines->count(again);
}

void ProgramProfile::beginCounting(std::int32_t device) {
    Counters& counters = countersOf(device);
    counters.begun = counters.replay != nullptr ? counters.replay->begin()
                                                : Result<void>(failure(ErrorKind::Device, counters.problem));
}

void ProgramProfile::endCounting(std::uint32_t correlationId) {
    const Counters& counters = m_counters.at(countedDevice);
    m_log.counted(correlationId,
                  counters.begun ? counters.replay->end() : std::unexpected(counters.begun.error()));
}

void ProgramProfile::launchBegins(profile::SeenLaunch launch, const passes::Place& place,
                                  const std::function<bool()>& again) {
    if (m_over) return;
    run();
    launch.device = currentDevice();
    sample(launch.device);
    if (m_stalls != nullptr) m_stalls->contextUsed();
    const auto choice = m_log.launchBegins(launch, place, collect::nowNs());
    if (!counts() && !m_options.lines) return;
    if (!choice.count && !choice.lines) {
        m_alone.lock_shared();
        within = Within::Shared;
        return;
    }
    m_alone.lock();
    within = choice.count ? Within::Counted : Within::Alone;
    countedDevice = launch.device;
    if (choice.lines) m_log.lined(launch.correlationId, countLines(launch.device, again));
    if (choice.count) beginCounting(launch.device);
}

void ProgramProfile::launchEnds(std::uint32_t correlationId, bool failed) {
    const Within was = std::exchange(within, Within::None);
    if (!m_over) m_log.launchEnds(correlationId, failed, collect::nowNs());
    if (was == Within::Counted) endCounting(correlationId);
    if (was == Within::Shared)
        m_alone.unlock_shared();
    else if (was != Within::None)
        m_alone.unlock();
}

void ProgramProfile::memoryCalled(const passes::MemoryApiCall& call) {
    if (m_over) return;
    run();
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
    m_log.finish();
    if (const std::size_t dropped = activity::droppedActivity(); dropped > 0)
        m_stream.write(
            Note{0, "launches-dropped",
                 fmt::format("CUPTI dropped {} records of launches and copies: they are left out", dropped)});
}

} // namespace dormer::instrument::cupti
