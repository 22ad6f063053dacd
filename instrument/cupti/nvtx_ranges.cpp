// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/nvtx_ranges.h"

namespace dormer::instrument {

namespace {
void append(std::string& path, const std::string& name) {
    if (!path.empty()) path += " > ";
    path += name;
}
} // namespace

std::vector<NvtxRanges::Open>& NvtxRanges::threadStack() {
    thread_local std::vector<Open> stack;
    return stack;
}

void NvtxRanges::push(std::string name, std::int64_t nowNs) {
    threadStack().push_back({std::move(name), nowNs});
}

void NvtxRanges::pop(std::int64_t nowNs) {
    std::vector<Open>& stack = threadStack();
    if (stack.empty()) return; // popped more than pushed since we were loaded
    const std::string whole = path();
    const std::int64_t startNs = stack.back().startNs;
    stack.pop_back();
    m_ended(whole, startNs, nowNs);
}

void NvtxRanges::start(std::uint64_t id, std::string name, std::int64_t nowNs) {
    const std::lock_guard lock(m_mutex);
    m_started[id] = {std::move(name), nowNs};
}

void NvtxRanges::end(std::uint64_t id, std::int64_t nowNs) {
    Open ended;
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_started.find(id);
        if (found == m_started.end()) return;
        ended = std::move(found->second);
        m_started.erase(found);
    }
    m_ended(ended.name, ended.startNs, nowNs);
}

void NvtxRanges::registerString(const void* handle, std::string text) {
    const std::lock_guard lock(m_mutex);
    m_strings[handle] = std::move(text);
}

std::string NvtxRanges::registeredString(const void* handle) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_strings.find(handle);
    return found != m_strings.end() ? found->second : std::string("(unregistered string)");
}

std::string NvtxRanges::path() const {
    std::string result = processPath();
    for (const Open& open : threadStack())
        append(result, open.name);
    return result;
}

std::string NvtxRanges::processPath() const {
    const std::lock_guard lock(m_mutex);
    std::string result;
    for (const auto& [id, open] : m_started)
        append(result, open.name);
    return result;
}

} // namespace dormer::instrument
