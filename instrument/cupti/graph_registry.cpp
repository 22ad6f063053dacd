// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/graph_registry.h"

#include "instrument/cupti/activity/own_calls.h"
#include "instrument/cupti/host/cupti_error.h"

#include <cupti.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dormer::instrument::cupti {

namespace {

constexpr std::uint64_t kUnknownNode = 0;

std::uint64_t idOf(CUgraphNode node) {
    std::uint64_t id = kUnknownNode;
    return node != nullptr && cuptiGetGraphNodeId(node, &id) == CUPTI_SUCCESS ? id : kUnknownNode;
}

/// The graph that the calling thread is making executable.
thread_local CUgraph instantiating = nullptr;

std::vector<CUgraphNode> nodesOf(CUgraph graph) {
    std::size_t count = 0;
    DORMER_CUDA(cuGraphGetNodes(graph, nullptr, &count));
    std::vector<CUgraphNode> nodes(count);
    if (count > 0) DORMER_CUDA(cuGraphGetNodes(graph, nodes.data(), &count));
    return nodes;
}

struct Edges {
    std::vector<CUgraphNode> from, to;
};

Edges edgesOf(CUgraph graph) {
    std::size_t count = 0;
    Edges edges;
#if CUDA_VERSION >= 13000
    DORMER_CUDA(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    edges.from.resize(count);
    edges.to.resize(count);
    std::vector<CUgraphEdgeData> data(count);
    if (count > 0)
        DORMER_CUDA(cuGraphGetEdges(graph, edges.from.data(), edges.to.data(), data.data(), &count));
#else
    DORMER_CUDA(cuGraphGetEdges(graph, nullptr, nullptr, &count));
    edges.from.resize(count);
    edges.to.resize(count);
    if (count > 0) DORMER_CUDA(cuGraphGetEdges(graph, edges.from.data(), edges.to.data(), &count));
#endif
    return edges;
}

/// Every node after all it depends on. A graph has no circles.
std::vector<CUgraphNode> ordered(const std::vector<CUgraphNode>& nodes, const Edges& edges) {
    std::map<CUgraphNode, std::size_t> waitsFor;
    std::multimap<CUgraphNode, CUgraphNode> leadsTo;
    for (std::size_t i = 0; i < edges.from.size(); ++i) {
        ++waitsFor[edges.to[i]];
        leadsTo.emplace(edges.from[i], edges.to[i]);
    }
    std::vector<CUgraphNode> order;
    for (CUgraphNode node : nodes)
        if (!waitsFor.contains(node)) order.push_back(node);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto [first, last] = leadsTo.equal_range(order[i]);
        for (auto edge = first; edge != last; ++edge)
            if (--waitsFor[edge->second] == 0) order.push_back(edge->second);
    }
    return order;
}

const char* typeName(CUgraphNodeType type) {
    switch (type) {
    case CU_GRAPH_NODE_TYPE_HOST:
        return "a host function";
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return "a child graph";
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return "an event";
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return "an allocation";
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return "a condition";
    default:
        return "a node of another kind than kernels, copies and fills";
    }
}

/// CUDA can switch these on and off in an executable graph.
bool canBeSwitched(CUgraphNodeType type) {
    return type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY ||
           type == CU_GRAPH_NODE_TYPE_MEMSET;
}

/// Runs the kernel of a node by a launch of its own: CUPTI's counts of patched instructions do not end with a
/// range whose kernels a graph launched, but fall into the next that holds a plain launch.
void launchKernelOf(CUgraphNode node, CUstream stream) {
    CUDA_KERNEL_NODE_PARAMS params = {};
    DORMER_CUDA(cuGraphKernelNodeGetParams(node, &params));
    std::vector<CUlaunchAttribute> attributes;
    for (const CUlaunchAttributeID id :
         {CU_LAUNCH_ATTRIBUTE_COOPERATIVE, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION}) {
        CUlaunchAttribute attribute = {};
        attribute.id = id;
        DORMER_CUDA(cuGraphKernelNodeGetAttribute(node, id, &attribute.value));
        const bool set = id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE ? attribute.value.cooperative != 0
                                                               : attribute.value.clusterDim.x != 0;
        if (set) attributes.push_back(attribute);
    }
    CUlaunchConfig config = {};
    config.gridDimX = params.gridDimX;
    config.gridDimY = params.gridDimY;
    config.gridDimZ = params.gridDimZ;
    config.blockDimX = params.blockDimX;
    config.blockDimY = params.blockDimY;
    config.blockDimZ = params.blockDimZ;
    config.sharedMemBytes = params.sharedMemBytes;
    config.hStream = stream;
    config.attrs = attributes.data();
    config.numAttrs = static_cast<unsigned>(attributes.size());
    // The driver takes a CUkernel in place of a CUfunction.
    auto* const function = params.func != nullptr
                               ? params.func
                               : reinterpret_cast<CUfunction>(params.kern); // NOLINT: both handles
    DORMER_CUDA(cuLaunchKernelEx(&config, function, params.kernelParams, params.extra));
}

template <typename Work>
Result<void> guarded(Work work) {
    const activity::OwnCalls ours;
    try {
        work();
        return {};
    } catch (const host::CallError& error) {
        return failure(ErrorKind::Device, std::string("a graph can't be run node by node: ") + error.what());
    }
}

CUgraphExec asExecutable(const void* executable) {
    return static_cast<CUgraphExec>(const_cast<void*>(executable)); // NOLINT: handed through as a handle
}

} // namespace

