// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/record.h"
#include "analysis/session/signature_counters.h"

#include <set>
#include <span>
#include <string_view>
#include <unordered_map>

namespace dormer::store {
class SessionReader;
} // namespace dormer::store

namespace dormer::session {

/// Most distinct counters a session keeps: a table of the session file holds no more columns.
inline constexpr std::size_t kMaxCounters = 1900;
/// True for a name a counter may have: 1 to 256 printable ASCII characters without blanks and double quotes,
/// and not "launch", which is the key of the file's counter table. Others are dropped with a note.
[[nodiscard]] bool isCounterName(std::string_view name);

/// Position of a launch in Session::launches(); stable while the session grows.
enum class LaunchIndex : std::uint32_t {};
[[nodiscard]] constexpr std::uint32_t raw(LaunchIndex index) {
    return static_cast<std::uint32_t>(index);
}

/// Counter values of all launches, one column per counter. Absent values stay absent.
class CounterTable {
public:
    /// Column of a counter, created when new.
    std::size_t intern(std::string_view name);
    [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; }

    /// Makes room for the values of so many launches.
    void reserve(std::size_t column, std::size_t launches) { m_values[column].reserve(launches); }
    /// Non-finite values are not stored: they mean "not collected".
    void set(LaunchIndex launch, std::size_t column, double value);
    [[nodiscard]] std::optional<double> get(LaunchIndex launch, std::size_t column) const;
    [[nodiscard]] std::optional<double> get(LaunchIndex launch, std::string_view name) const;

private:
    std::vector<std::string> m_names;
    std::unordered_map<std::string, std::size_t> m_columns;
    std::vector<std::vector<double>> m_values; ///< NaN = absent; a column may be shorter than the launches
};

/// Everything one collection knows: the fold of its records. Several processes may feed one session.
class Session {
public:
    /// Folds one record in. `process` is the stream's number, given by whoever reads the streams; a process
    /// that never sent ProcessStart gets an empty entry. Records that refer to something unknown (a launch of
    /// a kernel never announced, counters or lines of a launch never seen) become notes, never errors.
    /// Returns the launch that changed, if one did.
    std::optional<LaunchIndex> apply(const Record& record, std::uint32_t process = 0);

    [[nodiscard]] const std::vector<Process>& processes() const { return m_processes; }
    [[nodiscard]] const std::vector<Kernel>& kernels() const { return m_kernels; }
    [[nodiscard]] const std::vector<Launch>& launches() const { return m_launches; }
    [[nodiscard]] const std::vector<NvtxRange>& ranges() const { return m_ranges; }
    [[nodiscard]] const std::vector<Note>& notes() const { return m_notes; }
    [[nodiscard]] const std::vector<Expectation>& expectations() const { return m_expectations; }
    [[nodiscard]] const std::vector<Check>& checks() const { return m_checks; }
    [[nodiscard]] const std::vector<MeasuredCeiling>& measuredCeilings() const { return m_ceilings; }
    [[nodiscard]] const std::vector<Workload>& workloads() const { return m_workloads; }
    [[nodiscard]] const std::vector<Sweep>& sweeps() const { return m_sweeps; }
    [[nodiscard]] const std::vector<Transfer>& transfers() const { return m_transfers; }
    [[nodiscard]] const std::vector<MemoryCall>& memoryCalls() const { return m_memoryCalls; }
    [[nodiscard]] const std::vector<DeviceActivity>& deviceActivity() const { return m_activity; }
    [[nodiscard]] const std::vector<SourceFile>& sources() const { return m_sources; }
    [[nodiscard]] const std::vector<KernelCode>& kernelCode() const { return m_code; }
    /// Null when the session does not hold that file.
    [[nodiscard]] const std::string* sourceText(std::string_view path) const;
    /// By index into kernels(); null when its code was not collected.
    [[nodiscard]] const KernelCode* codeOf(std::size_t kernel) const;
    [[nodiscard]] const std::vector<std::string>& unknownRecords() const { return m_unknown; }
    [[nodiscard]] const CounterTable& counters() const { return m_counters; }
    /// Distinct devices of all processes, in order of appearance.
    [[nodiscard]] const std::vector<Device>& devices() const { return m_devices; }
    /// (process, Device::id in that process) -> index into devices().
    [[nodiscard]] const std::map<std::pair<std::uint32_t, std::int32_t>, std::size_t>& deviceIndex() const {
        return m_deviceIndex;
    }
    /// Process that announced a kernel, by index into kernels().
    [[nodiscard]] std::uint32_t processOfKernel(std::size_t kernel) const { return m_kernelProcess[kernel]; }

