// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/collect/launch_filter.h"
#include "instrument/cupti/passes/backends.h"
#include "instrument/cupti/passes/kernel_registry.h"
#include "instrument/cupti/passes/line_records.h"
#include "instrument/cupti/passes/transfer_log.h"
#include "instrument/cupti/sampling/timeline.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

/// A program profiled as it runs, whoever wrote it: every launch and copy is told as soon as the GPU has
/// timed it. Plain logic, fed by CUPTI's callbacks.
namespace dormer::instrument::cupti::profile {

/// A launch as CUPTI's callback gives it; nothing is copied until it must be.
struct SeenLaunch {
    const void* function = nullptr; ///< CUfunction or CUkernel; of a graph: the executable graph
    const char* mangledName = nullptr;
    std::uint32_t correlationId = 0;
    session::Dim3 grid, block;
    std::uint64_t dynamicSharedBytes = 0;
    std::int32_t device = 0;
    bool graph = false;
    std::uint32_t stream = 0;       ///< CUPTI's number of it; only of launches that are looked at
    std::int64_t waitedUntilNs = 0; ///< as session::Launch has it
};

/// Whether the options ask for counters of launches, instead of none or samples of the device.
[[nodiscard]] bool countsLaunches(const stream::CollectOptions& options);

/// Joins calls of the program with what ran. Thread-safe.
class ProgramLog {
public:
    using Emit = std::function<void(const session::Record&)>;
    /// After each kernel that was timed: its device and duration.
    using OnKernel = std::function<void(std::int32_t device, std::int64_t durationNs)>;

    ProgramLog(stream::CollectOptions options, passes::ContextBackend& context, passes::GraphBackend* graphs,
               Emit emit, OnKernel onKernel);

    /// Descriptions of the devices there are; each is told when something first runs on it.
    void setDevices(std::vector<session::Device> devices);

    /// What is wanted of a launch besides letting it run.
    struct Choice {
        /// Of launches that are counted as one: kernel, configuration and device; numbered as they come.
        std::uint32_t group = 0;
        bool count = false; ///< counters of the group are wanted, and this launch may be one to count
        bool lines = false; ///< the counts of its instructions are
        bool operator==(const Choice&) const = default;
    };

    /// On the program's threads.
    [[nodiscard]] Choice launchBegins(const SeenLaunch& launch, const passes::Place& place,
                                      std::int64_t nowNs);
    /// Its call was held up by the collector, and goes on now.
    void launchHeldUp(std::uint32_t correlationId, std::int64_t nowNs);
    /// How a launch is looked at: by repeating it afterwards, for its lines (lined() is called) or its
    /// counters (counted() or letGo() is), or while it runs (then it is not timed).
    enum class Look { None, Lines, Replay, Pass };
    /// Between launchBegins() and the launch, whose call takes longer than it would.
    void looksAt(const SeenLaunch& launch, Look look);
    /// What a launch was counted to do.
    void counted(std::uint32_t correlationId, Result<std::map<std::string, double>> values);
    /// Instead: it was to be repeated, and ran too long.
    void letGo(std::uint32_t correlationId);
    /// Mean time of the launches of a group that were timed; 0: of none yet.
    [[nodiscard]] double takesNs(std::uint32_t group);
    /// What passes spread over launches of a group say that one of them does.
    void groupCounted(std::uint32_t group, std::map<std::string, double> values);
    void lined(std::uint32_t correlationId, Result<passes::CountedLines> lines);
    void launchEnds(std::uint32_t correlationId, bool failed, std::int64_t nowNs);
    void memoryCalled(const passes::MemoryApiCall& call);

    /// On CUPTI's.
    void ran(passes::Timings timings);
    /// The program ends: what is left is told, what could not be timed, and what was to be counted and was
    /// not.
    void finish();

    [[nodiscard]] sampling::Timeline& timeline(std::int32_t device);
    /// Number of a kernel that was told.
    [[nodiscard]] std::optional<std::uint64_t> kernelNamed(const std::string& mangledName);
    /// With everything but the counter; absent for copies, fills, and what the options leave out.
    [[nodiscard]] std::optional<session::SignatureCounter> signature(std::uint32_t number);

private:
    struct Pending {
        const void* function = nullptr;
        std::uint32_t place = 0; ///< index into m_places
        std::uint64_t id = 0;
        std::int64_t beginNs = 0, endNs = 0, waitedUntilNs = 0;
        std::optional<std::uint32_t> blocksPerSm;
        bool graph = false;
        std::optional<std::uint32_t> group;
        Look look = Look::None;
        std::optional<passes::KernelTiming> untimed; ///< what is known of one that CUPTI won't tell of
        int awaited = 0; ///< calls of lined(), counted() and letGo() that are still to come
        std::optional<passes::CountedLines> lines;
        std::optional<std::map<std::string, double>> values;
        std::optional<passes::KernelTiming> timing; ///< of one that is awaited
        std::int32_t device = 0;
    };
    struct Limit {
        const void* function = nullptr;
        std::uint64_t threads = 0, dynamicSharedBytes = 0;
        auto operator<=>(const Limit&) const = default;
    };
    /// What was not timed by then, a copy of nothing for example, will not be.
    static constexpr std::int64_t kNeverTimedNs = 30'000'000'000;

