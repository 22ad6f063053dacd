// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/kernel_code.h"
#include "analysis/session/kinds.h"
#include "analysis/session/lane_sample.h"
#include "analysis/session/series.h"
#include "analysis/session/user_line.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// The things a session knows about, as plain values. Field names are those of the stream, the file and the
/// JSON (camelCase here, snake_case there). Units are in the names; what was not collected is absent, never
/// zero.
namespace dormer::session {

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
    auto operator<=>(const Dim3&) const = default;
};

/// Where the numbers of a process came from; stands in every output.
enum class Origin { Measured, Emulated, Imported };

/// A GPU (or the chip the emulator plays). Attributes as the CUDA driver reports them.
struct Device {
    std::int32_t id = 0; ///< CUDA ordinal in its process
    std::string name;    ///< "NVIDIA H100 80GB HBM3"
    std::string chip;    ///< CUPTI's chip name, "GH100"; empty when unknown
    std::string uuid;
    std::int32_t computeCapabilityMajor = 0;
    std::int32_t computeCapabilityMinor = 0;
    std::int32_t smCount = 0;
    double smClockMaxHz = 0;     ///< cudaDevAttrClockRate
    double memoryClockMaxHz = 0; ///< cudaDevAttrMemoryClockRate; data moves on both edges
    std::int32_t memoryBusBits = 0;
    std::uint64_t memoryBytes = 0;
    std::uint64_t l2Bytes = 0;
    std::uint64_t sharedBytesPerSm = 0;
    std::uint64_t sharedBytesPerBlockOptin = 0;
    std::uint64_t reservedSharedBytesPerBlock = 0;
    std::uint32_t registersPerSm = 0;
    std::uint32_t maxThreadsPerSm = 0;
    std::uint32_t maxBlocksPerSm = 0;
    std::uint32_t warpSize = 32;
    std::string driverVersion;          ///< "580.159.04"
    std::int32_t cudaDriverVersion = 0; ///< 13000 for 13.0
};

/// One target process and how its numbers were collected.
struct Process {
    std::int32_t pid = 0;
    std::string host;
    std::string program;
    std::vector<std::string> arguments;
    std::string toolVersion;
    std::int64_t startUnixNs = 0;
    Origin origin = Origin::Measured;
    std::string counterSet;            ///< "memory"
    std::vector<std::string> counters; ///< requested, canonical names
    std::int32_t passes = 0;           ///< counter passes over each launch; 0 = timing only
    std::string cacheControl;          ///< "keep" or "flush" before each counted launch
    bool bySignature = false;          ///< counters come as SignatureCounter, not launch by launch
    std::int32_t intervalNs = 0;       ///< between samples, the shortest used; 0 = nothing was sampled
    std::optional<std::int32_t> exitCode;
    std::optional<std::int32_t> signal;
};

struct Kernel {
    std::uint64_t id = 0; ///< unique in its process
    std::string mangledName;
    std::string name; ///< demangled, with template arguments and parameters
    std::uint32_t registersPerThread = 0;
    std::uint64_t staticSharedBytes = 0;
    std::uint64_t localBytesPerThread = 0;
    std::uint32_t maxThreadsPerBlock = 0;
};

/// One kernel launch. Counters are kept beside it, in CounterTable.
struct Launch {
    std::uint64_t id = 0;      ///< order of launch in its process, from 0
    std::uint32_t process = 0; ///< index into Session::processes()
    std::int32_t device = 0;   ///< Device::id in that process
    std::uint64_t kernel = 0;  ///< in a record Kernel::id; in a Session index into kernels()
    Dim3 grid;
    Dim3 block;
    std::uint64_t dynamicSharedBytes = 0;
    std::uint64_t stream = 0;
    std::string workload;             ///< "family/variant" of the built-in suite, else empty
    std::string nvtx;                 ///< NVTX range path, outermost first, joined by " > "; empty when none
    std::int64_t startNs = 0;         ///< since the epoch
    std::optional<double> durationNs; ///< from an undisturbed pass, not from counter passes
    std::optional<double> callNs;     ///< time the host spent in the call; of a graph's launch, its share
    std::int64_t calledNs = 0;        ///< when the host began the call, since the epoch; 0 = unknown
    /// When a call in which its thread waited for the GPU returned, if that was its last before this launch
    /// that had to do with the GPU; else 0.
    std::int64_t waitedUntilNs = 0;
    /// Of a predicted duration: nine of ten such predictions are off by no more than this factor; 0 = not
    /// predicted, or not known.
    double durationFactor = 0;
    std::optional<std::uint32_t> blocksPerSm; ///< resident blocks by the driver's occupancy calculator
    std::optional<std::uint64_t> graphNode;   ///< of a launch by a CUDA graph: which node of it
    bool counted = false;                     ///< its counters are complete
    std::string notCounted;                   ///< why counters are missing, when that is known
};

