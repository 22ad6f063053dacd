// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Launches from their start to their record. One that only waits, for another launch or for the host, stays
// under way: the call that launched it returns, and whoever has to wait for it lets all go on that are.

#include "instrument/emulator/runtime/records/line_counts.h"
#include "instrument/emulator/runtime/runtime.h"

#include "analysis/base/demangle.h"
#include "analysis/device/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace dormer::emulator::runtime {

namespace {

/// Waiting of all its blocks after which a launch is taken to wait for others: long for a machine that runs
/// its blocks in turns, and short for who counts what they look for in vain.
constexpr std::chrono::microseconds kPatience{1000};
/// The host's own threads and signals get so much time between two looks at launches that wait.
constexpr std::chrono::milliseconds kBetweenLooks{1};

cudaError_t errorOf(memory::Fault::Kind kind) {
    switch (kind) {
    case memory::Fault::Kind::IllegalAddress:
        return cudaErrorIllegalAddress;
    case memory::Fault::Kind::MisalignedAddress:
        return cudaErrorMisalignedAddress;
    case memory::Fault::Kind::InvalidAddressSpace:
        return cudaErrorInvalidAddressSpace;
    case memory::Fault::Kind::DivergentBarrier:
    case memory::Fault::Kind::Deadlock:
    case memory::Fault::Kind::Trap: // as __trap() gives it
        return cudaErrorLaunchFailure;
    case memory::Fault::Kind::Assert:
        return cudaErrorAssert;
    case memory::Fault::Kind::TimeLimit:
        return cudaErrorLaunchTimeout;
    case memory::Fault::Kind::OutOfMemory:
        return cudaErrorLaunchOutOfResources;
    case memory::Fault::Kind::Unsupported:
        return cudaErrorNotSupported;
    }
    return cudaErrorLaunchFailure;
}

session::LaunchSignature signatureOf(const KernelCall& call) {
    return {.kernel = reinterpret_cast<std::uintptr_t>(call.function),
            .grid = call.grid,
            .block = call.block,
            .dynamicSharedBytes = call.dynamicSharedBytes};
}

} // namespace

Outcome<void> Runtime::run(Stream& stream, const KernelCall& call, const GraphNode* node) {
    const program::Kernel& kernel = *call.function->kernel;
    const program::KernelFacts& facts = kernel.facts();
    m_underWay.push_back({.stream = &stream, .call = call});
    UnderWay& launch = m_underWay.back();
    Recorder::Plan& plan = launch.plan;
    if (m_recorder != nullptr) {
        instrument::collect::LaunchCall seen;
        seen.function = call.function;
        seen.mangledName = facts.name;
        seen.grid = call.grid;
        seen.block = call.block;
        seen.dynamicSharedBytes = call.dynamicSharedBytes;
        plan = node != nullptr             ? m_recorder->begins(std::move(seen), node->site, node->id)
               : m_deferredSite != nullptr ? m_recorder->begins(std::move(seen), *m_deferredSite)
                                           : m_recorder->begins(std::move(seen));
        if (plan.recorded) noteLimits(facts);
    }
    if (facts.readsClock) m_streams.readsClock();
    // A program that times its kernels itself needs predictions where nobody else asks for them.
    const bool known = m_streams.timed() && m_predicted.contains(signatureOf(call));
    engine::LaunchRequest& request = launch.request;
    request.grid = call.grid;
    request.block = call.block;
    request.cluster = call.cluster;
    request.explicitCluster = call.explicitCluster;
    request.dropFaults = m_recorder != nullptr && m_recorder->options().onFault == "continue";
    request.dynamicSharedBytes = call.dynamicSharedBytes;
    request.beginNs = m_streams.startNs(stream);
    request.parameters = launch.call.parameters;
    request.count = plan.counted || (m_streams.timed() && !known);
    request.sampleLanes = m_recorder != nullptr && m_recorder->options().lines && plan.notCounted.empty();
    request.watchStalls = m_recorder != nullptr && m_recorder->options().stalls && plan.recorded &&
                          plan.counted && plan.notCounted.empty();
    if (m_recorder != nullptr && !m_recorder->options().check.empty()) {
        const std::string& check = m_recorder->options().check;
        request.findRaces = instrument::stream::checksFor(check, "race");
        request.findUninitialized = instrument::stream::checksFor(check, "init");
        request.checkEveryBlock = true;
    }
    if (m_recorder != nullptr && m_recorder->options().timeLimitSeconds > 0) request.timeLimit = waitLimit();
    launch.running = executor().begin(kernel, request);
    // Others may go on by what this one does, and then this one by what they do.
    while (launch.running->advance(kPatience) != engine::Running::State::Ended) {
        bool anyAdvanced = false;
        for (UnderWay& other : m_underWay)
            if (&other != &launch) anyAdvanced = advance(other) || anyAdvanced;
        if (!anyAdvanced) return {};
    }
    launch.ended = true;
    return concludeEnded();
}

