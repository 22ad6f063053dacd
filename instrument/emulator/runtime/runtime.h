// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/runtime/arrays.h"
#include "instrument/emulator/runtime/copy.h"
#include "instrument/emulator/runtime/launch_check.h"
#include "instrument/emulator/runtime/modules.h"
#include "instrument/emulator/runtime/records/recorder.h"
#include "instrument/emulator/runtime/streams.h"

#include <chrono>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace dormer::emulator::runtime {

/// The emulated device of this process and everything the program made on it. One call of the API runs at a
/// time: work is done when the call returns, in every stream, but for launches that wait for others or the
/// host.
class Runtime {
public:
    using MakeExecutor = std::function<std::unique_ptr<Executor>(const device::Chip&, memory::DeviceMemory&,
                                                                 unsigned threads)>;
    /// `recorder` may be null: nobody watches.
    Runtime(const device::Chip& chip, MakeExecutor makeExecutor, Recorder* recorder, unsigned threads = 0);

    /// Made at the first call, from the environment; lives until the process ends.
    static Runtime& instance();
    /// Puts another one in its place, for tests; returns what was there.
    static Runtime* exchange(Runtime* other);

    [[nodiscard]] const device::Chip& chip() const { return m_chip; }
    [[nodiscard]] memory::DeviceMemory& memory() { return m_memory; }
    [[nodiscard]] Executor& executor();
    [[nodiscard]] ModuleTable& modules() { return m_modules; }
    [[nodiscard]] StreamTable& streams() { return m_streams; }
    [[nodiscard]] GraphTable& graphs() { return m_graphs; }
    [[nodiscard]] ArrayTable& arrays() { return m_arrays; }
    [[nodiscard]] CopyMaker copies() const { return {m_memory, m_arrays}; }
    /// Flags of pinned host memory, by address.
    [[nodiscard]] std::unordered_map<const void*, unsigned>& hostFlags() { return m_hostFlags; }
    [[nodiscard]] std::map<cudaLimit, std::size_t>& limits() { return m_limits; }
    /// Allocations of graphs, by address: they keep it, whoever frees them, as the graph may run again.
    [[nodiscard]] std::map<std::uint64_t, std::size_t>& graphMemory() { return m_graphMemory; }
    [[nodiscard]] unsigned& deviceFlags() { return m_deviceFlags; }

    /// Does the work now, or adds it to the graph when the stream is being captured.
    [[nodiscard]] Outcome<void> submit(cudaStream_t stream, Task work);
    /// Does it now, or, if it need not be done when the call returns, once the launches end that wait for the
    /// host or for others and that it comes after. `node` is the graph's node whose work it is: always now.
    [[nodiscard]] Outcome<void> perform(Stream& stream, const Task& work, const GraphNode* node = nullptr);
    /// The same for an instantiated graph.
    [[nodiscard]] Outcome<void> launchGraph(Stream& stream, const GraphExec& exec);
    /// Records an event behind the stream's work.
    void recordEvent(Stream& stream, Event& event);
    /// A record of the event that has not been done yet; tries to do it before it says so.
    [[nodiscard]] bool isPending(const Event& event);
    /// The program destroys it: nobody records it any more.
    void forget(const Event& event);
    /// Does the work of a graph's nodes now, in this order.
    [[nodiscard]] Outcome<void> runGraph(Stream& stream, const std::vector<GraphNode*>& order);
    [[nodiscard]] Outcome<void> runGraph(Stream& stream, const Graph& graph);
    /// Where in the program the calling thread is, if anybody watches.
    [[nodiscard]] instrument::collect::CallSite site() const;
    /// A launch the program asks for, checked, its parameters copied.
    [[nodiscard]] Outcome<KernelCall> prepare(const void* function, dim3 grid, dim3 block, void** arguments,
                                              std::size_t dynamicSharedBytes, bool cooperative,
                                              std::optional<session::Dim3> cluster = std::nullopt);
    /// Ends the launches that a stream has under way and those it waits for; all.
    [[nodiscard]] Outcome<void> finish(const Stream& stream);
    [[nodiscard]] Outcome<void> finish();
    /// Lets the stream's launches go on; true when none is left.
    [[nodiscard]] bool finished(const Stream& stream);
    /// Has the stream wait for an event.
    [[nodiscard]] Outcome<void> awaitEvent(Stream& stream, const Event& event);
    [[nodiscard]] Outcome<std::uint64_t> allocate(std::size_t bytes, memory::Allocation::Kind kind);
    /// Has a call for memory recorded, by the name it has in the driver's interface.
    void memoryCalled(const char* call, session::MemoryKind memory, std::size_t bytes = 0);

