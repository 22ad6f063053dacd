// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/runtime/streams.h"

#include <algorithm>
#include <set>

namespace dormer::emulator::runtime {

StreamTable::StreamTable() {
    m_default.id = 1;
}

Stream* StreamTable::create(unsigned flags, int priority) {
    auto stream = std::make_unique<Stream>();
    stream->id = ++m_lastId;
    stream->flags = flags;
    stream->priority = priority;
    Stream* handle = stream.get();
    m_streams[handle] = std::move(stream);
    return handle;
}

bool StreamTable::destroy(cudaStream_t handle) {
    return m_streams.erase(handle) != 0;
}

Stream* StreamTable::find(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread) return &m_default;
    const auto found = m_streams.find(handle);
    return found == m_streams.end() ? nullptr : found->second.get();
}

const Stream* StreamTable::byId(std::uint64_t id) const {
    if (id == m_default.id) return &m_default;
    const auto found =
        std::ranges::find_if(m_streams, [id](const auto& entry) { return entry.second->id == id; });
    return found == m_streams.end() ? nullptr : found->second.get();
}

Event* StreamTable::createEvent(unsigned flags) {
    auto event = std::make_unique<Event>();
    event->flags = flags;
    Event* handle = event.get();
    m_events[handle] = std::move(event);
    return handle;
}

bool StreamTable::destroyEvent(cudaEvent_t handle) {
    return m_events.erase(handle) != 0;
}

Event* StreamTable::findEvent(cudaEvent_t handle) {
    const auto found = m_events.find(handle);
    return found == m_events.end() ? nullptr : found->second.get();
}

double StreamTable::startNs(const Stream& stream) const {
    double start = std::max(stream.clockNs, m_hostNs);
    if (&stream == &m_default) {
        for (const auto& [handle, other] : m_streams)
            if (blocking(*other)) start = std::max(start, other->clockNs);
    } else if (blocking(stream)) {
        start = std::max(start, m_default.clockNs);
    }
    return start;
}

void StreamTable::kernelRan(Stream& stream, double durationNs) {
    stream.clockNs = startNs(stream) + durationNs;
}

void StreamTable::record(Event& event, const Stream& stream) {
    event.timeNs = startNs(stream);
    event.streamId = stream.id;
    if ((event.flags & cudaEventDisableTiming) == 0) m_timed = true;
}

void StreamTable::wait(Stream& stream, const Event& event) {
    stream.clockNs = std::max(stream.clockNs, event.timeNs.value_or(0));
}

void StreamTable::hostWaitsFor(const Stream& stream) {
    m_hostNs = std::max(m_hostNs, startNs(stream));
}

void StreamTable::hostWaitsFor(const Event& event) {
    m_hostNs = std::max(m_hostNs, event.timeNs.value_or(0));
}

void StreamTable::hostWaitsForAll() {
    hostWaitsFor(m_default);
    for (const auto& [handle, stream] : m_streams)
        hostWaitsFor(*stream);
}

bool StreamTable::allJoined(const Capture& capture, const Stream& origin) const {
    std::set<const void*> reached;
    std::vector<const GraphNode*> open;
    for (const cudaGraphNode_t node : origin.tail)
        open.push_back(reinterpret_cast<const GraphNode*>(node));
    while (!open.empty()) {
        const GraphNode* node = open.back();
        open.pop_back();
        if (!reached.insert(node).second) continue;
        open.insert(open.end(), node->dependencies.begin(), node->dependencies.end());
    }
    return std::ranges::all_of(m_streams, [&](const auto& entry) {
        const Stream& stream = *entry.second;
        return stream.capture.get() != &capture ||
               std::ranges::all_of(stream.tail,
                                   [&](const cudaGraphNode_t node) { return reached.contains(node); });
    });
}

void StreamTable::leaveCapture(const Capture& capture) {
    for (const auto& [handle, stream] : m_streams) {
        if (stream->capture.get() != &capture) continue;
        stream->capture.reset();
        stream->tail.clear();
    }
    for (const auto& [handle, event] : m_events) {
        if (event->capture.get() != &capture) continue;
        event->capture.reset();
        event->tail.clear();
    }
}

} // namespace dormer::emulator::runtime
