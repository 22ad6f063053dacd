// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"

namespace dormer::tests {

inline const std::vector<session::LaunchIndex> kLineLaunches{session::LaunchIndex{0},
                                                             session::LaunchIndex{1}};

/// Two launches of one kernel with five instructions on four lines: two strided loads, a conflicting store
/// inlined twice over, a branch that parts only in the second launch, and one without line information.
inline session::Session lineSession() {
    using namespace session;
    Session session;
    Process process;
    process.program = "a.out";
    session.apply(ProcessStart{process});
    Device device;
    device.name = "NVIDIA H100";
    session.apply(device);
    Kernel kernel;
    kernel.name = "k(float*)";
    session.apply(kernel);
    for (std::uint64_t id = 0; id < 2; ++id) {
        Launch launch;
        launch.id = id;
        launch.durationNs = 1e5;
        session.apply(launch);
        LineCounts load;
        load.file = "/src/a.cu";
        load.line = 5;
        load.pc = 0x10;
        load.instruction = "LDG";
        load.space = MemorySpace::Global;
        load.op = MemoryOperation::Load;
        load.widthBytes = 4;
        load.executions = 10;
        load.threads = 320;
        load.sectors = 320;
        load.sectorsIdeal = 40;
        load.tags = 320;
        LineCounts second = load;
        second.pc = 0x20;
        LineCounts store;
        store.file = "/src/b.cuh";
        store.line = 9;
        store.inlinedAt = {{"/src/b.cuh", 20}, {"/src/a.cu", 6}};
        store.function = "put(float*)";
        store.pc = 0x30;
        store.instruction = "STS";
        store.space = MemorySpace::Shared;
        store.op = MemoryOperation::Store;
        store.widthBytes = 4;
        store.executions = 10;
        store.wavefronts = 310;
        store.wavefrontsIdeal = 10;
        LineCounts branch;
        branch.file = "/src/a.cu";
        branch.line = 7;
        branch.pc = 0x40;
        branch.instruction = "BRA";
        branch.op = MemoryOperation::Branch;
        branch.executions = 10;
        if (id == 1) branch.divergent = 3;
        LineCounts nowhere;
        nowhere.pc = 0x50;
        nowhere.space = MemorySpace::Local;
        nowhere.op = MemoryOperation::Load;
        nowhere.executions = 1;
        session.apply(LaunchLines{id, {load, second, store, branch, nowhere}});
    }
    return session;
}

} // namespace dormer::tests