    /// Names what the process has loaded that can't be emulated, once each.
    void lookAtLibraries();
    /// The process loaded another driver than the emulated one.
    [[nodiscard]] bool otherDriver() const { return m_otherDriver; }
    /// The program called the runtime's interface, not only the driver's.
    [[nodiscard]] bool& used() { return m_used; }

    /// One line for the user on stderr and a note in the session, once each.
    void say(const std::string& note, const std::string& text);
    /// What the program gets for a failure; a fault of a kernel stays for every later call.
    cudaError_t report(const Failure& failure);
    [[nodiscard]] std::recursive_mutex& mutex() { return m_mutex; }
    [[nodiscard]] cudaError_t stickyError() const { return m_sticky; }
    /// The process is about to exit: ends what is under way.
    void programEnds();
    /// cudaDeviceReset: the program starts anew.
    void reset();
    static cudaError_t& lastError(); ///< of the calling thread

private:
    /// A launch that has not been recorded yet.
    struct UnderWay {
        Stream* stream = nullptr;
        KernelCall call;
        Recorder::Plan plan = {};
        engine::LaunchRequest request = {};
        std::unique_ptr<engine::Running> running = nullptr;
        bool ended = false;
    };
    /// Work that has not been done yet, in the order of its calls.
    struct Deferred {
        Stream* stream = nullptr;
        Task work;
        instrument::collect::CallSite site;
        const Stream* awaits = nullptr; ///< whose work comes before, too; may be null
    };
    [[nodiscard]] Outcome<void> performNow(Stream& stream, const Task& work, const GraphNode* node);
    [[nodiscard]] bool mayWait(const Task& work) const;
    [[nodiscard]] bool isDeferred(const Stream& stream) const; ///< something that comes before its next work
    [[nodiscard]] bool blocked(std::list<Deferred>::const_iterator work) const;
    /// Does what is no longer blocked; true when there was any.
    [[nodiscard]] Outcome<bool> startDeferred();
    [[nodiscard]] Outcome<void> run(Stream& stream, const KernelCall& call, const GraphNode* node);
    static bool advance(UnderWay& launch); ///< true when it got further
    /// Whether work of a stream has to end before later work of another begins.
    [[nodiscard]] bool precedes(const Stream& earlier, const Stream& later) const;
    [[nodiscard]] Outcome<void> concludeEnded();
    [[nodiscard]] Outcome<void> conclude(std::list<UnderWay>::iterator launch);
    /// Ends the work of the streams for which `wanted` holds, while the others go on, too. False when it
    /// would have to wait for the host or others, and must not.
    [[nodiscard]] Outcome<bool> finishAll(const std::function<bool(const Stream&)>& wanted, bool mustEnd);
    [[nodiscard]] std::chrono::nanoseconds waitLimit() const;
    void transferred(session::Transfer transfer, const Stream& stream, const GraphNode* node);
    Outcome<void> faulted(const Recorder::Plan& plan, const program::KernelFacts& facts,
                          const memory::Fault& fault);
    void
    noteLimits(const program::KernelFacts& facts); ///< what the session has to say of the program, once each

    const device::Chip& m_chip;
    MakeExecutor m_makeExecutor;
    Recorder* m_recorder;
    unsigned m_threads;
    std::recursive_mutex m_mutex;
    memory::DeviceMemory m_memory;
    std::unique_ptr<Executor> m_executor;
    ModuleTable m_modules;
    StreamTable m_streams;
    GraphTable m_graphs;
    ArrayTable m_arrays;
    std::unordered_map<const void*, unsigned> m_hostFlags;
    std::map<cudaLimit, std::size_t> m_limits;
    std::map<std::uint64_t, std::size_t> m_graphMemory;
    unsigned m_deviceFlags = 0;
    std::list<UnderWay> m_underWay;
    std::list<Deferred> m_deferred;
    const instrument::collect::CallSite* m_deferredSite =
        nullptr; ///< of the deferred work that is being done
    cudaError_t m_sticky = cudaSuccess;
    std::set<std::string> m_said;
    std::set<std::string> m_dropped; ///< kernels and places whose faults were said and left out
    /// Durations in ns, for launches that aren't counted.
    std::unordered_map<session::LaunchSignature, double, session::LaunchSignatureHash> m_predicted;
    bool m_saidEstimated = false, m_saidNewer = false;
    bool m_used = false, m_otherDriver = false;
    std::set<std::string> m_foreign; ///< paths of libraries that were named
};

} // namespace dormer::emulator::runtime
