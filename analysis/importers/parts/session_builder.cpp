// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/parts/session_builder.h"

namespace dormer::importers {

std::uint32_t SessionBuilder::process(std::int32_t pid, const std::string& host, const std::string& program) {
    const auto index = static_cast<std::uint32_t>(m_processes.size());
    const auto [known, isNew] = m_processes.try_emplace({host, pid}, index);
    if (isNew) {
        session::Process process;
        process.pid = pid;
        process.host = host;
        process.program = program;
        process.origin = session::Origin::Imported;
        add(index, session::ProcessStart{std::move(process)});
    }
    return known->second;
}

void SessionBuilder::device(std::uint32_t process, const session::Device& device) {
    if (m_devices.emplace(process, device.id).second) add(process, device);
}

void SessionBuilder::launch(std::uint32_t process, session::Kernel kernel, session::Launch launch,
                            std::map<std::string, double> counters) {
    const KernelKey key{process, kernel.mangledName, kernel.name, kernel.registersPerThread,
                        kernel.staticSharedBytes};
    const auto [known, isNew] = m_kernels.try_emplace(key, m_kernels.size() + 1);
    launch.kernel = known->second;
    launch.id = m_launches++;
    if (isNew) {
        kernel.id = known->second;
        add(process, std::move(kernel));
    }
    launch.counted = !counters.empty();
    const std::uint64_t id = launch.id;
    add(process, std::move(launch));
    if (!counters.empty()) add(process, session::LaunchCounters{id, std::move(counters), true});
}

void SessionBuilder::add(std::uint32_t process, session::Record record) {
    m_session.apply(record, process);
}

void SessionBuilder::note(std::uint32_t process, std::string code, std::string text) {
    add(process, session::Note{process, std::move(code), std::move(text)});
}

} // namespace dormer::importers