GraphRegistry& GraphRegistry::instance() {
    static auto* const registry = new GraphRegistry; // CUPTI calls back until the process ends
    return *registry;
}

void GraphRegistry::nodeCreated(CUgraphNode node, passes::GraphBackend::NodeFacts facts) {
    const std::uint64_t id = idOf(node);
    const std::lock_guard lock(m_mutex);
    if (id != kUnknownNode) m_nodes[id] = std::move(facts);
}

void GraphRegistry::nodeCloned(CUgraphNode node, CUgraphNode original) {
    const std::uint64_t id = idOf(node);
    const std::uint64_t from = idOf(original);
    if (id == kUnknownNode || from == kUnknownNode) return;
    const std::lock_guard lock(m_mutex);
    m_originals[id] = from;
    if (const auto facts = m_nodes.find(from); facts != m_nodes.end()) m_nodes[id] = facts->second;
}

GraphRegistry::Executable GraphRegistry::examine(CUgraph graph) {
    const activity::OwnCalls ours;
    Executable made;
    made.source = graph;
    try {
        for (CUgraphNode node : ordered(nodesOf(graph), edgesOf(graph))) {
            CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
            DORMER_CUDA(cuGraphNodeGetType(node, &type));
            if (canBeSwitched(type))
                made.steps.push_back({node, idOf(node), type == CU_GRAPH_NODE_TYPE_KERNEL, true});
            else if (type != CU_GRAPH_NODE_TYPE_EMPTY)
                made.problem = fmt::format("its graph holds {}, which CUDA can't switch off to run kernels "
                                           "one at a time",
                                           typeName(type));
        }
    } catch (const host::CallError& error) {
        made.problem = std::string("its graph can't be examined: ") + error.what();
    }
    return made;
}

void GraphRegistry::instantiationBegins(CUgraph graph) {
    instantiating = graph;
}

void GraphRegistry::instantiationEnds(CUgraphExec executable) {
    CUgraph graph = std::exchange(instantiating, nullptr);
    if (graph == nullptr || executable == nullptr) return;
    Executable made = examine(graph);
    const std::lock_guard lock(m_mutex);
    m_executables[executable] = std::move(made);
}

void GraphRegistry::graphDestroyed(CUgraph graph) {
    const std::lock_guard lock(m_mutex);
    for (auto& [handle, executable] : m_executables)
        if (executable.source == graph)
            executable.problem =
                "the graph it was made of was destroyed: keep it while its launches are to be "
                "counted";
}

void GraphRegistry::nodeDestroyed(CUgraphNode node) {
    const std::lock_guard lock(m_mutex);
    for (auto& [handle, executable] : m_executables)
        if (executable.problem.empty() &&
            std::ranges::find(executable.steps, node, &Step::node) != executable.steps.end())
            executable.problem = "a node of the graph it was made of was destroyed";
}

