// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/store/session_file.h"

#include "analysis/store/session_database.h"

namespace dormer::store {

void forEachRecord(const session::Session& session,
                   const std::function<void(std::uint32_t, const session::Record&)>& visit) {
    for (std::uint32_t i = 0; i < session.processes().size(); ++i) {
        session::ProcessStart start{session.processes()[i]};
        start.process.exitCode.reset();
        start.process.signal.reset();
        visit(i, start);
    }
    // By place in devices(), so that they appear in the same order again.
    for (std::size_t at = 0; at < session.devices().size(); ++at) {
        const auto emit = [&](bool first) {
            for (const auto& [key, device] : session.deviceIndex()) {
                if (device != at || (key.second == session.devices()[at].id) != first) continue;
                session::Device record = session.devices()[at];
                record.id = key.second;
                visit(key.first, record);
            }
        };
        emit(true); // an entry has the ordinal it first appeared with
        emit(false);
    }
    for (std::size_t i = 0; i < session.kernels().size(); ++i)
        visit(session.processOfKernel(i), session.kernels()[i]);

    const session::CounterTable& counters = session.counters();
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        session::Launch launch = session.launches()[i];
        session::LaunchCounters values{launch.id, {}, launch.counted};
        launch.kernel = session.kernels()[launch.kernel].id;
        const std::uint32_t process = launch.process;
        launch.process = 0; // a record's process is told beside it
        for (std::size_t column = 0; column < counters.names().size(); ++column) {
            if (const auto value = counters.get(session::LaunchIndex{i}, column)) {
                values.values.emplace(counters.names()[column], *value);
            }
        }
        // A launch is complete when its counters have come, as when it was collected.
        if (!values.values.empty()) launch.counted = false;
        visit(process, launch);
        if (const auto lines = session.lines(session::LaunchIndex{i}); !lines.empty())
            visit(process, session::LaunchLines{values.launch, {lines.begin(), lines.end()}});
        if (!values.values.empty()) visit(process, values);
    }
    const auto ofProcess = [&](auto record) {
        const std::uint32_t process = std::exchange(record.process, 0);
        visit(process, record);
    };
    for (const session::NvtxRange& range : session.ranges())
        ofProcess(range);
    for (const session::Note& note : session.notes())
        ofProcess(note);
    for (const session::Expectation& expectation : session.expectations())
        visit(0, expectation);
    for (const session::Check& check : session.checks())
        visit(0, check);
    for (const session::MeasuredCeiling& ceiling : session.measuredCeilings()) {
        // Sent by a process that has the device, by its own number.
        session::MeasuredCeiling record = ceiling;
        std::uint32_t sender = 0;
        for (const auto& [key, device] : session.deviceIndex()) {
            if (session.devices()[device].id != ceiling.device) continue;
            sender = key.first;
            record.device = key.second;
            break;
        }
        visit(sender, record);
    }
    for (const session::Workload& workload : session.workloads())
        visit(0, workload);
    for (const session::Sweep& sweep : session.sweeps())
        visit(0, sweep);
    for (const session::Transfer& transfer : session.transfers())
        ofProcess(transfer);
    for (const session::DeviceActivity& activity : session.deviceActivity())
        ofProcess(activity);
    for (const session::MemoryCall& call : session.memoryCalls())
        ofProcess(call);
    for (const session::SourceFile& source : session.sources())
        visit(0, source);
    for (const session::KernelCode& code : session.kernelCode()) {
        session::KernelCode record = code;
        record.kernel = session.kernels()[code.kernel].id;
        visit(session.processOfKernel(code.kernel), record);
    }
    for (const session::SignatureCounter& sampled : session.signatureCounters()) {
        session::SignatureCounter record = sampled;
        record.kernel = session.kernels()[sampled.kernel].id;
        ofProcess(std::move(record));
    }
    for (std::size_t i = 0; i < session.kernels().size(); ++i)
        for (const auto& [pc, states] : session.warpSamples(i))
            visit(session.processOfKernel(i), session::WarpSamples{session.kernels()[i].id, pc, states});
    for (const std::string& json : session.unknownRecords())
        visit(0, session::Unknown{json});
    for (std::uint32_t i = 0; i < session.processes().size(); ++i) {
        const session::Process& process = session.processes()[i];
        if (process.exitCode || process.signal)
            visit(i, session::ProcessEnd{process.exitCode, process.signal});
    }
}

std::vector<std::pair<std::uint32_t, session::Record>> recordsOf(const session::Session& session) {
    std::vector<std::pair<std::uint32_t, session::Record>> records;
    forEachRecord(session, [&](std::uint32_t process, const session::Record& record) {
        records.emplace_back(process, record);
    });
    return records;
}

} // namespace dormer::store
