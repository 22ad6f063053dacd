// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/emulator/runtime/api/api.h"

/// What the functions that add, change and read nodes of graphs have in common.
namespace dormer::emulator::runtime::api::nodes {

/// Adds a node with the work that `make` gives.
template <typename Make>
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                std::size_t count, Make&& make) {
    return call([&](Runtime& r) -> Outcome<void> {
        Graph* graph = r.graphs().find(handle);
        if (node == nullptr || graph == nullptr) return fails(cudaErrorInvalidValue);
        Outcome<Task> work = make(r);
        if (!work) return std::unexpected(work.error());
        const Outcome<GraphNode*> added = graph->add(std::move(*work), r.site(), dependencies, count);
        if (!added) return std::unexpected(added.error());
        *node = reinterpret_cast<cudaGraphNode_t>(*added);
        return {};
    });
}

inline Outcome<void> replace(GraphNode* node, Outcome<Task> work) {
    if (node == nullptr) return fails(cudaErrorInvalidValue);
    if (!work) return std::unexpected(work.error());
    if (typeOf(node->work) != typeOf(*work)) return fails(cudaErrorInvalidValue);
    node->work = std::move(*work);
    return {};
}

/// Gives a node of a graph other work of its type.
template <typename Make>
cudaError_t set(cudaGraphNode_t node, Make&& make) {
    return call([&](Runtime& r) { return replace(r.graphs().node(node), make(r)); });
}

/// The same for its copy in an instantiated graph.
template <typename Make>
cudaError_t setExec(cudaGraphExec_t handle, cudaGraphNode_t node, Make&& make) {
    return call([&](Runtime& r) -> Outcome<void> {
        const GraphExec* exec = r.graphs().findExec(handle);
        if (exec == nullptr) return fails(cudaErrorInvalidValue);
        const auto found = exec->clone.nodes.find(reinterpret_cast<const GraphNode*>(node));
        return replace(found == exec->clone.nodes.end() ? nullptr : found->second, make(r));
    });
}

/// Hands the node's work of this type to `give`.
template <typename Call, typename Give>
cudaError_t get(cudaGraphNode_t handle, Give&& give) {
    return call([&](Runtime& r) -> Outcome<void> {
        GraphNode* node = r.graphs().node(handle);
        Call* work = node != nullptr ? std::get_if<Call>(&node->work) : nullptr;
        if (work == nullptr) return fails(cudaErrorInvalidValue);
        give(*node, *work);
        return {};
    });
}

} // namespace dormer::emulator::runtime::api::nodes
