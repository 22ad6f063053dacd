// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "analysis/session/model.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What the pass controller needs of the hardware, so that a fake can stand in for it in tests.
namespace dormer::instrument::cupti::passes {

/// One kernel execution as the GPU timed it.
struct KernelTiming {
    std::uint32_t correlationId = 0; ///< ties it to the launch call
    std::string mangledName;
    std::int64_t startNs = 0, endNs = 0; ///< since the epoch
    std::uint64_t stream = 0;
    std::int32_t device = 0;
    std::uint32_t registersPerThread = 0;
    std::uint64_t staticSharedBytes = 0, dynamicSharedBytes = 0, localBytesPerThread = 0;
    session::Dim3 grid, block;
    std::uint64_t graphNode = 0; ///< CUPTI's number of the node of an executable graph; 0: no graph's
};

/// A copy or fill as the GPU did it, or pages that the driver moved.
struct TransferTiming {
    std::uint32_t correlationId = 0; ///< ties it to the call; 0 for what the driver did by itself
    std::uint64_t graphNode = 0;
    session::TransferKind kind = session::TransferKind::None;
    session::TransferDirection direction = session::TransferDirection::None;
    session::MemoryKind source = session::MemoryKind::None, destination = session::MemoryKind::None;
    std::uint64_t count = 1;
    std::uint64_t bytes = 0;
    std::int64_t startNs = 0, endNs = 0; ///< since the epoch; 0 when it could not be timed
    std::uint64_t stream = 0;
    std::int32_t device = 0;
    bool asynchronous = false;
};

/// What ran on the GPU.
struct Timings {
    std::vector<KernelTiming> kernels;
    std::vector<TransferTiming> transfers;
};

/// Times of what runs undisturbed.
class TimingBackend {
public:
    virtual ~TimingBackend() = default;
    [[nodiscard]] virtual Result<void> start() = 0;
    /// Waits for the GPU and returns all that ran since start().
    [[nodiscard]] virtual Result<Timings> stop() = 0;
    /// What could not be watched, in one line; empty when all was.
    [[nodiscard]] virtual std::string limitation() const { return {}; }
};

/// Hardware counters over named ranges, pass by pass.
class CounterBackend {
public:
    virtual ~CounterBackend() = default;
    /// Prepares for a sequence of this many ranges per pass.
    [[nodiscard]] virtual Result<void> configure(std::size_t ranges) = 0;
    [[nodiscard]] virtual int passes() const = 0;
    [[nodiscard]] virtual Result<void> startPass() = 0;
    [[nodiscard]] virtual Result<void> pushRange(const std::string& name) = 0;
    [[nodiscard]] virtual Result<void> popRange() = 0;
    /// Ends the pass; true when no further pass is needed.
    [[nodiscard]] virtual Result<bool> stopPass() = 0;
    /// Values by range name and canonical counter name, after the last pass. Values CUPTI lacks are left out.
    [[nodiscard]] virtual Result<std::map<std::string, std::map<std::string, double>>> decode() = 0;
};

/// All memory that a launch may change.
class MemoryBackend {
public:
    virtual ~MemoryBackend() = default;
    [[nodiscard]] virtual Result<void> save() = 0;
    /// As it was when it was saved; as often as needed.
    [[nodiscard]] virtual Result<void> restore() = 0;
    /// Gives back what save() took.
    virtual void release() = 0;
};

/// What runs on the GPU, for those who must not wait for ever: it may wait for what the program does next.
class RunningBackend {
public:
    virtual ~RunningBackend() = default;
    /// Whether nothing is under way; waits for it so long at most, and not at all while it still waits for
    /// what it gave up before.
    [[nodiscard]] virtual bool idle(std::int64_t waitNs) = 0;
    /// The stream's last launch is meant from now on.
    virtual void launched(const void* stream) = 0;
    /// Whether it has ended; waits for it so long at most.
    [[nodiscard]] virtual bool ended(std::int64_t waitNs) = 0;
};

/// What one launch's memory accesses and branches did.
struct CountedLines {
    std::vector<session::LineCounts> lines;  ///< by ascending pc
    std::optional<session::KernelCode> code; ///< of its kernel, whose number is left to the caller
    std::string limitation;                  ///< why the code tells a part only; empty when it tells all
};

/// Counts per instruction, launch by launch.
class LineBackend {
public:
    virtual ~LineBackend() = default;
    /// Before a launch.
    [[nodiscard]] virtual Result<void> begin() = 0;
    /// After it: waits for the GPU and returns what its memory accesses and branches did, by ascending pc.
    [[nodiscard]] virtual Result<std::vector<session::LineCounts>> end() = 0;
    /// The code of the kernel that end() counted last; its kernel's number is left to the caller. Absent when
    /// it was not seen.
    [[nodiscard]] virtual std::optional<session::KernelCode> code() { return std::nullopt; }
    /// Why code() tells a part only, in one line; empty when it tells all.
    [[nodiscard]] virtual std::string limitation() const { return {}; }
};

/// The program's executable graphs, node by node. A step is a node that does something; steps are counted
/// from 0 in an order that respects what each depends on.
class GraphBackend {
public:
    virtual ~GraphBackend() = default;
    /// Where a node was made or captured, and which kernel it is for; empty when that was not seen.
    struct NodeFacts {
        const void* function = nullptr; ///< CUfunction or CUkernel
        std::string mangledName;
        std::string workload, nvtx;
    };
    /// `node` as KernelTiming::graphNode has it.
    [[nodiscard]] virtual NodeFacts node(std::uint64_t node) = 0;
    /// The node it was copied from when its graph was made executable; 0 when it is no copy.
    [[nodiscard]] virtual std::uint64_t originalOf(std::uint64_t node) = 0;
    /// The steps' nodes, in the graph it was made of; the error says why it can't be run step by step.
    [[nodiscard]] virtual Result<std::vector<std::uint64_t>> steps(const void* executable) = 0;
    /// Switches all steps off, so that they can be run one at a time, and the program's own launch does
    /// nothing.
    [[nodiscard]] virtual Result<void> isolate(const void* executable) = 0;
    /// Runs one step alone and waits for it.
    [[nodiscard]] virtual Result<void> runStep(const void* executable, const void* stream,
                                               std::size_t step) = 0;
    /// Switches on again what was on.
    [[nodiscard]] virtual Result<void> restore(const void* executable) = 0;
};

/// What the driver says of a kernel's function; 0 for what it does not tell.
struct FunctionFacts {
    std::uint32_t maxThreadsPerBlock = 0;
    std::uint32_t registersPerThread = 0;
    std::uint64_t staticSharedBytes = 0;
    /// Stack frame of a thread: CUPTI's record of a launch says 0 for frames that were there (CUDA 13.0,
    /// H100).
    std::uint64_t localBytesPerThread = 0;
};

/// The few things done with the CUDA context itself.
class ContextBackend {
public:
    virtual ~ContextBackend() = default;
    virtual void synchronize() = 0;
    /// True while the stream of the program has something left to do.
    [[nodiscard]] virtual bool busy(const void* stream) = 0;
    /// Leaves L1 and L2 without lines of the program, none of them dirty.
    [[nodiscard]] virtual Result<void> flushCaches() = 0;
    /// Gives back the memory flushCaches() took, so that the program's next allocations lie where they would
    /// without us: kernels that stream several arrays run up to 15 % faster or slower by where those lie.
    virtual void releaseFlushBuffer() = 0;
    /// Resident blocks per SM by the driver's occupancy calculator; absent when it can't tell.
    [[nodiscard]] virtual std::optional<std::uint32_t>
    blocksPerSm(const void* function, std::uint32_t blockThreads, std::uint64_t dynamicSharedBytes) = 0;
    [[nodiscard]] virtual FunctionFacts functionFacts(const void* function) = 0;
    [[nodiscard]] virtual std::int64_t nowNs() = 0;
};

} // namespace dormer::instrument::cupti::passes
