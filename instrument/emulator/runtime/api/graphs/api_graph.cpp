// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Graphs: making, reading and running them. Parameters of nodes are in api_graph_nodes.cpp.

#include "instrument/emulator/runtime/api/api.h"

#include <algorithm>
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;

namespace {

template <typename Body>
cudaError_t withGraph(cudaGraph_t handle, Body&& body) {
    return call([&](Runtime& r) -> Outcome<void> {
        Graph* graph = r.graphs().find(handle);
        if (graph == nullptr) return fails(cudaErrorInvalidValue);
        return body(r, *graph);
    });
}

template <typename Body>
cudaError_t withNode(cudaGraphNode_t handle, Body&& body) {
    return call([&](Runtime& r) -> Outcome<void> {
        GraphNode* node = r.graphs().node(handle);
        if (node == nullptr) return fails(cudaErrorInvalidValue);
        return body(r, *node);
    });
}

cudaGraphNode_t handleOf(const GraphNode* node) {
    return reinterpret_cast<cudaGraphNode_t>(const_cast<GraphNode*>(node)); // NOLINT: handles are not const
}

/// CUDA's way to hand out lists: asks for the count with a null array, then for at most `count` entries, the
/// rest of the array nulled.
Outcome<void> giveNodes(const std::vector<const GraphNode*>& nodes, cudaGraphNode_t* to, std::size_t* count) {
    if (count == nullptr) return fails(cudaErrorInvalidValue);
    if (to != nullptr)
        for (std::size_t i = 0; i < *count; ++i)
            to[i] = i < nodes.size() ? handleOf(nodes[i]) : nullptr;
    *count = nodes.size();
    return {};
}

Outcome<void> instantiate(Runtime& r, cudaGraphExec_t* exec, const Graph& graph, unsigned long long flags) {
    if (exec == nullptr) return fails(cudaErrorInvalidValue);
    if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0)
        return lacking("a graph launched from the device");
    const Outcome<GraphExec*> made = r.graphs().instantiate(graph, flags);
    if (!made) return std::unexpected(made.error());
    *exec = reinterpret_cast<cudaGraphExec_t>(*made);
    return {};
}

} // namespace

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
    return call([&](Runtime& r) -> Outcome<void> {
        if (graph == nullptr || flags != 0) return fails(cudaErrorInvalidValue);
        *graph = reinterpret_cast<cudaGraph_t>(r.graphs().create());
        return {};
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    return call([&](Runtime& r) -> Outcome<void> {
        return r.graphs().destroy(graph) ? Outcome<void>{} : fails(cudaErrorInvalidValue);
    });
}

cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t original) {
    return withGraph(original, [&](Runtime& r, Graph& graph) -> Outcome<void> {
        if (copy == nullptr) return fails(cudaErrorInvalidValue);
        *copy = reinterpret_cast<cudaGraph_t>(r.graphs().adopt(clone(graph).graph));
        return {};
    });
}

/// Copies of a node keep its number.
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t copy) {
    return withGraph(copy, [&](Runtime& r, Graph& graph) -> Outcome<void> {
        const GraphNode* const source = r.graphs().node(original);
        if (node == nullptr || source == nullptr || source->graph == &graph)
            return fails(cudaErrorInvalidValue);
        const auto found =
            std::ranges::find(graph.nodes, source->id, [](const auto& each) { return each->id; });
        if (found == graph.nodes.end()) return fails(cudaErrorInvalidValue);
        *node = handleOf(found->get());
        return {};
    });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, std::size_t* count) {
    return withGraph(handle, [&](Runtime&, Graph& graph) {
        std::vector<const GraphNode*> all;
        for (const auto& node : graph.nodes)
            all.push_back(node.get());
        return giveNodes(all, nodes, count);
    });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t* nodes, std::size_t* count) {
    return withGraph(handle, [&](Runtime&, Graph& graph) {
        std::vector<const GraphNode*> roots;
        for (const auto& node : graph.nodes)
            if (node->dependencies.empty()) roots.push_back(node.get());
        return giveNodes(roots, nodes, count);
    });
}

