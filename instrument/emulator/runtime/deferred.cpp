// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Work of streams behind launches that wait, for the host or for other launches: the calls that ask for it
// return, as on a GPU, for what those wait for may come after them.

#include "instrument/emulator/runtime/runtime.h"

#include <algorithm>
#include <utility>

namespace dormer::emulator::runtime {

bool Runtime::mayWait(const Task& work) const {
    // What the host may free or change after the call is read or written by it.
    const auto isPageable = [&](const void* pointer) {
        return pointer != nullptr && !m_memory.find(reinterpret_cast<std::uint64_t>(pointer));
    };
    if (const auto* copy = std::get_if<CopyCall>(&work))
        return copy->asynchronous && !isPageable(copy->parameters.srcPtr.ptr) &&
               !isPageable(copy->parameters.dstPtr.ptr);
    if (const auto* fill = std::get_if<FillCall>(&work)) return fill->asynchronous;
    return !std::holds_alternative<ConditionalCall>(work);
}

bool Runtime::isDeferred(const Stream& stream) const {
    return std::ranges::any_of(m_deferred,
                               [&](const Deferred& each) { return precedes(*each.stream, stream); });
}

namespace {

bool waitsForWord(const Task& work) {
    const auto* wait = std::get_if<WordWait>(&work);
    return wait != nullptr && !wait->isOver();
}

} // namespace

bool Runtime::blocked(std::list<Deferred>::const_iterator work) const {
    const auto before = [&](const Stream& earlier) {
        return precedes(earlier, *work->stream) ||
               (work->awaits != nullptr && precedes(earlier, *work->awaits));
    };
    return waitsForWord(work->work) ||
           std::ranges::any_of(m_underWay, [&](const UnderWay& launch) { return before(*launch.stream); }) ||
           std::any_of(m_deferred.begin(), work, [&](const Deferred& each) { return before(*each.stream); });
}

Outcome<bool> Runtime::startDeferred() {
    if (m_deferredSite != nullptr) return false; // one after the other
    bool any = false;
    for (auto each = m_deferred.begin(); each != m_deferred.end();) {
        if (blocked(each)) {
            ++each;
            continue;
        }
        std::list<Deferred> taken;
        taken.splice(taken.begin(), m_deferred, each);
        m_deferredSite = &taken.front().site;
        const Outcome<void> done = performNow(*taken.front().stream, taken.front().work, nullptr);
        m_deferredSite = nullptr;
        if (!done) return std::unexpected(done.error());
        any = true;
        each = m_deferred.begin(); // others may be free now
    }
    return any;
}

Outcome<void> Runtime::perform(Stream& stream, const Task& work, const GraphNode* node) {
    const auto* event = std::get_if<EventCall>(&work);
    if (std::holds_alternative<Nothing>(work)) return {};
    if (event != nullptr && event->record && node == nullptr) {
        recordEvent(stream, *event->event);
        return {};
    }
    // What came before in the stream has to end first; an event is told by what it follows.
    if (node != nullptr || !mayWait(work)) {
        if (event == nullptr || !event->record)
            if (const Outcome<void> ended = finish(stream); !ended) return ended;
        return performNow(stream, work, node);
    }
    const Stream* const awaits = event != nullptr ? m_streams.byId(event->event->streamId) : nullptr;
    const Outcome<bool> ended = finishAll(
        [&](const Stream& each) {
            return precedes(each, stream) || (awaits != nullptr && precedes(each, *awaits));
        },
        false);
    if (!ended) return std::unexpected(ended.error());
    if (*ended && !waitsForWord(work)) return performNow(stream, work, node);
    m_deferred.push_back({&stream, work, site(), awaits});
    return {};
}

Outcome<void> Runtime::launchGraph(Stream& stream, const GraphExec& exec) {
    if (!finished(stream)) {
        m_deferred.push_back({&stream, ChildGraph{clone(*exec.clone.graph).graph}, site(), nullptr});
        return {};
    }
    if (m_sticky != cudaSuccess) return fails(m_sticky);
    exec.clone.graph->setConditions();
    return runGraph(stream, exec.order);
}

void Runtime::recordEvent(Stream& stream, Event& event) {
    const bool behindLaunch = std::ranges::any_of(
        m_underWay, [&](const UnderWay& launch) { return precedes(*launch.stream, stream); });
    if (!behindLaunch && !isDeferred(stream)) {
        m_streams.record(event, stream);
        return;
    }
    event.streamId = stream.id; // whose end it waits for until then
    m_deferred.push_back({&stream, EventCall{&event, true}, site(), nullptr});
}

bool Runtime::isPending(const Event& event) {
    const auto records = [&](const Deferred& each) {
        const auto* call = std::get_if<EventCall>(&each.work);
        return call != nullptr && call->record && call->event == &event;
    };
    if (std::ranges::none_of(m_deferred, records)) return false;
    if (const Stream* recorded = m_streams.byId(event.streamId)) static_cast<void>(finished(*recorded));
    return std::ranges::any_of(m_deferred, records);
}

void Runtime::forget(const Event& event) {
    const auto names = [&](const Deferred& each, bool record) {
        const auto* call = std::get_if<EventCall>(&each.work);
        return call != nullptr && call->event == &event && call->record == record;
    };
    std::erase_if(m_deferred, [&](const Deferred& each) { return names(each, true); });
    for (Deferred& each : m_deferred)
        if (names(each, false)) each.work = Nothing{}; // and still comes after what the event was behind
}

} // namespace dormer::emulator::runtime
