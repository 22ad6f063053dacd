// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/records/transfers.h"
#include "instrument/emulator/runtime/runtime.h"

#include <cstring>

namespace dormer::emulator::runtime {

namespace {

session::Dim3 sizeOf(const dim3& size) {
    return {size.x, size.y, size.z};
}

} // namespace

Outcome<KernelCall> Runtime::prepare(const void* function, dim3 grid, dim3 block, void** arguments,
                                     std::size_t dynamicSharedBytes, bool cooperative,
                                     std::optional<session::Dim3> cluster) {
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
    if (!cluster && facts.cluster[0] != 0)
        cluster = session::Dim3{facts.cluster[0], facts.cluster[1], facts.cluster[2]};
    if (const session::Dim3& set = call.function->cluster; !cluster && set.count() != 0) cluster = set;
    call.explicitCluster = cluster.has_value();
    call.cluster = cluster.value_or(session::Dim3{1, 1, 1});
    if (auto refused = checkLaunch(m_chip, facts, call.function->maxDynamicSharedBytes,
                                   {call.grid, call.block, dynamicSharedBytes, cooperative, call.cluster,
                                    call.explicitCluster, call.function->nonPortableClusters}))
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
    if (m_deferredSite != nullptr) return *m_deferredSite;
    return m_recorder != nullptr ? m_recorder->site() : instrument::collect::CallSite{};
}

Outcome<void> Runtime::performNow(Stream& stream, const Task& work, const GraphNode* node) {
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
            if (!call.record) return runtime.awaitEvent(stream, *call.event);
            runtime.m_streams.record(*call.event, stream);
            return {};
        }
        Outcome<void> operator()(const ChildGraph& child) const {
            return runtime.runGraph(stream, *child.graph);
        }
        Outcome<void> operator()(const ConditionalCall& call) const {
            bool again = true;
            while (again) {
                const unsigned value = *call.value;
                again = call.type == cudaGraphCondTypeWhile && value != 0;
                // Of two bodies of an "if" the second is its "else".
                const std::size_t body = call.type == cudaGraphCondTypeSwitch ? value : value != 0 ? 0 : 1;
                if (body >= call.bodies.size()) return {};
                if (const Outcome<void> done = runtime.runGraph(stream, *call.bodies[body]); !done)
                    return done;
                if (const Outcome<void> ended = runtime.finish(stream); !ended) return ended;
            }
            return {};
        }
        Outcome<void> operator()(const WordWait&) const { return {}; } // its turn has come when it is over
        Outcome<void> operator()(const WordWrite& call) const {
            call.word.write(call.value);
            return {};
        }
        Outcome<void> operator()(const AllocateCall&) const {
            return {};
        } // the address was given at creation
        Outcome<void> operator()(const FreeCall& call) const {
            return call.ofGraph || runtime.m_memory.release(call.address) ? Outcome<void>{}
                                                                          : fails(cudaErrorInvalidValue);
        }
    };
    return std::visit(Visitor{*this, stream, node}, work);
}

Outcome<void> Runtime::runGraph(Stream& stream, const Graph& graph) {
    const auto order = graph.ordered();
    if (!order) return fails(cudaErrorInvalidValue);
    graph.setConditions();
    return runGraph(stream, *order);
}

Outcome<void> Runtime::runGraph(Stream& stream, const std::vector<GraphNode*>& order) {
    for (const GraphNode* node : order) {
        if (!node->enabled) continue;
        if (const Outcome<void> done = perform(stream, node->work, node); !done) return done;
    }
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

} // namespace dormer::emulator::runtime