cudaError_t cudaGraphGetEdges(cudaGraph_t handle, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* data, std::size_t* count) {
    return withGraph(handle, [&](Runtime&, Graph& graph) -> Outcome<void> {
        std::vector<const GraphNode*> starts, ends;
        for (const auto& node : graph.nodes) {
            for (const GraphNode* before : node->dependencies) {
                starts.push_back(before);
                ends.push_back(node.get());
            }
        }
        if (count == nullptr || (from == nullptr) != (to == nullptr)) return fails(cudaErrorInvalidValue);
        if (data != nullptr) std::fill_n(data, std::min(*count, starts.size()), cudaGraphEdgeData{});
        std::size_t asked = *count;
        if (const Outcome<void> given = giveNodes(starts, from, count); !given) return given;
        return giveNodes(ends, to, &asked);
    });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* type) {
    return withNode(handle, [&](Runtime&, GraphNode& node) -> Outcome<void> {
        if (type == nullptr) return fails(cudaErrorInvalidValue);
        *type = typeOf(node.work);
        return {};
    });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* data, std::size_t* count) {
    return withNode(handle, [&](Runtime&, GraphNode& node) -> Outcome<void> {
        if (data != nullptr && count != nullptr) std::fill_n(data, *count, cudaGraphEdgeData{});
        return giveNodes({node.dependencies.begin(), node.dependencies.end()}, nodes, count);
    });
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t handle, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* data, std::size_t* count) {
    return withNode(handle, [&](Runtime&, GraphNode& node) -> Outcome<void> {
        std::vector<const GraphNode*> dependents;
        for (const auto& other : node.graph->nodes)
            if (std::ranges::find(other->dependencies, &node) != other->dependencies.end())
                dependents.push_back(other.get());
        if (data != nullptr && count != nullptr) std::fill_n(data, *count, cudaGraphEdgeData{});
        return giveNodes(dependents, nodes, count);
    });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*, std::size_t count) {
    return withGraph(handle, [&](Runtime&, Graph& graph) -> Outcome<void> {
        for (std::size_t i = 0; i < count; ++i) {
            GraphNode* start = graph.find(from[i]);
            GraphNode* end = graph.find(to[i]);
            if (start == nullptr || end == nullptr || start == end ||
                std::ranges::find(end->dependencies, start) != end->dependencies.end())
                return fails(cudaErrorInvalidValue);
            end->dependencies.push_back(start);
        }
        return {};
    });
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t handle, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        std::size_t count) {
    return withGraph(handle, [&](Runtime&, Graph& graph) -> Outcome<void> {
        for (std::size_t i = 0; i < count; ++i) {
            GraphNode* end = graph.find(to[i]);
            if (end == nullptr || std::erase(end->dependencies, graph.find(from[i])) == 0)
                return fails(cudaErrorInvalidValue);
        }
        return {};
    });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle) {
    return withNode(handle, [&](Runtime&, GraphNode& node) -> Outcome<void> {
        Graph& graph = *node.graph;
        for (const auto& other : graph.nodes)
            std::erase(other->dependencies, &node);
        std::erase_if(graph.nodes, [&](const auto& other) { return other.get() == &node; });
        return {};
    });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t handle, unsigned long long flags) {
    return withGraph(handle, [&](Runtime& r, Graph& graph) { return instantiate(r, exec, graph, flags); });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
    return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
    if (parameters == nullptr) return Runtime::lastError() = cudaErrorInvalidValue;
    const cudaError_t error = cudaGraphInstantiate(exec, graph, parameters->flags);
    parameters->errNode_out = nullptr;
    parameters->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
    return error;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
    return call([&](Runtime& r) -> Outcome<void> {
        return r.graphs().destroyExec(exec) ? Outcome<void>{} : fails(cudaErrorInvalidValue);
    });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t handle, unsigned long long* flags) {
    return call([&](Runtime& r) -> Outcome<void> {
        const GraphExec* exec = r.graphs().findExec(handle);
        if (exec == nullptr || flags == nullptr) return fails(cudaErrorInvalidValue);
        *flags = exec->flags;
        return {};
    });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t handle, cudaStream_t stream) {
    return call([&](Runtime& r) -> Outcome<void> {
        const bool known = r.graphs().findExec(handle) != nullptr && r.streams().find(stream) != nullptr;
        return known ? Outcome<void>{} : fails(cudaErrorInvalidValue);
    });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t handle, cudaStream_t streamHandle) {
    return call([&](Runtime& r) -> Outcome<void> {
        const GraphExec* exec = r.graphs().findExec(handle);
        Stream* stream = r.streams().find(streamHandle);
        if (exec == nullptr || stream == nullptr) return fails(cudaErrorInvalidValue);
        // In a captured stream it becomes a child graph, as it stands now.
        if (stream->capture != nullptr)
            return r.submit(streamHandle, ChildGraph{clone(*exec->clone.graph).graph});
        return r.launchGraph(*stream, *exec);
    });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t handle, cudaGraph_t graphHandle,
                                cudaGraphExecUpdateResultInfo* info) {
    return withGraph(graphHandle, [&](Runtime& r, Graph& graph) -> Outcome<void> {
        GraphExec* exec = r.graphs().findExec(handle);
        if (exec == nullptr) return fails(cudaErrorInvalidValue);
        if (info != nullptr) *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
        const auto changed = [&](cudaGraphExecUpdateResult what, const GraphNode* node) {
            if (info != nullptr) *info = {what, node != nullptr ? handleOf(node) : nullptr, nullptr};
            return fails(cudaErrorGraphExecUpdateFailure);
        };
        const auto& old = exec->clone.graph->nodes;
        if (old.size() != graph.nodes.size())
            return changed(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
        for (std::size_t i = 0; i < old.size(); ++i) {
            const GraphNode& node = *graph.nodes[i];
            if (typeOf(node.work) != typeOf(old[i]->work))
                return changed(cudaGraphExecUpdateErrorNodeTypeChanged, &node);
            if (node.dependencies.size() != old[i]->dependencies.size())
                return changed(cudaGraphExecUpdateErrorTopologyChanged, &node);
        }
        // Handles of the graph it was made from go on naming its nodes.
        ClonedGraph fresh = clone(graph);
        for (const auto& [original, copy] : exec->clone.nodes) {
            const auto at = std::ranges::find(old, copy, [](const auto& node) { return node.get(); });
            if (at != old.end())
                fresh.nodes.emplace(original,
                                    fresh.graph->nodes[static_cast<std::size_t>(at - old.begin())].get());
        }
        exec->clone = std::move(fresh);
        auto order = exec->clone.graph->ordered();
        if (!order) return changed(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
        exec->order = std::move(*order);
        return {};
    });
}

} // extern "C"

DORMER_PER_THREAD(cudaGraphInstantiateWithParams, ptsz);
DORMER_PER_THREAD(cudaGraphUpload, ptsz);
DORMER_PER_THREAD(cudaGraphLaunch, ptsz);