/// A counter of the launches of one signature, where they were not counted one by one: docs/sampling.md tells
/// how it is got.
struct SignatureCounter {
    std::uint32_t process = 0; ///< index into Session::processes()
    std::int32_t device = 0;   ///< Device::id in that process
    std::uint64_t kernel = 0;  ///< in a record Kernel::id; in a Session index into kernels()
    std::string workload;
    Dim3 grid;
    Dim3 block;
    std::uint64_t dynamicSharedBytes = 0;
    std::string counter; ///< canonical name
    CounterMethod method = CounterMethod::None;
    /// Of a sum that was sampled: per second of the launches' time, since samples tell rates. Of a sum that
    /// was counted: of one launch. Of what is a rate, a share or a mean itself: the mean over the launches.
    double value = 0;
    double coveredNs = 0;   ///< time of these launches that samples or passes cover
    double launches = 0;    ///< how many launches that makes
    double uncertainty = 0; ///< standard error of `value`, as a share of it
};

/// What one memory access or branch of a kernel did over one launch. What was not collected is absent.
struct LineCounts {
    std::string file;                      ///< as the compiler wrote it; empty without line information
    std::uint32_t line = 0;                ///< 0 without line information
    CallChain inlinedAt;                   ///< empty where the code is the kernel's own
    std::string function;                  ///< of inlined code, demangled; else empty
    std::uint64_t pc = 0;                  ///< byte offset in SASS, or line in the PTX text where emulated
    std::string instruction;               ///< "LDG.E", "ld.global.f32"; empty when unknown
    MemorySpace space = MemorySpace::None; ///< None for a branch
    MemoryOperation op = MemoryOperation::None;
    std::optional<std::uint32_t> widthBytes;                  ///< of one lane's access
    std::optional<std::uint64_t> executions;                  ///< warps
    std::optional<std::uint64_t> threads;                     ///< lanes with the predicate true
    std::optional<std::uint64_t> sectors, sectorsIdeal, tags; ///< 32-byte sectors, 128-byte lines
    std::optional<std::uint64_t> wavefronts, wavefrontsIdeal; ///< shared memory
    std::optional<std::uint64_t> serialized; ///< atomics: lanes that waited for another lane on their address
    std::optional<std::uint64_t> divergent;  ///< branches: executions that split the warp
    LaneSample lanes{};                      ///< of the warp that wasted most
};

/// Text of a source file that a session's lines name, so that a session explains itself on any machine.
struct SourceFile {
    std::string path; ///< as LineCounts::file has it
    std::string text; ///< UTF-8; bytes that are not are replaced
};

/// A push/pop or start/end NVTX range as it ran in the undisturbed pass.
struct NvtxRange {
    std::uint32_t process = 0;
    std::string path;
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
};

/// Something the collector could not do, or the user must know.
struct Note {
    std::uint32_t process = 0;
    std::string code; ///< stable word, "counters-missing"
    std::string text; ///< one line: what, which object, what to do
};

/// A known answer: a fact a correct profiler must report of a workload.
struct Expectation {
    std::string workload;
    std::string kernel;   ///< only launches whose kernel name holds this; empty = all of the workload
    std::string metric;   ///< metric or counter name
    std::string relation; ///< "==", "<=", ">=", "~" (within tolerance), or "verdict" (text holds the bound)
    double value = 0;
    double tolerance = 0; ///< relative, for "~"
    std::string text;     ///< for "verdict"
    std::string why;      ///< where the answer comes from
    bool gpuOnly = false;
    /// Another workload: `value` is then a factor on what that one reports of the same metric.
    std::string reference{};
};

