// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/model.h"
#include "instrument/collect/call_site.h"
#include "instrument/emulator/runtime/copy.h"
#include "instrument/emulator/runtime/memory_words.h"
#include "instrument/emulator/runtime/modules.h"

#include <cstdint>
#include <map>
#include <memory>
#include <variant>
#include <vector>

namespace dormer::emulator::runtime {

struct Event;
struct Graph;

/// Attributes a program gave a stream or a kernel node, by their numbers: the emulator keeps them for the
/// program's own calls, and acts on those that the launch itself has.
using LaunchAttributes = std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue>;

/// A launch with its parameters copied, ready to run now or later.
struct KernelCall {
    const void* hostFunction = nullptr; ///< as the program named it
    Function* function = nullptr;       ///< loaded
    session::Dim3 grid, block;
    std::uint64_t dynamicSharedBytes = 0;
    bool cooperative = false;
    session::Dim3 cluster;        ///< in blocks
    bool explicitCluster = false; ///< the launch or the kernel names it
    std::vector<std::byte> parameters;
    LaunchAttributes attributes;
};

struct CopyCall {
    Copy copy;
    cudaMemcpy3DParms parameters = {}; ///< as the program gave them, for the graph API
    bool asynchronous = true;          ///< the program's call may return before it is done
};
struct FillCall {
    Fill fill;
    cudaMemsetParams parameters = {};
    bool asynchronous = true;
};
struct HostCall {
    cudaHostFn_t function = nullptr;
    void* data = nullptr;
};
struct EventCall {
    Event* event = nullptr;
    bool record = true; ///< else wait
};
struct ChildGraph {
    std::shared_ptr<Graph> graph;
};
struct AllocateCall {
    cudaMemAllocNodeParams parameters = {};
};
struct FreeCall {
    std::uint64_t address = 0;
    bool ofGraph = true; ///< whose memory stays, as the graph may run again
};
/// Runs one of the bodies, or one for as long as the handle's value says.
struct ConditionalCall {
    cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
    const unsigned* value = nullptr; ///< the handle's, in device memory
    std::vector<std::shared_ptr<Graph>> bodies;
    std::shared_ptr<std::vector<cudaGraph_t>> handles; ///< of the bodies, for the program
};
struct Nothing {};

/// What a stream or a graph node does.
using Task = std::variant<Nothing, KernelCall, CopyCall, FillCall, HostCall, EventCall, ChildGraph,
                          AllocateCall, FreeCall, ConditionalCall, WordWait, WordWrite>;

struct GraphNode {
    Task work;
    std::uint64_t id = 0;               ///< unique in the process; copies of the node keep it
    instrument::collect::CallSite site; ///< of the call that made it
    Graph* graph = nullptr;
    std::vector<GraphNode*> dependencies;
    bool enabled = true;
    std::vector<void*> argumentPointers; ///< what cudaGraphKernelNodeGetParams hands out
};
[[nodiscard]] cudaGraphNodeType typeOf(const Task& work);

/// A cudaGraphConditionalHandle is the address of its value, which kernels set.
struct Condition {
    unsigned* value = nullptr;
    std::optional<unsigned> initial; ///< at each launch of the graph
};

/// What a program wants destroyed once nobody needs it any more (cudaUserObjectCreate).
struct UserObject {
    void* data = nullptr;
    cudaHostFn_t destroy = nullptr;
    unsigned references = 0; ///< of the program; those of graphs are shared pointers
};

struct Graph {
    std::vector<std::unique_ptr<GraphNode>> nodes; ///< in order of creation, which respects dependencies
    std::vector<Condition> conditions;
    std::vector<std::shared_ptr<UserObject>> userObjects; ///< once for each reference
    void setConditions() const;                           ///< before each run
    /// Dependencies must be nodes of this graph.
    [[nodiscard]] Outcome<GraphNode*> add(Task work, instrument::collect::CallSite site,
                                          const cudaGraphNode_t* dependencies, std::size_t count);
    [[nodiscard]] GraphNode* find(const void* handle) const;
    /// Every node after all it depends on; nothing when they go round in a circle.
    [[nodiscard]] std::optional<std::vector<GraphNode*>> ordered() const;
};

/// A copy of a graph, and where its nodes went.
struct ClonedGraph {
    std::shared_ptr<Graph> graph;
    std::map<const GraphNode*, GraphNode*> nodes;
};
[[nodiscard]] ClonedGraph clone(const Graph& graph);

/// A graph made ready to run. Later changes to the graph it was made from don't reach it.
struct GraphExec {
    ClonedGraph clone;
    std::vector<GraphNode*> order;
    unsigned long long flags = 0;
};

/// Graphs of the program; a cudaGraph_t is the address of a Graph, a cudaGraphExec_t that of a GraphExec.
class GraphTable {
public:
    [[nodiscard]] Graph* create();
    [[nodiscard]] Graph* adopt(std::shared_ptr<Graph> graph);
    [[nodiscard]] Graph* find(const void* handle) const;
    [[nodiscard]] std::shared_ptr<Graph> share(const void* handle) const;
    bool destroy(const void* handle);
    /// The node, in whatever graph it lies.
    [[nodiscard]] GraphNode* node(const void* handle) const;

    [[nodiscard]] Outcome<GraphExec*> instantiate(const Graph& graph, unsigned long long flags);
    [[nodiscard]] GraphExec* findExec(const void* handle) const;
    bool destroyExec(const void* handle);

private:
    std::map<const void*, std::shared_ptr<Graph>> m_graphs;
    std::map<const void*, std::unique_ptr<GraphExec>> m_execs;
};

} // namespace dormer::emulator::runtime
