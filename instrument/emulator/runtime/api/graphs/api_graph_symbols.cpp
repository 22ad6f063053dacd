// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Nodes of graphs that copy from and to variables of the device.

#include "instrument/emulator/runtime/api/graphs/graph_params.h"
#include "instrument/emulator/runtime/api/graphs/node_calls.h"

using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::api;
using namespace dormer::emulator::runtime::api::nodes;

namespace {

Outcome<Task> symbolCopy(Runtime& r, const void* symbol, std::size_t offset, std::size_t count, void* host,
                         const void* source, cudaMemcpyKind kind) {
    const Outcome<Symbol*> found = r.modules().symbol(symbol);
    if (!found) return std::unexpected(found.error());
    if (offset > (*found)->bytes || count > (*found)->bytes - offset) return fails(cudaErrorInvalidValue);
    void* const inSymbol = reinterpret_cast<void*>((*found)->address + offset);
    return host != nullptr ? copyWork(r, host, inSymbol, count, kind)
                           : copyWork(r, inSymbol, source, count, kind);
}

} // namespace

extern "C" {

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, std::size_t count,
                                           const void* symbol, const void* from, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
    return add(node, graph, after, count,
               [&](Runtime& r) { return symbolCopy(r, symbol, offset, bytes, nullptr, from, kind); });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, std::size_t count, void* to,
                                             const void* symbol, std::size_t bytes, std::size_t offset,
                                             cudaMemcpyKind kind) {
    return add(node, graph, after, count,
               [&](Runtime& r) { return symbolCopy(r, symbol, offset, bytes, to, nullptr, kind); });
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* from,
                                                 std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
    return set(node, [&](Runtime& r) { return symbolCopy(r, symbol, offset, bytes, nullptr, from, kind); });
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to, const void* symbol,
                                                   std::size_t bytes, std::size_t offset,
                                                   cudaMemcpyKind kind) {
    return set(node, [&](Runtime& r) { return symbolCopy(r, symbol, offset, bytes, to, nullptr, kind); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from, std::size_t bytes,
                                                     std::size_t offset, cudaMemcpyKind kind) {
    return setExec(exec, node,
                   [&](Runtime& r) { return symbolCopy(r, symbol, offset, bytes, nullptr, from, kind); });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                                       const void* symbol, std::size_t bytes,
                                                       std::size_t offset, cudaMemcpyKind kind) {
    return setExec(exec, node,
                   [&](Runtime& r) { return symbolCopy(r, symbol, offset, bytes, to, nullptr, kind); });
}

} // extern "C"
