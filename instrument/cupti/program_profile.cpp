// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/program_profile.h"

#include "instrument/collect/process_facts.h"
#include "instrument/cupti/activity/activity_buffers.h"
#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/graph_registry.h"
#include "instrument/cupti/host/cupti_error.h"
#include "instrument/cupti/pm_sampler.h"
#include "instrument/cupti/range_profiler.h"
#include "instrument/cupti/running_kernel.h"
#include "instrument/cupti/untraced_counters.h"

#include "analysis/metrics/counter_sets.h"

#include <cuda.h>
#include <cupti.h>
#include <fmt/format.h>

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <utility>

namespace dormer::instrument::cupti {

using namespace session;

namespace {

/// Some two hundred launches: they arrive soon, and CUPTI asks for no more than a few buffers a second. Where
/// launches are counted a buffer must not fill up while they run, so it has room for 200,000.
constexpr std::size_t kBufferBytes = std::size_t{1} << 15, kBufferBytesOfCounting = std::size_t{1} << 25;
constexpr std::uint64_t kMostUnflushed = 100'000;
constexpr std::int64_t kShortWaitNs = 5'000'000, kLongestWaitNs = 1'000'000'000;
constexpr std::chrono::milliseconds kFlushEvery{50};
/// A program that ends by _exit() or abort() loses what was not asked for. So it is asked for each time the
/// program has waited for the GPU, but not so often that it costs a program more than a hundredth.
constexpr std::int64_t kFlushApartNs = 2'000'000, kFlushShare = 100;
constexpr std::int32_t kMostDevices = 64;

ProgramProfile* theProfile = nullptr;

/// What the calling thread's launch holds while it is in the driver.
enum class Within { None, Shared, Alone, Counted };
thread_local Within within = Within::None;
thread_local std::int32_t countedDevice = 0;
/// When the calling thread's last call returned, if it was one that waited for the GPU; else 0.
thread_local std::int64_t waitedUntilNs = 0;

/// As activity records number it.
std::uint32_t streamNumber(const void* stream) {
    const activity::OwnCalls ours;
    std::uint32_t number = 0;
    auto* const handle = static_cast<CUstream>(const_cast<void*>(stream));
    const std::uint8_t perThread = handle == CU_STREAM_PER_THREAD ? 1 : 0;
    return cuptiGetStreamIdEx(nullptr, handle, perThread, &number) == CUPTI_SUCCESS ? number : 0;
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
    const Result<void> started =
        activity::startActivity([this](passes::Timings timings) { m_log.ran(std::move(timings)); },
                                counts() ? kBufferBytesOfCounting : kBufferBytes);
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
                if (!counts()) flush(0);
                if (m_stalls != nullptr) m_stalls->tick();
            }
        });
    });
}

bool ProgramProfile::flushDue(std::int64_t apartNs) const {
    return collect::nowNs() - m_flushedNs >= std::max<std::int64_t>(apartNs, kFlushShare * m_flushCostNs);
}

void ProgramProfile::flush(std::int64_t apartNs) {
    const std::unique_lock lock(m_flushMutex, std::try_to_lock);
    if (!lock) return; // someone is at it
    if (!flushDue(apartNs)) return;
    const std::int64_t begin = collect::nowNs();
    (void)activity::flushActivity(false); // what fails here fails at the end, which tells
    m_flushedNs = collect::nowNs();
    m_flushCostNs = m_flushedNs - begin;
}

void ProgramProfile::flushWhereQuiet() {
    m_unflushed = 0;
    // Of two devices one may be busy.
    if (m_counters.size() == 1) flush(kFlushApartNs);
}

