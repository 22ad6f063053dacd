// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/graph.h"

#include <algorithm>

namespace dormer::emulator::runtime {

cudaGraphNodeType typeOf(const Task& work) {
    struct Visitor {
        cudaGraphNodeType operator()(const Nothing&) const { return cudaGraphNodeTypeEmpty; }
        cudaGraphNodeType operator()(const KernelCall&) const { return cudaGraphNodeTypeKernel; }
        cudaGraphNodeType operator()(const CopyCall&) const { return cudaGraphNodeTypeMemcpy; }
        cudaGraphNodeType operator()(const FillCall&) const { return cudaGraphNodeTypeMemset; }
        cudaGraphNodeType operator()(const HostCall&) const { return cudaGraphNodeTypeHost; }
        cudaGraphNodeType operator()(const EventCall& call) const {
            return call.record ? cudaGraphNodeTypeEventRecord : cudaGraphNodeTypeWaitEvent;
        }
        cudaGraphNodeType operator()(const ChildGraph&) const { return cudaGraphNodeTypeGraph; }
        cudaGraphNodeType operator()(const AllocateCall&) const { return cudaGraphNodeTypeMemAlloc; }
        cudaGraphNodeType operator()(const FreeCall&) const { return cudaGraphNodeTypeMemFree; }
        // Those are work of streams, never of graphs.
        cudaGraphNodeType operator()(const WordWait&) const { return cudaGraphNodeTypeEmpty; }
        cudaGraphNodeType operator()(const WordWrite&) const { return cudaGraphNodeTypeEmpty; }
        cudaGraphNodeType operator()(const ConditionalCall&) const { return cudaGraphNodeTypeConditional; }
    };
    return std::visit(Visitor{}, work);
}

namespace {

/// Graphs inside a node.
std::vector<std::shared_ptr<Graph>> graphsOf(const Task& work) {
    if (const auto* child = std::get_if<ChildGraph>(&work)) return {child->graph};
    if (const auto* conditional = std::get_if<ConditionalCall>(&work)) return conditional->bodies;
    return {};
}

/// The graph itself, or one inside its nodes, for which `wanted` holds.
template <typename Wanted>
std::shared_ptr<Graph> findGraph(const std::shared_ptr<Graph>& graph, const Wanted& wanted) {
    if (wanted(*graph)) return graph;
    for (const auto& node : graph->nodes)
        for (const std::shared_ptr<Graph>& inner : graphsOf(node->work))
            if (auto found = findGraph(inner, wanted)) return found;
    return nullptr;
}

} // namespace

void Graph::setConditions() const {
    for (const Condition& condition : conditions)
        if (condition.initial) *condition.value = *condition.initial;
}

GraphNode* Graph::find(const void* handle) const {
    const auto found =
        std::ranges::find(nodes, handle, [](const auto& node) -> const void* { return node.get(); });
    return found == nodes.end() ? nullptr : found->get();
}

Outcome<GraphNode*> Graph::add(Task work, instrument::collect::CallSite site,
                               const cudaGraphNode_t* dependencies, std::size_t count) {
    if (count > 0 && dependencies == nullptr) return fails(cudaErrorInvalidValue);
    auto node = std::make_unique<GraphNode>();
    for (std::size_t i = 0; i < count; ++i) {
        GraphNode* before = find(dependencies[i]);
        if (before == nullptr || std::ranges::find(node->dependencies, before) != node->dependencies.end())
            return fails(cudaErrorInvalidValue);
        node->dependencies.push_back(before);
    }
    node->work = std::move(work);
    node->site = std::move(site);
    static std::uint64_t lastId = 0; // calls of the API come one at a time
    node->id = ++lastId;
    node->graph = this;
    nodes.push_back(std::move(node));
    return nodes.back().get();
}

std::optional<std::vector<GraphNode*>> Graph::ordered() const {
    std::vector<GraphNode*> order;
    std::map<const GraphNode*, std::size_t> waitsFor;
    for (const auto& node : nodes)
        waitsFor[node.get()] = node->dependencies.size();
    while (order.size() < nodes.size()) {
        const std::size_t before = order.size();
        for (const auto& node : nodes) {
            const auto open = waitsFor.find(node.get());
            if (open == waitsFor.end() || open->second != 0) continue;
            order.push_back(node.get());
            waitsFor.erase(open);
            for (const auto& other : nodes)
                if (std::ranges::find(other->dependencies, node.get()) != other->dependencies.end())
                    --waitsFor[other.get()];
        }
        if (order.size() == before) return std::nullopt;
    }
    return order;
}

ClonedGraph clone(const Graph& graph) {
    ClonedGraph result{std::make_shared<Graph>(), {}};
    result.graph->conditions = graph.conditions;
    result.graph->userObjects = graph.userObjects;
    const auto cloneInside = [&result](std::shared_ptr<Graph>& inside) {
        ClonedGraph inner = clone(*inside);
        inside = inner.graph;
        result.nodes.merge(inner.nodes);
    };
    for (const auto& node : graph.nodes) {
        auto copy = std::make_unique<GraphNode>();
        copy->work = node->work;
        copy->id = node->id;
        copy->site = node->site;
        copy->enabled = node->enabled;
        copy->graph = result.graph.get();
        if (auto* child = std::get_if<ChildGraph>(&copy->work)) cloneInside(child->graph);
        if (auto* conditional = std::get_if<ConditionalCall>(&copy->work))
            for (std::shared_ptr<Graph>& body : conditional->bodies)
                cloneInside(body);
        result.nodes[node.get()] = copy.get();
        result.graph->nodes.push_back(std::move(copy));
    }
    for (const auto& node : graph.nodes)
        for (const GraphNode* before : node->dependencies)
            result.nodes[node.get()]->dependencies.push_back(result.nodes[before]);
    return result;
}

Graph* GraphTable::create() {
    return adopt(std::make_shared<Graph>());
}

Graph* GraphTable::adopt(std::shared_ptr<Graph> graph) {
    Graph* handle = graph.get();
    m_graphs[handle] = std::move(graph);
    return handle;
}

std::shared_ptr<Graph> GraphTable::share(const void* handle) const {
    const auto found = m_graphs.find(handle);
    if (found != m_graphs.end()) return found->second;
    // One inside a node, as cudaGraphChildGraphNodeGetGraph hands it out.
    for (const auto& [key, graph] : m_graphs)
        if (auto inside = findGraph(graph, [&](const Graph& each) { return &each == handle; })) return inside;
    return nullptr;
}

Graph* GraphTable::find(const void* handle) const {
    return share(handle).get();
}

bool GraphTable::destroy(const void* handle) {
    return m_graphs.erase(handle) != 0;
}

GraphNode* GraphTable::node(const void* handle) const {
    for (const auto& [key, graph] : m_graphs)
        if (const auto home =
                findGraph(graph, [&](const Graph& each) { return each.find(handle) != nullptr; }))
            return home->find(handle);
    return nullptr;
}

Outcome<GraphExec*> GraphTable::instantiate(const Graph& graph, unsigned long long flags) {
    auto exec = std::make_unique<GraphExec>();
    exec->clone = clone(graph);
    auto order = exec->clone.graph->ordered();
    if (!order) return fails(cudaErrorInvalidValue);
    exec->order = std::move(*order);
    exec->flags = flags;
    GraphExec* handle = exec.get();
    m_execs[handle] = std::move(exec);
    return handle;
}

GraphExec* GraphTable::findExec(const void* handle) const {
    const auto found = m_execs.find(handle);
    return found == m_execs.end() ? nullptr : found->second.get();
}

bool GraphTable::destroyExec(const void* handle) {
    return m_execs.erase(handle) != 0;
}

} // namespace dormer::emulator::runtime
