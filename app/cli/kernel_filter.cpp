// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/kernel_filter.h"

#include "analysis/store/session_file.h"

#include <functional>
#include <set>

namespace dormer::cli {

namespace {

/// Launches that `keeps` accepts, and workloads that a kept launch or `keepsName` stands for.
session::Session keepLaunches(const session::Session& session,
                              const std::function<bool(session::LaunchIndex)>& keeps,
                              const std::function<bool(const std::string&)>& keepsName) {
    std::set<std::pair<std::uint32_t, std::uint64_t>> kept, keptKernels;
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const session::LaunchIndex index{i};
        const session::Launch& launch = session.launch(index);
        if (keeps(index)) {
            kept.emplace(launch.process, launch.id);
            keptKernels.emplace(launch.process, session.kernelOf(index).id);
        }
    }
    std::set<std::string> workloads; // by name, or because a kernel of theirs is kept
    const auto keepsWorkload = [&](const std::string& workload) {
        return workloads.contains(workload) || keepsName(workload);
    };
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const session::Launch& launch = session.launches()[i];
        if (kept.contains({launch.process, launch.id}) && !launch.workload.empty())
            workloads.insert(launch.workload);
    }
    session::Session filtered;
    for (const auto& [process, record] : store::recordsOf(session)) {
        const auto* launch = std::get_if<session::Launch>(&record);
        const auto* counters = std::get_if<session::LaunchCounters>(&record);
        if (launch != nullptr && !kept.contains({process, launch->id})) continue;
        if (counters != nullptr && !kept.contains({process, counters->launch})) continue;
        const auto* lines = std::get_if<session::LaunchLines>(&record);
        if (lines != nullptr && !kept.contains({process, lines->launch})) continue;
        const auto* samples = std::get_if<session::WarpSamples>(&record);
        if (samples != nullptr && !keptKernels.contains({process, samples->kernel})) continue;
        const auto* workload = std::get_if<session::Workload>(&record);
        if (workload != nullptr && !keepsWorkload(workload->workload)) continue;
        const auto* transfer = std::get_if<session::Transfer>(&record);
        if (transfer != nullptr && !keepsWorkload(transfer->workload)) continue;
        const auto* call = std::get_if<session::MemoryCall>(&record);
        if (call != nullptr && !keepsWorkload(call->workload)) continue;
        filtered.apply(record, process);
    }
    return filtered;
}

} // namespace

session::Session keepKernels(const session::Session& session, const session::NameFilter& filter) {
    return keepLaunches(
        session,
        [&](session::LaunchIndex launch) {
            return filter.matches(session.launch(launch).workload, session.kernelOf(launch).name);
        },
        [&](const std::string& workload) { return filter.matches(workload); });
}

session::Session keepWhere(const session::Session& session, const filter::Where& where) {
    const diagnosis::Diagnosis diagnosis{session};
    return keepLaunches(
        session, [&](session::LaunchIndex launch) { return where.accepts(diagnosis, launch); },
        [](const std::string&) { return false; });
}

} // namespace dormer::cli