Outcome<void> Runtime::concludeEnded() {
    for (auto each = m_underWay.begin(); each != m_underWay.end();) {
        const auto next = std::next(each);
        if (each->ended)
            if (const Outcome<void> done = conclude(each); !done) return done;
        each = next;
    }
    return {};
}

bool Runtime::advance(UnderWay& launch) {
    if (launch.ended) return false;
    const engine::Running::State state = launch.running->advance(kPatience);
    launch.ended = state == engine::Running::State::Ended;
    return state != engine::Running::State::Waits;
}

std::chrono::nanoseconds Runtime::waitLimit() const {
    if (m_recorder != nullptr && m_recorder->options().timeLimitSeconds > 0)
        return std::chrono::nanoseconds(
            static_cast<std::int64_t>(1e9 * m_recorder->options().timeLimitSeconds));
    return engine::kWaitLimit;
}

Outcome<void> Runtime::conclude(std::list<UnderWay>::iterator which) {
    std::list<UnderWay> taken;
    taken.splice(taken.begin(), m_underWay, which);
    UnderWay& launch = taken.front();
    const KernelCall& call = launch.call;
    const program::Kernel& kernel = *call.function->kernel;
    const program::KernelFacts& facts = kernel.facts();
    const auto outcome = launch.running->outcome();
    if (!outcome) return faulted(launch.plan, facts, outcome.error());
    for (const std::string& place : outcome->undefined)
        say("emulator-undefined",
            fmt::format(
                "{}: {} names or reads lanes that do not execute it, or that are not in its mask: CUDA "
                "leaves the result undefined; bring all lanes of the mask to it",
                base::demangled(facts.name), place));
    for (const engine::LaunchOutcome::Dropped& each : outcome->dropped)
        if (m_dropped.insert(each.fault.kernel + each.fault.place).second)
            say("emulator-fault",
                fmt::format("{}; left out in {} of the kernel's threads, and the kernel went "
                            "on (--on-fault continue)",
                            memory::describe(each.fault), each.lanes));
    for (const engine::Undefined& hazard : outcome->hazards)
        say(hazard.code, hazard.text);

    const session::LaunchSignature signature = signatureOf(call);
    const auto known = m_streams.timed() ? m_predicted.find(signature) : m_predicted.end();
    Recorder::Ran ran;
    ran.stream = launch.stream->id;
    if (launch.request.count) {
        const std::string set =
            m_recorder != nullptr ? m_recorder->options().counterSet : std::string("none");
        ran.report = executor().report(kernel, launch.request, *outcome, set);
        m_streams.kernelRan(*launch.stream, ran.report->durationNs);
        if (m_streams.timed()) m_predicted[signature] = ran.report->durationNs;
    } else if (known != m_predicted.end()) {
        m_streams.kernelRan(*launch.stream, known->second);
    }
    if (m_recorder == nullptr || !launch.plan.recorded) return {};
    if (!launch.plan.counted) ran.report.reset(); // it was for the program's own timing
    if (const auto occupancy = device::theoreticalOccupancy(m_chip.device, describeKernel(facts), call.block,
                                                            call.dynamicSharedBytes))
        ran.blocksPerSm = occupancy->blocksPerSm;
    if (launch.request.sampleLanes) ran.lines = lineCounts(*outcome, kernel.source());
    if (launch.request.watchStalls) ran.stalls = outcome->stalls;
    ran.kernel = &kernel;
    m_recorder->ends(launch.plan, facts, std::move(ran));
    return {};
}

bool Runtime::precedes(const Stream& earlier, const Stream& later) const {
    if (&earlier == &later) return true;
    // The default stream waits for the blocking ones and they for it.
    const bool toDefault = &later == m_streams.defaultStream(),
               ofDefault = &earlier == m_streams.defaultStream();
    return (toDefault && earlier.flags != cudaStreamNonBlocking) ||
           (ofDefault && later.flags != cudaStreamNonBlocking);
}

Outcome<void> Runtime::finish(const Stream& stream) {
    const auto done = finishAll([&](const Stream& each) { return precedes(each, stream); }, true);
    return done ? Outcome<void>{} : std::unexpected(done.error());
}

