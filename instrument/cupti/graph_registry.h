// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "instrument/cupti/passes/backends.h"

#include <cuda.h>

#include <map>
#include <mutex>
#include <vector>

namespace dormer::instrument::cupti {

/// The graphs of the program: where each node was made, what became of it when its graph was made executable,
/// and how to run an executable graph node by node. Fed by CUPTI's callbacks. Thread-safe.
class GraphRegistry : public passes::GraphBackend {
public:
    static GraphRegistry& instance();

    /// A node was made or captured by the calling thread.
    void nodeCreated(CUgraphNode node, NodeFacts facts);
    void nodeCloned(CUgraphNode node, CUgraphNode original);
    void graphDestroyed(CUgraph graph);
    void nodeDestroyed(CUgraphNode node);
    /// Around the program's call that makes a graph executable; null when that failed.
    void instantiationBegins(CUgraph graph);
    void instantiationEnds(CUgraphExec executable);
    /// Parameters were set that the graph it was made of does not know of, or the other way round.
    void executableChanged(CUgraphExec executable);
    void nodeChanged(CUgraphNode node);
    void executableDestroyed(CUgraphExec executable);

    [[nodiscard]] NodeFacts node(std::uint64_t id) override;
    [[nodiscard]] std::uint64_t originalOf(std::uint64_t id) override;
    [[nodiscard]] Result<std::vector<std::uint64_t>> steps(const void* executable) override;
    [[nodiscard]] Result<void> isolate(const void* executable) override;
    [[nodiscard]] Result<void> runStep(const void* executable, const void* stream,
                                       std::size_t index) override;
    [[nodiscard]] Result<void> restore(const void* executable) override;

private:
    struct Step {
        CUgraphNode node = nullptr; ///< of the graph it was made from: that is how a node is named
        std::uint64_t id = 0;       ///< of that node
        bool kernel = false;
        bool enabled = true; ///< by the program
    };
    struct Executable {
        CUgraph source = nullptr;
        std::vector<Step> steps;
        std::string problem; ///< why it can't be run step by step; empty when it can
    };
    static Executable examine(CUgraph graph);
    [[nodiscard]] Executable* find(const void* executable);

    std::mutex m_mutex;
    std::map<std::uint64_t, NodeFacts> m_nodes;         ///< by CUPTI's number
    std::map<std::uint64_t, std::uint64_t> m_originals; ///< of a clone: the node it was made of
    std::map<CUgraphExec, Executable> m_executables;
};

} // namespace dormer::instrument::cupti
