// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/line_counts.h"
#include "instrument/emulator/runtime/runtime.h"
#include "instrument/emulator/runtime/transfers.h"

#include "analysis/device/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace dormer::emulator::runtime {

namespace {

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

session::Dim3 sizeOf(const dim3& size) {
    return {size.x, size.y, size.z};
}

} // namespace

Outcome<KernelCall> Runtime::prepare(const void* function, dim3 grid, dim3 block, void** arguments,
                                     std::size_t dynamicSharedBytes, bool cooperative) {
    KernelCall call;
    call.hostFunction = function;
    call.grid = sizeOf(grid);
    call.block = sizeOf(block);
    call.dynamicSharedBytes = dynamicSharedBytes;
    call.cooperative = cooperative;
    const Outcome<Function*> found = m_modules.function(function);
    if (!found) return std::unexpected(found.error());
    call.function = *found;
    const program::KernelFacts& facts = call.function->kernel->facts();
    if (auto refused = checkLaunch(m_chip, facts, call.function->maxDynamicSharedBytes,
                                   {call.grid, call.block, dynamicSharedBytes, cooperative}))
        return std::unexpected(std::move(*refused));
    if (!facts.parameters.empty() && arguments == nullptr) return fails(cudaErrorInvalidValue);
    call.parameters.resize(facts.parameterBytes);
    for (std::size_t i = 0; i < facts.parameters.size(); ++i)
        std::memcpy(call.parameters.data() + facts.parameters[i].offset, arguments[i],
                    facts.parameters[i].bytes);
    return call;
}

Outcome<void> Runtime::submit(cudaStream_t handle, Task work) {
    Stream* stream = m_streams.find(handle);
    if (stream == nullptr) return fails(cudaErrorContextIsDestroyed);
    if (stream->capture == nullptr) return perform(*stream, work);
    if (stream->capture->broken) return fails(cudaErrorStreamCaptureInvalidated);
    const Outcome<GraphNode*> node =
        stream->capture->graph->add(std::move(work), site(), stream->tail.data(), stream->tail.size());
    if (!node) return std::unexpected(node.error());
    stream->tail = {reinterpret_cast<cudaGraphNode_t>(*node)};
    return {};
}

instrument::collect::CallSite Runtime::site() const {
    return m_recorder != nullptr ? m_recorder->site() : instrument::collect::CallSite{};
}

Outcome<void> Runtime::perform(Stream& stream, const Task& work, const GraphNode* node) {
    struct Visitor {
        Runtime& runtime;
        Stream& stream;
        const GraphNode* node;
        Outcome<void> operator()(const Nothing&) const { return {}; }
        Outcome<void> operator()(const KernelCall& call) const { return runtime.run(stream, call, node); }
        Outcome<void> operator()(const CopyCall& call) const {
            call.copy.run();
            runtime.transferred(describe(call, runtime.m_memory), stream, node);
            return {};
        }
        Outcome<void> operator()(const FillCall& call) const {
            call.fill.run();
            runtime.transferred(describe(call, runtime.m_memory), stream, node);
            return {};
        }
        Outcome<void> operator()(const HostCall& call) const {
            call.function(call.data);
            return {};
        }
        Outcome<void> operator()(const EventCall& call) const {
            if (call.record)
                runtime.m_streams.record(*call.event, stream);
            else
                runtime.m_streams.wait(stream, *call.event);
            return {};
        }
        Outcome<void> operator()(const ChildGraph& child) const {
            const auto order = child.graph->ordered();
            return order ? runtime.runGraph(stream, *order) : fails(cudaErrorInvalidValue);
        }
        Outcome<void> operator()(const AllocateCall&) const {
            return {};
        }                                                              // the address was given at creation
        Outcome<void> operator()(const FreeCall&) const { return {}; } // a graph may run again
    };
    return std::visit(Visitor{*this, stream, node}, work);
}

