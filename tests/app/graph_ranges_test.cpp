// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Kernels that a CUDA graph launches belong to the code that put them into the graph.

#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <map>
#include <set>

using namespace dormer;
using namespace dormer::tests;

TEST_CASE("a graph's kernels carry the range of their capture and the workload of their replay",
          "[profile]") {
    const std::map<std::string, std::string> ranges{
        {"graphs/launched_one_by_one", "graphs/launched_one_by_one"},
        {"graphs/captured", "graphs/captured > capture"},
        {"graphs/replayed", "graphs/replayed > capture"},
        {"graphs/nodes_added", "graphs/nodes_added > add nodes"},
        {"graphs/two_branches", "graphs/two_branches > capture"}};
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const CliResult run = runCli(
        {"run", "graphs", "--on", "emulator", "--size", "512", "--repeat", "2", "--verify", "-o", file},
        {{"DORMER_HOME", DORMER_BIN_DIR "/.."}});
    INFO(run.out << run.err);
    REQUIRE(run.exitCode == 0);
    const auto session = store::loadSession(file);
    REQUIRE(session);
    std::map<std::string, std::map<std::string, int>> launches; // of each range of each workload
    std::map<std::string, std::set<std::uint64_t>> nodes;
    for (const session::Launch& launch : session->launches()) {
        ++launches[launch.workload][launch.nvtx];
        if (launch.graphNode) nodes[launch.workload].insert(*launch.graphNode);
    }
    CHECK(launches.size() == ranges.size());
    for (const auto& [workload, range] : ranges) {
        // Twice 25 kernels of each rod.
        CHECK(launches[workload] ==
              std::map<std::string, int>{{range + " > rod 0", 50}, {range + " > rod 1", 50}});
    }
    // A graph that is kept has the same 50 nodes in each replay; one captured anew has others.
    CHECK(nodes["graphs/replayed"].size() == 50);
    CHECK(nodes["graphs/nodes_added"].size() == 50);
    CHECK(nodes["graphs/captured"].size() == 100);
    CHECK_FALSE(nodes.contains("graphs/launched_one_by_one"));
}