    void askDriver(const SeenLaunch& launch);
    std::uint32_t placeNumber(const passes::Place& place);
    void tellDevice(std::int32_t device);
    [[nodiscard]] Choice choose(const SeenLaunch& launch, const passes::Place& place);
    void tell(const passes::KernelTiming& timing);
    void noteOnce(const std::string& code, const std::string& text);
    /// One of the calls that a launch is awaited for has come; tells it when that was the last and it has
    /// run.
    void arrived(Pending& pending);
    /// Returns the number of its signature.
    std::uint32_t tellLaunch(const passes::KernelTiming& timing, Pending& pending);
    void tellCounters(std::uint32_t signature, double durationNs,
                      const std::map<std::string, double>& values);
    void tellGroups(bool everything);
    void noteNotCounted();
    void transferRan(const passes::TransferTiming& timing);
    void tellTransfers(bool everything);
    std::uint32_t signatureNumber(const session::Launch& launch);

    /// Writes what the log has come to, in order; not while it is locked, since the launcher may be slow.
    void write();

    stream::CollectOptions m_options;
    passes::ContextBackend& m_context;
    passes::GraphBackend* m_graphs; ///< null = nodes are not known
    Emit m_emit;
    OnKernel m_onKernel;

    std::mutex m_writeMutex; ///< held while records are written
    std::mutex m_mutex;      ///< guards what follows; taken after m_writeMutex
    std::vector<session::Record> m_out;
    collect::LaunchFilter m_filter;
    passes::KernelRegistry m_kernels;
    passes::LineRecords m_lineRecords;
    std::vector<session::Device> m_devices;
    std::set<std::int32_t> m_devicesTold;
    std::map<std::int32_t, std::unique_ptr<sampling::Timeline>> m_timelines;
    std::vector<passes::Place> m_places;
    std::unordered_map<std::string, std::vector<std::uint32_t>> m_placesByNvtx;
    std::unordered_map<std::uint32_t, Pending> m_pending; ///< by correlation id
    std::unordered_map<const void*, passes::FunctionFacts> m_functions;
    std::map<Limit, std::optional<std::uint32_t>> m_blocksPerSm;
    std::unordered_map<session::LaunchSignature, std::uint32_t, session::LaunchSignatureHash> m_numbers;
    std::vector<session::SignatureCounter> m_signatures;
    std::vector<bool> m_left; ///< by signature: the options leave it out
    /// Groups by function instead of kernel, which is known when a launch has run.
    std::unordered_map<session::LaunchSignature, std::uint32_t, session::LaunchSignatureHash> m_groupNumbers;
    struct Group {
        std::optional<bool> passes;                        ///< the filter by name, once it was asked
        std::uint32_t lined = 0;                           ///< launches
        std::optional<std::uint32_t> signature;            ///< once one has run
        double timedNs = 0;                                ///< duration of its launches that have one
        double timed = 0;                                  ///< how many these are
        std::vector<std::map<std::string, double>> values; ///< counted, not told
        bool wanted = false, counted = false;
        std::string name; ///< of its kernel, mangled
    };
    std::vector<Group> m_groups;
    bool m_anyGroup = false;    ///< one has values that are not told
    std::size_t m_ofGraphs = 0; ///< launches by graphs
    /// Sums over the counted launches of a signature.
    struct Counted {
        double launches = 0, ns = 0;
        std::map<std::string, double> sums;
    };
    std::map<std::uint32_t, Counted> m_counted;
    std::set<std::string> m_noted;
    passes::TransferLog m_transfers;
    std::vector<passes::TransferTiming> m_transferTimings;
    std::map<std::uint32_t, std::int64_t> m_openTransfers; ///< called, not timed: when
    std::int64_t m_transfersToldNs = 0;
    std::uint64_t m_nextId = 0;
};

} // namespace dormer::instrument::cupti::profile