void ProgramProfile::waited(bool context) {
    if (m_over || theProfile != this) return;
    waitedUntilNs = collect::nowNs();
    if (!counts()) return flush(kFlushApartNs);
    if (!context || !flushDue(kFlushApartNs)) return; // being quiet takes a thread to find out
    const std::unique_lock alone(m_alone, std::try_to_lock);
    if (!alone || m_counters.empty()) return;
    const auto& running = m_counters.begin()->second.running;
    if (running != nullptr && running->idle(kShortWaitNs)) flushWhereQuiet();
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

void ProgramProfile::contextCreated() {
    if (!m_over) std::call_once(m_begun, [this] { begin(); });
}

bool ProgramProfile::counts() const {
    return m_options.counterSet != "none" && m_options.counterSet != stream::kSampledSet;
}

void ProgramProfile::startCounting(std::int32_t device, Counters& counters) {
    const auto set = metrics::findCounterSet(m_options.counterSet);
    CUcontext context = nullptr;
    const activity::OwnCalls ours;
    if (!set || cuCtxGetCurrent(&context) != CUDA_SUCCESS || context == nullptr) return;
    std::string chip;
    try {
        awaitProfilerInitialization();
        chip = describeDevice(device).chip;
    } catch (const host::CallError& error) {
        m_stream.write(Note{0, "counters-failed", error.what()});
        return;
    }
    auto profiler = RangeProfiler::create(context, chip, *set);
    if (!profiler) {
        m_stream.write(Note{0, "counters-failed", profiler.error().message + "; launches are still timed"});
        return;
    }
    for (const std::string& missing : (*profiler)->plan().missing)
        m_stream.write(
            Note{0, "counter-missing", "the chip does not offer " + missing + ": what needs it is absent"});
    counters.profiler = std::move(*profiler);
    counters.untraced = std::make_unique<UntracedCounters>(*counters.profiler);
    counters.running = std::make_unique<RunningKernel>(context);
    if (m_options.replay != stream::Replay::None) {
        if (auto memory = Checkpoint::create(context))
            counters.memory = std::move(*memory);
        else
            m_stream.write(Note{0, "not-replayed", memory.error().message + ": no launch is replayed"});
    }
    counters.counting = std::make_unique<passes::LaunchCounting>(
        passes::LaunchCounting::Options{.replay = m_options.replay,
                                        .launches = m_options.launches,
                                        .budgetSeconds = m_options.budgetSeconds},
        passes::LaunchCounting::Host{
            .counters = *counters.untraced,
            .memory = counters.memory.get(),
            .running = *counters.running,
            .nowNs = [] { return collect::nowNs(); },
            .quiet = [this] { flushWhereQuiet(); },
            // What the program launches while it runs is timed.
            .launched =
                [this] {
                    if (const auto timed = activity::setKernelActivity(true); !timed)
                        m_stream.write(Note{0, "timing-failed", timed.error().message});
                },
            .counted =
                [this](std::uint32_t group, std::map<std::string, double> values) {
                    m_log.groupCounted(group, std::move(values));
                },
            .note =
                [this](const std::string& code, const std::string& text) {
                    m_stream.write(Note{0, code, text});
                }});
}

ProgramProfile::Counters& ProgramProfile::countersOf(std::int32_t device) {
    const auto [at, isNew] = m_counters.try_emplace(device);
    Counters& counters = at->second;
    if (!isNew) return counters;
    if (counts()) startCounting(device, counters);
    if (m_options.lines) {
        auto lines = LineReplay::create(device, counters.profiler != nullptr);
        if (lines)
            counters.lines = std::move(*lines);
        else
            counters.lineProblem = lines.error().message;
    }
    return counters;
}

Result<passes::CountedLines> ProgramProfile::countLines(std::int32_t device, const Again& again) {
    const Counters& counters = countersOf(device);
    if (counters.lines == nullptr) return failure(ErrorKind::Device, counters.lineProblem);
    if (counters.counting != nullptr && !counters.counting->interrupt())
        return failure(ErrorKind::Device, "a kernel that may wait for this launch is still running");
    return counters.lines->count(again);
}

bool ProgramProfile::isDue(std::int32_t device, std::uint32_t group) const {
    const auto counters = m_counters.find(device);
    if (counters == m_counters.end()) return true;
    if (counters->second.counting == nullptr) return false;
    counters->second.counting->saw();
    return counters->second.counting->due(group);
}

bool ProgramProfile::beginCounting(profile::SeenLaunch launch, const void* stream, std::uint32_t group) {
    using Way = passes::LaunchCounting::Way;
    const Counters& counters = countersOf(launch.device);
    if (counters.counting == nullptr) return false;
    if (m_unflushed >= kMostUnflushed && counters.running->idle(kLongestWaitNs)) flushWhereQuiet();
    const Way way = counters.counting->begin(group);
    if (way == Way::Not) return false;
    launch.stream = streamNumber(stream);
    m_log.looksAt(launch,
                  way == Way::Replayed ? profile::ProgramLog::Look::Replay : profile::ProgramLog::Look::Pass);
    return true;
}

void ProgramProfile::endCounting(std::uint32_t correlationId, bool failed, const void* stream,
                                 const Again& again) {
    auto values = m_counters.at(countedDevice).counting->end(stream, !failed, [&] {
        const activity::OwnCalls ours;
        return again();
    });
    if (values)
        m_log.counted(correlationId, std::move(*values));
    else
        m_log.letGo(correlationId);
}

void ProgramProfile::launchBegins(profile::SeenLaunch launch, const passes::Place& place, const void* stream,
                                  const Again& again) {
    if (m_over) return;
    run();
    launch.device = currentDevice();
    launch.waitedUntilNs = std::exchange(waitedUntilNs, 0);
    sample(launch.device);
    if (m_stalls != nullptr) m_stalls->contextUsed();
    const auto choice = m_log.launchBegins(launch, place, collect::nowNs());
    if (!counts() && !m_options.lines) return;
    if (!choice.lines) {
        m_alone.lock_shared();
        if (!choice.count || (!isDue(launch.device, choice.group) && ++m_unflushed < kMostUnflushed)) {
            within = Within::Shared;
            return;
        }
        m_alone.unlock_shared();
    }
    m_alone.lock();
    within = Within::Alone;
    countedDevice = launch.device;
    if (choice.lines) {
        m_log.looksAt(launch, profile::ProgramLog::Look::Lines);
        m_log.lined(launch.correlationId, countLines(launch.device, again));
    }
    if (choice.count && beginCounting(launch, stream, choice.group)) within = Within::Counted;
}

void ProgramProfile::launchEnds(std::uint32_t correlationId, bool failed, const void* stream,
                                const Again& again) {
    const Within was = std::exchange(within, Within::None);
    if (!m_over) m_log.launchEnds(correlationId, failed, collect::nowNs());
    if (was == Within::Counted) endCounting(correlationId, failed, stream, again);
    if (was == Within::Shared)
        m_alone.unlock_shared();
    else if (was != Within::None)
        m_alone.unlock();
}

void ProgramProfile::memoryCalled(const passes::MemoryApiCall& call) {
    if (m_over) return;
    run();
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
    for (auto& [device, counters] : m_counters)
        if (counters.counting != nullptr) counters.counting->finish();
    m_log.finish();
    if (const std::size_t dropped = activity::droppedActivity(); dropped > 0)
        m_stream.write(
            Note{0, "launches-dropped",
                 fmt::format("CUPTI dropped {} records of launches and copies: they are left out", dropped)});
}

} // namespace dormer::instrument::cupti