Outcome<void> Runtime::finish() {
    const auto done = finishAll([](const Stream&) { return true; }, true);
    return done ? Outcome<void>{} : std::unexpected(done.error());
}

bool Runtime::finished(const Stream& stream) {
    const auto done = finishAll([&](const Stream& each) { return precedes(each, stream); }, false);
    return !done || *done; // the next call returns the error of a fault
}

Outcome<void> Runtime::awaitEvent(Stream& stream, const Event& event) {
    if (const Stream* recorded = m_streams.byId(event.streamId))
        if (const Outcome<void> ended = finish(*recorded); !ended) return ended;
    m_streams.wait(stream, event);
    return {};
}

Outcome<bool> Runtime::finishAll(const std::function<bool(const Stream&)>& wanted, bool mustEnd) {
    const auto isWanted = [&](const auto& each) { return wanted(*each.stream); };
    // Deferred work waits for what was launched before it alone, not for other deferred work.
    const auto allEnded = [&] {
        return std::ranges::none_of(m_underWay, isWanted) &&
               (m_deferredSite != nullptr || std::ranges::none_of(m_deferred, isWanted));
    };
    auto since = std::chrono::steady_clock::now();
    while (true) {
        if (allEnded()) return true;
        bool anyAdvanced = false;
        for (UnderWay& launch : m_underWay)
            anyAdvanced = advance(launch) || anyAdvanced;
        if (const Outcome<void> done = concludeEnded(); !done) return std::unexpected(done.error());
        const Outcome<bool> started = startDeferred();
        if (!started) return started;
        if (allEnded()) return true;
        const auto now = std::chrono::steady_clock::now();
        if (anyAdvanced || *started) {
            since = now;
            continue;
        }
        if (!mustEnd) return false;
        if (now - since >= waitLimit() && !m_underWay.empty()) {
            const auto wantedOne = std::ranges::find_if(m_underWay, isWanted);
            const UnderWay& first = wantedOne != m_underWay.end() ? *wantedOne : m_underWay.front();
            const memory::Fault fault = first.running->waiting(engine::givenUp(waitLimit()));
            const Recorder::Plan plan = first.plan;
            const program::KernelFacts& facts = first.call.function->kernel->facts();
            m_underWay.clear();
            m_deferred.clear();
            return std::unexpected(faulted(plan, facts, fault).error());
        }
        if (now - since >= waitLimit()) {
            m_deferred.clear();
            m_sticky = cudaErrorLaunchTimeout;
            return fails(m_sticky, "emulator-fault",
                         fmt::format("a stream waits for a value in memory (cuStreamWaitValue) that no other "
                                     "work and no host code writes; given up after {:.3g} s (--time-limit)",
                                     std::chrono::duration<double>(waitLimit()).count()));
        }
        // Another thread of the program may launch what this one waits for.
        m_mutex.unlock();
        std::this_thread::sleep_for(kBetweenLooks);
        m_mutex.lock();
    }
}

Outcome<void> Runtime::faulted(const Recorder::Plan& plan, const program::KernelFacts& facts,
                               const memory::Fault& fault) {
    const std::string text = memory::describe(fault);
    if (m_recorder != nullptr) m_recorder->failed(plan, facts, text);
    const cudaError_t code = errorOf(fault.kind);
    // The context is lost, as on a GPU: every later call returns the same.
    m_sticky = code;
    return fails(code, "emulator-fault", text);
}

void Runtime::noteLimits(const program::KernelFacts& facts) {
    const auto capability = static_cast<std::uint32_t>(m_chip.device.computeCapabilityMajor * 10 +
                                                       m_chip.device.computeCapabilityMinor);
    if (facts.ptxTarget > capability && !std::exchange(m_saidNewer, true))
        m_recorder->note(
            "ptx-newer",
            fmt::format("the program's PTX is for compute capability {}.{}, which a real {} would "
                        "refuse: CUDA 13 compiles for no older one",
                        facts.ptxTarget / 10, facts.ptxTarget % 10, m_chip.device.name));
    if (facts.registersEstimated && !std::exchange(m_saidEstimated, true))
        m_recorder->note(
            "registers-estimated",
            fmt::format("registers per thread are estimated, and occupancy with them: the program holds no "
                        "machine code that tells them (first seen in {0}); add -gencode arch=compute_{1},"
                        "code=sm_{1}",
                        base::demangled(facts.name), std::max(capability, kOldestPtx)));
}

} // namespace dormer::emulator::runtime
