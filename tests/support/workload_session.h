// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/session.h"
#include "tests/support/records.h"

namespace dormer::tests {

/// Two workloads, made up: "transfer/pinned" ran twice and only copied, "reduce/two" ran once and launched a
/// long kernel of 100, 300 and 500 ns and a short one of 10 and 20 ns.
inline session::Session workloadSession(session::Origin origin) {
    using namespace session;
    Session session;
    ProcessStart start;
    start.process.origin = origin;
    session.apply(start);
    session.apply(Device{});
    session.apply(NvtxRange{0, "transfer/pinned", 0, 1000});
    session.apply(NvtxRange{0, "transfer/pinned", 5000, 8000});
    session.apply(NvtxRange{0, "reduce/two", 9000, 9900});
    Transfer copy =
        transferOf(TransferKind::Copy, TransferDirection::HostToDevice, 4, 4 * 4096, "transfer/pinned");
    copy.source = MemoryKind::Pinned;
    copy.destination = MemoryKind::Device;
    copy.durationNs = 400;
    copy.callNs = 800;
    session.apply(copy);
    copy.direction = TransferDirection::DeviceToHost;
    copy.source = MemoryKind::Device;
    copy.destination = MemoryKind::Pinned;
    copy.count = 2;
    copy.bytes = 2 * 4096;
    copy.durationNs = 200;
    copy.callNs = 500;
    session.apply(copy);
    session.apply(
        transferOf(TransferKind::Migration, TransferDirection::HostToDevice, 1, 65536, "transfer/pinned"));
    session.apply(
        transferOf(TransferKind::Migration, TransferDirection::DeviceToHost, 1, 4096, "transfer/pinned"));
    session.apply(transferOf(TransferKind::GpuFault, TransferDirection::None, 6, 0, "transfer/pinned"));
    session.apply(transferOf(TransferKind::Copy, TransferDirection::HostToDevice, 1, 1 << 20)); // nobody's
    MemoryCall call = memoryCallOf("cuMemHostAlloc", MemoryKind::Pinned, 2, 8192, "transfer/pinned");
    call.durationNs = 100;
    session.apply(call);

    Kernel kernel;
    kernel.id = 0;
    kernel.name = "longKernel(float*)";
    session.apply(kernel);
    kernel.id = 1;
    kernel.name = "shortKernel(float*)";
    session.apply(kernel);
    std::uint64_t id = 0;
    const auto launch = [&](std::uint64_t of, double ns) {
        Launch record;
        record.id = id++;
        record.kernel = of;
        record.workload = "reduce/two";
        record.durationNs = ns;
        session.apply(record);
        session.apply(LaunchCounters{record.id, {{"some__counter.sum", of == 0 ? 7 : 1000}}, true});
    };
    for (const double ns : {500, 100, 300})
        launch(0, ns);
    for (const double ns : {10, 20})
        launch(1, ns);
    return session;
}

} // namespace dormer::tests
