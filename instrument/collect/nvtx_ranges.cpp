// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/nvtx_ranges.h"

#include <algorithm>
#include <iterator>

namespace dormer::instrument::collect {

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

int NvtxRanges::push(std::string name, std::int64_t nowNs, const void* domain) {
    std::vector<Open>& stack = threadStack();
    const auto level = std::ranges::count(stack, domain, &Open::domain);
    if (m_followsOthers) pushed(name, domain);
    stack.push_back({std::move(name), nowNs, domain});
    ++m_version;
    return static_cast<int>(level);
}

int NvtxRanges::pop(std::int64_t nowNs, const void* domain) {
    std::vector<Open>& stack = threadStack();
    const auto innermost = std::find_if(stack.rbegin(), stack.rend(),
                                        [domain](const Open& open) { return open.domain == domain; });
    if (innermost == stack.rend()) return -1; // popped more than pushed since we were loaded
    const std::string whole = path();
    const std::int64_t startNs = innermost->startNs;
    stack.erase(std::next(innermost).base());
    if (m_followsOthers) popped(domain);
    ++m_version;
    m_ended(whole, startNs, nowNs);
    return static_cast<int>(std::ranges::count(stack, domain, &Open::domain));
}

std::uint64_t NvtxRanges::start(std::string name, std::int64_t nowNs) {
    const std::lock_guard lock(m_mutex);
    m_started[++m_lastId] = {std::move(name), nowNs, nullptr};
    ++m_version;
    return m_lastId;
}

void NvtxRanges::end(std::uint64_t id, std::int64_t nowNs) {
    Open ended;
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_started.find(id);
        if (found == m_started.end()) return;
        ended = std::move(found->second);
        m_started.erase(found);
        ++m_version;
    }
    m_ended(ended.name, ended.startNs, nowNs);
}

void NvtxRanges::pushed(const std::string& name, const void* domain) {
    const std::lock_guard lock(m_mutex);
    m_pushed.push_back({std::this_thread::get_id(), name, domain});
}

void NvtxRanges::popped(const void* domain) {
    const std::lock_guard lock(m_mutex);
    const auto innermost = std::find_if(m_pushed.rbegin(), m_pushed.rend(), [domain](const Pushed& open) {
        return open.thread == std::this_thread::get_id() && open.domain == domain;
    });
    if (innermost != m_pushed.rend()) m_pushed.erase(std::next(innermost).base());
}

std::string NvtxRanges::path() const {
    std::string result = processPath();
    for (const Open& open : threadStack())
        append(result, open.name);
    if (!m_followsOthers || !threadStack().empty()) return result;
    const std::lock_guard lock(m_mutex);
    for (const Pushed& open : m_pushed)
        if (open.thread == m_pushed.back().thread) append(result, open.name);
    return result;
}

std::string NvtxRanges::processPath() const {
    const std::lock_guard lock(m_mutex);
    std::string result;
    for (const auto& [id, open] : m_started)
        append(result, open.name);
    return result;
}

} // namespace dormer::instrument::collect
