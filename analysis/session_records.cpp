// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session_file.h"

#include "analysis/session_database.h"

namespace dormer::analysis {

void forEachRecord(const Session& session, const std::function<void(std::uint32_t, const Record&)>& visit) {
    for (std::uint32_t i = 0; i < session.processes().size(); ++i) {
        ProcessStart start{session.processes()[i]};
        start.process.exitCode.reset();
        start.process.signal.reset();
        visit(i, start);
    }
    // By place in devices(), so that they appear in the same order again.
    for (std::size_t at = 0; at < session.devices().size(); ++at) {
        const auto emit = [&](bool first) {
            for (const auto& [key, device] : session.deviceIndex()) {
                if (device != at || (key.second == session.devices()[at].id) != first) continue;
                Device record = session.devices()[at];
                record.id = key.second;
                visit(key.first, record);
            }
        };
        emit(true); // an entry has the ordinal it first appeared with
        emit(false);
    }
    for (std::size_t i = 0; i < session.kernels().size(); ++i)
        visit(session.processOfKernel(i), session.kernels()[i]);

    const CounterTable& counters = session.counters();
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        Launch launch = session.launches()[i];
        LaunchCounters values{launch.id, {}, launch.counted};
        launch.kernel = session.kernels()[launch.kernel].id;
        const std::uint32_t process = launch.process;
        launch.process = 0; // a record's process is told beside it
        for (std::size_t column = 0; column < counters.names().size(); ++column) {
            if (const auto value = counters.get(LaunchIndex{i}, column)) {
                values.values.emplace(counters.names()[column], *value);
            }
        }
        // A launch is complete when its counters have come, as when it was collected.
        if (!values.values.empty()) launch.counted = false;
        visit(process, launch);
        if (const auto lines = session.lines(LaunchIndex{i}); !lines.empty())
            visit(process, LaunchLines{values.launch, {lines.begin(), lines.end()}});
        if (!values.values.empty()) visit(process, values);
    }
    const auto ofProcess = [&](auto record) {
        const std::uint32_t process = std::exchange(record.process, 0);
        visit(process, record);
    };
    for (const NvtxRange& range : session.ranges())
        ofProcess(range);
    for (const Note& note : session.notes())
        ofProcess(note);
    for (const Expectation& expectation : session.expectations())
        visit(0, expectation);
    for (const Check& check : session.checks())
        visit(0, check);
    for (const MeasuredCeiling& ceiling : session.measuredCeilings()) {
        // Sent by a process that calls the device by the number the session does.
        std::uint32_t sender = 0;
        for (const auto& [key, device] : session.deviceIndex()) {
            if (key.second == ceiling.device && session.devices()[device].id == ceiling.device) {
                sender = key.first;
                break;
            }
        }
        visit(sender, ceiling);
    }
    for (const Workload& workload : session.workloads())
        visit(0, workload);
    for (const Sweep& sweep : session.sweeps())
        visit(0, sweep);
    for (const Transfer& transfer : session.transfers())
        ofProcess(transfer);
    for (const MemoryCall& call : session.memoryCalls())
        ofProcess(call);
    for (const SourceFile& source : session.sources())
        visit(0, source);
    for (const KernelCode& code : session.kernelCode()) {
        KernelCode record = code;
        record.kernel = session.kernels()[code.kernel].id;
        visit(session.processOfKernel(code.kernel), record);
    }
    for (const std::string& json : session.unknownRecords())
        visit(0, Unknown{json});
    for (std::uint32_t i = 0; i < session.processes().size(); ++i) {
        const Process& process = session.processes()[i];
        if (process.exitCode || process.signal) visit(i, ProcessEnd{process.exitCode, process.signal});
    }
}

std::vector<std::pair<std::uint32_t, Record>> recordsOf(const Session& session) {
    std::vector<std::pair<std::uint32_t, Record>> records;
    forEachRecord(
        session, [&](std::uint32_t process, const Record& record) { records.emplace_back(process, record); });
    return records;
}

} // namespace dormer::analysis