    [[nodiscard]] const Launch& launch(LaunchIndex index) const { return m_launches[raw(index)]; }
    [[nodiscard]] const Kernel& kernelOf(LaunchIndex index) const { return m_kernels[launch(index).kernel]; }
    /// Device a launch ran on; null when its process never described it.
    [[nodiscard]] const Device* deviceOf(LaunchIndex index) const;
    [[nodiscard]] Origin originOf(LaunchIndex index) const;
    /// Of the launch by itself, else what its signature's counters tell of a launch of its duration.
    [[nodiscard]] std::optional<double> counter(LaunchIndex index, std::size_t column) const;
    [[nodiscard]] std::optional<double> counter(LaunchIndex index, std::string_view name) const;
    /// Where a launch has no counter of its own: that of its signature; null when there is none.
    [[nodiscard]] const SignatureCounter* signatureCounter(LaunchIndex index, std::size_t column) const;
    [[nodiscard]] const std::vector<SignatureCounter>& signatureCounters() const {
        return m_signatureCounters.all();
    }
    /// What warps were seen doing, by instruction, over all launches of the kernel with that index into
    /// kernels(); empty when they were not sampled.
    [[nodiscard]] const std::map<std::uint64_t, WarpStates>& warpSamples(std::size_t kernel) const;
    [[nodiscard]] bool hasWarpSamples() const { return !m_warpSamples.empty(); }
    /// True when something was counted or sampled of it, or of its signature.
    [[nodiscard]] bool hasCounters(LaunchIndex index) const;
    /// Counts per instruction of a launch, in program order; empty when they were not collected.
    [[nodiscard]] std::span<const LineCounts> lines(LaunchIndex index) const {
        return raw(index) < m_lines.size() ? std::span<const LineCounts>(m_lines[raw(index)])
                                           : std::span<const LineCounts>();
    }
    /// Launches that have counts per instruction, ascending.
    [[nodiscard]] const std::vector<LaunchIndex>& launchesWithLines() const { return m_withLines; }
    /// True when any launch has counts per instruction.
    [[nodiscard]] bool hasLines() const { return !m_withLines.empty(); }

private:
    friend class store::SessionReader; ///< fills the counter table straight from a file

    Process& ensureProcess(std::uint32_t process);
    void noteOnce(Note note);
    void fold(const Device& device, std::uint32_t process);
    void fold(const Kernel& kernel, std::uint32_t process);
    void fold(MeasuredCeiling ceiling, std::uint32_t process);
    std::optional<LaunchIndex> fold(Launch launch, std::uint32_t process);
    std::optional<LaunchIndex> fold(const LaunchCounters& counters, std::uint32_t process);
    std::optional<LaunchIndex> fold(const LaunchLines& lines, std::uint32_t process);
    std::optional<LaunchIndex> fold(SignatureCounter counter, std::uint32_t process);
    void fold(const SourceFile& source);
    void fold(const WarpSamples& samples, std::uint32_t process);
    void fold(KernelCode code, std::uint32_t process);
    void fold(const DeviceActivity& activity, std::uint32_t process);
    void giveSlot(LaunchIndex launch);
    void setLines(LaunchIndex launch, std::vector<LineCounts> lines);

    std::vector<Process> m_processes;
    std::vector<Device> m_devices;
    std::vector<Kernel> m_kernels;
    std::vector<std::uint32_t> m_kernelProcess; ///< beside m_kernels
    std::vector<Launch> m_launches;
    std::vector<NvtxRange> m_ranges;
    std::vector<Note> m_notes;
    std::set<std::pair<std::uint32_t, std::string>> m_noted; ///< notes of our own: process and code
    std::vector<Expectation> m_expectations;
    std::vector<Check> m_checks;
    std::vector<MeasuredCeiling> m_ceilings;
    std::vector<Workload> m_workloads;
    std::vector<Sweep> m_sweeps;
    std::vector<Transfer> m_transfers;
    std::vector<MemoryCall> m_memoryCalls;
    std::vector<DeviceActivity> m_activity;
    std::vector<SourceFile> m_sources;
    std::vector<KernelCode> m_code;
    std::map<std::size_t, std::map<std::uint64_t, WarpStates>> m_warpSamples; ///< by kernel and pc
    std::vector<std::string> m_unknown;
    CounterTable m_counters;
    SignatureCounters m_signatureCounters;
    std::vector<std::uint32_t> m_slots;                    ///< by launch; shorter where no process needs it
    std::vector<std::optional<LaunchIndex>> m_firstOfSlot; ///< by slot
    std::vector<std::vector<LineCounts>> m_lines;          ///< by launch; may be shorter than the launches
    std::vector<LaunchIndex> m_withLines;                  ///< those of m_lines that are not empty, ascending
    /// (process, Device::id / Kernel::id / Launch::id) -> index
    std::map<std::pair<std::uint32_t, std::int32_t>, std::size_t> m_deviceIndex;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> m_kernelIndex;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> m_launchIndex;
};

/// The alias in use (kernel_aliases.h); else what users of a library call its kernel (library_names.h); else
/// the name without parameters, return type and template arguments: "void
/// cub::CUB_300_SM_90::DeviceReduceKernel<...>
/// (...)" -> "cub::DeviceReduceKernel". Linear in its length.
[[nodiscard]] std::string shortKernelName(std::string_view name);

[[nodiscard]] std::string_view toString(Origin origin); ///< "measured", "emulated", "imported"
[[nodiscard]] std::optional<Origin> originFromString(std::string_view text);

/// "measured on NVIDIA H200", "emulated H100": for status lines, reports and exports.
[[nodiscard]] std::string provenance(const Session& session);
/// What follows a sum of durations: "on the GPU", or "predicted" when no GPU was there.
[[nodiscard]] std::string_view whereTimed(const Session& session);

} // namespace dormer::session
