// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/hostile_session.h"

#include "tests/support/records.h"

namespace dormer::tests {

using namespace session;

Session hostileSession() {
    Session session;
    Process process;
    process.program = kHostileName;
    process.arguments = {kHostileName};
    process.host = kHostileName;
    process.counterSet = kHostileName;
    process.cacheControl = kHostileName;
    process.passes = 1;
    session.apply(ProcessStart{process});
    Device device;
    device.name = kHostileName;
    device.computeCapabilityMajor = 9;
    device.smCount = 132;
    device.smClockMaxHz = 1.98e9;
    device.memoryClockMaxHz = 2.619e9;
    device.memoryBusBits = 5120;
    session.apply(device);
    Kernel kernel;
    kernel.name = kHostileName;
    session.apply(kernel);
    Launch launch;
    launch.workload = kHostileName;
    launch.nvtx = kHostileName;
    launch.grid = {1024, 1, 1};
    launch.block = {256, 1, 1};
    launch.durationNs = 1e5;
    session.apply(launch);
    session.apply(LaunchCounters{0,
                                 {{"dram__bytes_read.sum", 1e8},
                                  {"dram__bytes_write.sum", 1e7},
                                  {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1e7},
                                  {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0},
                                  {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 0},
                                  {kHostileName, 1}},
                                 true});
    LineCounts line;
    line.file = kHostileName;
    line.line = 1;
    line.inlinedAt = {{kHostileName, 1}};
    line.function = kHostileName;
    line.instruction = kHostileName;
    session.apply(LaunchLines{0, {line}});
    session.apply(Note{0, "hostile", kHostileName});
    session.apply(Check{kHostileName, false, kHostileName});
    session.apply(Expectation{kHostileName, "", "flops_fp32", "==", 7, 0, "", kHostileName, false});
    // A sweep of two, and transfers, of hostile names.
    for (const std::string& name : {std::string(kHostileName), kHostileName + std::string("2")}) {
        Workload workload;
        workload.workload = name;
        workload.title = workload.shows = workload.sweep = workload.better = kHostileName;
        workload.parameters = {kHostileName + std::string("=") + name};
        session.apply(workload);
    }
    session.apply(Sweep{kHostileName, kHostileName, {kHostileName}, {kHostileName, "duration_ns"}, "lowest"});
    Transfer transfer = transferOf(TransferKind::Unknown, TransferDirection::Unknown, 1, 7, kHostileName);
    transfer.source = transfer.destination = MemoryKind::Unknown;
    transfer.nvtx = kHostileName;
    session.apply(transfer);
    MemoryCall call = memoryCallOf(kHostileName, MemoryKind::Unknown, 1, 0);
    call.nvtx = kHostileName;
    session.apply(call);
    session.apply(ProcessEnd{0, std::nullopt});
    return session;
}

} // namespace dormer::tests
