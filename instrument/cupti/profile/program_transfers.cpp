// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
// The log's copies and fills.
#include "instrument/cupti/profile/program_log.h"

#include "instrument/collect/call_site.h"

#include <utility>

namespace dormer::instrument::cupti::profile {

using namespace session;
using passes::Place;

namespace {

/// Signature of what is no launch: a copy has traffic of its own.
constexpr std::uint32_t kTransfer = 0xffffffff;
constexpr std::int64_t kTellTransfersNs = 1'000'000'000;

} // namespace

void ProgramLog::memoryCalled(const passes::MemoryApiCall& call) {
    const std::lock_guard lock(m_mutex);
    m_transfers.called(call);
    if (call.function.kind != passes::ApiCall::Kind::Memory)
        m_openTransfers.emplace(call.correlationId, call.startNs);
}

void ProgramLog::transferRan(const passes::TransferTiming& timing) {
    m_openTransfers.erase(timing.correlationId);
    if (timing.device >= 0 && timing.kind != TransferKind::None && !isFault(timing.kind))
        tellDevice(timing.device);
    if (timing.startNs <= 0 || timing.endNs <= timing.startNs) return;
    auto& timeline = m_timelines[timing.device];
    if (timeline == nullptr) timeline = std::make_unique<sampling::Timeline>();
    timeline->ran(timing.correlationId, {{timing.startNs, timing.endNs, kTransfer}, std::nullopt});
}

void ProgramLog::tellTransfers(bool everything) {
    const std::int64_t nowNs = m_context.nowNs();
    // Calls and times are joined in one go: when nothing is under way, and now and then.
    std::erase_if(m_openTransfers, [&](const auto& each) { return each.second < nowNs - kNeverTimedNs; });
    if (!everything && (!m_openTransfers.empty() || nowNs < m_transfersToldNs + kTellTransfersNs)) return;
    m_transfersToldNs = nowNs;
    const auto placeOfNode = [this](const Place& replay, std::uint64_t node) {
        if (m_graphs == nullptr) return replay;
        const passes::GraphBackend::NodeFacts facts = m_graphs->node(node);
        collect::CallSite whose =
            collect::attributed({facts.workload, facts.nvtx}, {replay.workload, replay.nvtx});
        return Place{std::move(whose.workload), std::move(whose.nvtx), replay.run};
    };
    for (const Record& record : m_transfers.records(std::move(m_transferTimings), placeOfNode))
        m_out.push_back(record);
    m_transferTimings.clear();
    m_transfers.clear();
}

} // namespace dormer::instrument::cupti::profile