/// Outcome of a functional check of a workload's result.
struct Check {
    std::string workload;
    bool passed = false;
    std::string detail; ///< what was compared, and the first difference when it failed
};

/// What the suite says of one of its workloads, so that a session explains itself.
struct Workload {
    std::string workload;                ///< "family/variant"
    std::string title;                   ///< of its family, "Sum of two vectors"
    std::string shows;                   ///< one sentence
    std::vector<std::string> parameters; ///< "name=value"
    std::string sweep;                   ///< Sweep::name of the sweep it is a point of; else empty
    std::string better; ///< the workload that does the same without the fault this one shows; else empty
    bool good = false;  ///< there is nothing to find in it
    bool wrongByDesign = false; ///< its result is wrong, which is what it shows
};

/// Workloads that differ in one or more parameters.
struct Sweep {
    std::string name;  ///< "access/offset"
    std::string title; ///< "Loads that begin K elements off"
    /// Names of the parameters that vary, as in Workload::parameters. One with numbers: an axis.
    std::vector<std::string> parameters;
    std::vector<std::string> metrics; ///< what is told of each point; the first is plotted
    std::string best;                 ///< "lowest" or "highest" of the first metric is best; empty: none is
};

/// Equal transfers of one run of a workload, added up; seen in the undisturbed pass.
struct Transfer {
    std::uint32_t process = 0;
    std::int32_t device = 0;
    TransferKind kind = TransferKind::None; ///< of faults there are `count`
    TransferDirection direction = TransferDirection::None;
    MemoryKind source = MemoryKind::None, destination = MemoryKind::None;
    std::uint64_t count = 1;
    std::uint64_t bytes = 0;          ///< of all
    std::optional<double> durationNs; ///< time on the device's copy engines, of all; absent where emulated
    std::optional<double> callNs;     ///< time the host spent in the calls, of all
    std::int64_t startNs = 0;         ///< of the first, since the epoch
    std::int64_t endNs = 0;           ///< of the last
    Spans spans{};                    ///< when the first of them ran, after startNs; empty where emulated
    bool asynchronous = false;        ///< the call may return before it is done
    std::uint64_t stream = 0;
    std::string workload;
    std::string nvtx;
};

/// A counter of a whole device over time, whatever ran on it: steps of equal length, one after the other.
struct DeviceActivity {
    std::uint32_t process = 0; ///< index into Session::processes()
    std::int32_t device = 0;   ///< Device::id in that process
    std::string counter;       ///< canonical name
    std::int64_t startNs = 0;  ///< since the epoch
    std::int64_t stepNs = 0;
    Series values{}; ///< of a sum: per second; of a rate, a share or a mean: its mean over the step
};

/// Equal calls that took or gave back memory, or told the driver of it, added up in the same way.
struct MemoryCall {
    std::uint32_t process = 0;
    std::string call; ///< of the driver's interface: "cuMemAlloc", "cuMemHostAlloc", "cuMemPrefetchAsync"
    MemoryKind memory = MemoryKind::None;
    std::uint64_t count = 1;
    std::uint64_t bytes = 0;          ///< of all; 0 when the call does not say
    std::optional<double> durationNs; ///< time the host spent in them, of all; absent where emulated
    std::int64_t startNs = 0;         ///< of the first, since the epoch
    std::string workload;
    std::string nvtx;
};

/// How far collection is; not stored.
struct Progress {
    std::string phase; ///< "timing", "counting", "checking"
    std::string workload;
    std::int32_t pass = 0, passes = 0; ///< 1-based
    std::int64_t launchesDone = 0, launchesExpected = 0;
    double secondsLeft = 0; ///< estimate; 0 = unknown
};

/// A measured ceiling (micro-benchmark) of a device.
struct MeasuredCeiling {
    std::int32_t device = 0;
    std::string resource; ///< "dram", "fp32", ...
    double perSecond = 0;
    std::string method;
};

} // namespace dormer::session