void GraphRegistry::executableChanged(CUgraphExec executable) {
    const std::lock_guard lock(m_mutex);
    if (Executable* found = find(executable))
        found->problem = "its nodes were given other parameters after it was made executable";
}

void GraphRegistry::nodeChanged(CUgraphNode node) {
    const std::lock_guard lock(m_mutex);
    for (auto& [handle, executable] : m_executables)
        if (executable.problem.empty() &&
            std::ranges::find(executable.steps, node, &Step::node) != executable.steps.end())
            executable.problem = "a node of the graph it was made of was given other parameters since";
}

void GraphRegistry::executableDestroyed(CUgraphExec executable) {
    const std::lock_guard lock(m_mutex);
    m_executables.erase(executable);
}

GraphRegistry::Executable* GraphRegistry::find(const void* executable) {
    const auto found = m_executables.find(asExecutable(executable));
    return found != m_executables.end() ? &found->second : nullptr;
}

passes::GraphBackend::NodeFacts GraphRegistry::node(std::uint64_t id) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_nodes.find(id);
    return found != m_nodes.end() ? found->second : passes::GraphBackend::NodeFacts{};
}

Result<std::vector<std::uint64_t>> GraphRegistry::steps(const void* executable) {
    const std::lock_guard lock(m_mutex);
    const Executable* found = find(executable);
    if (found == nullptr)
        return failure(ErrorKind::Device, "its graph was made executable in a way that was not seen");
    if (!found->problem.empty()) return failure(ErrorKind::Device, found->problem);
    std::vector<std::uint64_t> ids;
    for (const Step& step : found->steps)
        ids.push_back(step.id);
    return ids;
}

std::uint64_t GraphRegistry::originalOf(std::uint64_t id) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_originals.find(id);
    return found != m_originals.end() ? found->second : kUnknownNode;
}

Result<void> GraphRegistry::isolate(const void* executable) {
    const std::lock_guard lock(m_mutex);
    Executable* found = find(executable);
    if (found == nullptr) return failure(ErrorKind::Device, "a graph was destroyed while it was launched");
    return guarded([&] {
        for (Step& step : found->steps) {
            unsigned enabled = 1;
            DORMER_CUDA(cuGraphNodeGetEnabled(asExecutable(executable), step.node, &enabled));
            step.enabled = enabled != 0;
            if (step.enabled) DORMER_CUDA(cuGraphNodeSetEnabled(asExecutable(executable), step.node, 0));
        }
    });
}

Result<void> GraphRegistry::runStep(const void* executable, const void* stream, std::size_t index) {
    const std::lock_guard lock(m_mutex);
    Executable* found = find(executable);
    if (found == nullptr || index >= found->steps.size())
        return failure(ErrorKind::Device, "a graph was destroyed while it was launched");
    const Step& step = found->steps[index];
    if (!step.enabled) return {};
    return guarded([&] {
        const auto handle = static_cast<CUstream>(const_cast<void*>(stream)); // NOLINT: a handle
        if (step.kernel) {
            launchKernelOf(step.node, handle);
        } else {
            DORMER_CUDA(cuGraphNodeSetEnabled(asExecutable(executable), step.node, 1));
            DORMER_CUDA(cuGraphLaunch(asExecutable(executable), handle));
            DORMER_CUDA(cuGraphNodeSetEnabled(asExecutable(executable), step.node, 0));
        }
        DORMER_CUDA(cuStreamSynchronize(handle));
    });
}

Result<void> GraphRegistry::restore(const void* executable) {
    const std::lock_guard lock(m_mutex);
    Executable* found = find(executable);
    if (found == nullptr) return failure(ErrorKind::Device, "a graph was destroyed while it was launched");
    return guarded([&] {
        for (const Step& step : found->steps)
            if (step.enabled) DORMER_CUDA(cuGraphNodeSetEnabled(asExecutable(executable), step.node, 1));
    });
}

} // namespace dormer::instrument::cupti