Outcome<void> Runtime::runGraph(Stream& stream, const std::vector<GraphNode*>& order) {
    for (const GraphNode* node : order) {
        if (!node->enabled) continue;
        if (const Outcome<void> done = perform(stream, node->work, node); !done) return done;
    }
    return {};
}

Outcome<void> Runtime::run(Stream& stream, const KernelCall& call, const GraphNode* node) {
    const program::Kernel& kernel = *call.function->kernel;
    const program::KernelFacts& facts = kernel.facts();
    Recorder::Plan plan;
    if (m_recorder != nullptr) {
        instrument::collect::LaunchCall seen;
        seen.function = call.function;
        seen.mangledName = facts.name;
        seen.grid = call.grid;
        seen.block = call.block;
        seen.dynamicSharedBytes = call.dynamicSharedBytes;
        plan = node != nullptr ? m_recorder->begins(std::move(seen), node->site, node->id)
                               : m_recorder->begins(std::move(seen));
        if (plan.recorded) noteLimits(facts);
    }
    // A program that times its kernels itself needs predictions where nobody else asks for them.
    const session::LaunchSignature signature = signatureOf(call);
    const auto known = m_streams.timed() ? m_predicted.find(signature) : m_predicted.end();
    engine::LaunchRequest request;
    request.grid = call.grid;
    request.block = call.block;
    request.dynamicSharedBytes = call.dynamicSharedBytes;
    request.parameters = call.parameters;
    request.count = plan.counted || (m_streams.timed() && known == m_predicted.end());
    const bool lines = m_recorder != nullptr && m_recorder->options().lines && plan.notCounted.empty();
    request.sampleLanes = lines;
    if (m_recorder != nullptr && m_recorder->options().timeLimitSeconds > 0)
        request.timeLimit =
            std::chrono::nanoseconds(static_cast<std::int64_t>(1e9 * m_recorder->options().timeLimitSeconds));
    const auto outcome = executor().launch(kernel, request);
    if (!outcome) return faulted(plan, facts, outcome.error());
    for (const std::string& place : outcome->undefined)
        say("emulator-undefined",
            fmt::format(
                "{}: {} names or reads lanes that do not execute it, or that are not in its mask: CUDA "
                "leaves the result undefined; bring all lanes of the mask to it",
                base::demangled(facts.name), place));

    Recorder::Ran ran;
    ran.stream = stream.id;
    if (request.count) {
        const std::string set =
            m_recorder != nullptr ? m_recorder->options().counterSet : std::string("none");
        ran.report = executor().report(kernel, request, *outcome, set);
        m_streams.kernelRan(stream, ran.report->durationNs);
        if (m_streams.timed()) m_predicted[signature] = ran.report->durationNs;
    } else if (known != m_predicted.end()) {
        m_streams.kernelRan(stream, known->second);
    }
    if (m_recorder == nullptr || !plan.recorded) return {};
    if (!plan.counted) ran.report.reset(); // it was for the program's own timing
    if (const auto occupancy = device::theoreticalOccupancy(m_chip.device, describeKernel(facts), call.block,
                                                            call.dynamicSharedBytes))
        ran.blocksPerSm = occupancy->blocksPerSm;
    if (lines) {
        ran.lines = lineCounts(*outcome, kernel.source());
        ran.kernel = &kernel;
    }
    m_recorder->ends(plan, facts, std::move(ran));
    return {};
}

void Runtime::transferred(session::Transfer transfer, const Stream& stream, const GraphNode* node) {
    if (m_recorder == nullptr || transfer.bytes == 0) return;
    transfer.stream = stream.id;
    m_recorder->transferred(std::move(transfer),
                            node != nullptr ? instrument::collect::attributed(node->site, site()) : site());
}

void Runtime::memoryCalled(const char* call, session::MemoryKind memory, std::size_t bytes) {
    if (m_recorder == nullptr) return;
    session::MemoryCall record;
    record.call = call;
    record.memory = memory;
    record.bytes = bytes;
    m_recorder->memoryCalled(std::move(record));
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
