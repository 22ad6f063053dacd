// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/hierarchy/hierarchy.h"

#include "instrument/emulator/hierarchy/adaptive_mutex.h"
#include "instrument/emulator/hierarchy/requests.h"

#include <algorithm>
#include <cassert>
#include <deque>

namespace dormer::emulator::hierarchy {

namespace {

// Small pages: an L1 has few sets, and they must still be scattered.
constexpr unsigned kL1PageBits = 2;

std::uint32_t l1Groups(const device::Chip& chip, std::uint64_t sharedBytesPerSm) {
    constexpr std::uint64_t kGroupBytes = CacheSet::kWays * access::kLineBytes << kL1PageBits;
    const std::uint64_t bytes = device::l1Bytes(chip, sharedBytesPerSm);
    return static_cast<std::uint32_t>(std::max<std::uint64_t>((bytes + kGroupBytes / 2) / kGroupBytes, 1));
}

/// Which of the L2's partitions an SM is next to. Not published; by TPC (two SMs), as consecutive blocks then
/// land on both sides.
unsigned partitionOf(const device::Chip& chip, std::uint32_t sm) {
    return chip.l2Partitions == 2 ? sm / 2 % 2 : 0;
}

/// Where the lines of a request belong in L1. All sets are requested before the first is looked at: those of
/// a scattered request come from anywhere in the host's memory, and so come at the same time.
class Places {
public:
    Places(const SectoredCache& l1, const access::LineAccess* lines, unsigned count) {
        for (unsigned i = 0; i < count; ++i) {
            m_places[i] = l1.locate(lines[i].line);
            _mm_prefetch(m_places[i].set, _MM_HINT_T0);
        }
    }
    [[nodiscard]] SectoredCache::Place operator[](unsigned i) const { return m_places[i]; }

private:
    SectoredCache::Place m_places[access::kMaxLines];
};

/// A line's place in L1, taken if it had none, and which of the sectors requested were there.
struct L1Lookup {
    SectoredCache::Place place;
    unsigned way = 0;
    std::uint32_t there = 0;
};

inline L1Lookup lookUp(const SectoredCache& l1, SectoredCache::Place place, std::uint32_t sectors) {
    L1Lookup found{place};
    found.way = l1.find(found.place);
    if (found.way == CacheSet::kWays) {
        std::uint64_t notWrittenBack = 0; // L1 writes through: it has no dirty sectors
        found.way = SectoredCache::insert(found.place, notWrittenBack);
    } else {
        found.there = SectoredCache::validSectors(found.place, found.way) & sectors;
        SectoredCache::hit(found.place, found.way);
    }
    return found;
}

counts::TracedKind tracedKindOf(AccessKind kind) {
    switch (kind) {
    case AccessKind::Load:
        return counts::TracedKind::Load;
    case AccessKind::LoadGlobal:
        return counts::TracedKind::LoadPastL1;
    case AccessKind::Store:
        return counts::TracedKind::Store;
    case AccessKind::Atomic:
        return counts::TracedKind::Atomic;
    case AccessKind::Reduce:
        return counts::TracedKind::Reduce;
    case AccessKind::BulkLoad:
    case AccessKind::BulkStore:
        break;
    }
    return counts::TracedKind::Bulk;
}

} // namespace

struct MemoryHierarchy::BlockPort::State {
    MemoryHierarchy::Impl* hierarchy = nullptr;
    std::uint64_t block = 0;
    unsigned partition = 0;
    SectoredCache l1{nullptr, 0, 0, 0};
    counts::Traffic traffic; ///< L1 fields
    std::vector<L2Request> requests;
    std::vector<std::uint64_t>* traced = nullptr;
    counts::TracedKind tracedKind = counts::TracedKind::Untouched; ///< of the last access
    std::size_t held = 0;                                          ///< of them, counted in Impl::held
    std::uint64_t passedOn = 0;                                    ///< times that requests left for L2
};

struct MemoryHierarchy::Impl {
    using State = BlockPort::State;

    Impl(const device::Chip& theChip, std::uint64_t sharedBytesPerSm, std::vector<LineRange> host)
        : chip(theChip)
        , groups(l1Groups(theChip, sharedBytesPerSm))
        , l1(static_cast<std::size_t>(theChip.device.smCount) * (groups << kL1PageBits))
        , l2(theChip, std::move(host))
        , queue(l2) {}

    /// A running block's buffer is full: passed on when its turn has come, else held.
    void spill(State& state);
    void close(std::unique_ptr<State> state);
    /// Passes on the blocks whose turn has come; with `force` all that are closed. Needs the lock.
    void advance(bool force);
    void passOn(State& state);

    const device::Chip& chip;
    std::uint32_t groups; ///< of each L1
    CacheStorage l1;      ///< of all SMs
    L2Cache l2;
    RequestQueue queue;
    counts::Traffic l1Traffic;

    AdaptiveMutex mutex;                       ///< of what follows, and of `queue.append` and l1Traffic
    std::uint64_t next = 0;                    ///< block whose requests come next
    std::deque<std::unique_ptr<State>> closed; ///< closed[i] is block next + i; null while it runs
    std::vector<std::unique_ptr<State>> spare;
    std::size_t held = 0; ///< requests that wait for their turn

    /// Requests a running block may buffer before it tries to pass them on: 512 KiB.
    static constexpr std::size_t kSpill = std::size_t{1} << 16;
};

void MemoryHierarchy::Impl::passOn(State& state) {
    queue.append(state.requests);
    state.requests.clear();
    ++state.passedOn;
    held -= state.held;
    state.held = 0;
}

void MemoryHierarchy::Impl::advance(bool force) {
    while (!closed.empty() && (closed.front() != nullptr || force)) {
        std::unique_ptr<State> state = std::move(closed.front());
        closed.pop_front();
        ++next;
        if (state == nullptr) continue;
        passOn(*state);
        l1Traffic.bulkSectors += state->traffic.bulkSectors;
        l1Traffic.l1LoadSectors += state->traffic.l1LoadSectors;
        l1Traffic.l1LoadSectorHits += state->traffic.l1LoadSectorHits;
        l1Traffic.l1StoreSectors += state->traffic.l1StoreSectors;
        l1Traffic.l1StoreSectorHits += state->traffic.l1StoreSectorHits;
        l1Traffic.l1LookupMisses += state->traffic.l1LookupMisses;
        l1Traffic.l1LookupHits += state->traffic.l1LookupHits;
        state->traffic = {};
        spare.push_back(std::move(state));
    }
}

void MemoryHierarchy::Impl::spill(State& state) {
    {
        const std::lock_guard lock(mutex);
        if (state.block > next) {
            held += state.requests.size() - state.held;
            state.held = state.requests.size();
            if (held <= kHeldRequests) return;
        }
        passOn(state);
    }
    queue.drain();
}

void MemoryHierarchy::Impl::close(std::unique_ptr<State> state) {
    {
        const std::lock_guard lock(mutex);
        held += state->requests.size() - state->held;
        state->held = state->requests.size();
        if (state->block < next) { // its turn passed while memory was short
            closed.push_front(std::move(state));
            --next;
        } else {
            const std::uint64_t place = state->block - next;
            if (place >= closed.size()) closed.resize(place + 1);
            closed[place] = std::move(state);
        }
        advance(held > kHeldRequests);
    }
    queue.drain();
}

MemoryHierarchy::MemoryHierarchy(const device::Chip& chip, std::uint64_t sharedBytesPerSm,
                                 std::vector<LineRange> host)
    : m_impl(std::make_unique<Impl>(chip, sharedBytesPerSm, std::move(host))) {}

MemoryHierarchy::~MemoryHierarchy() = default;

MemoryHierarchy::BlockPort::BlockPort(std::unique_ptr<State> state) : m_state(std::move(state)) {}
MemoryHierarchy::BlockPort::BlockPort(BlockPort&&) noexcept = default;
MemoryHierarchy::BlockPort& MemoryHierarchy::BlockPort::operator=(BlockPort&&) noexcept = default;
MemoryHierarchy::BlockPort::~BlockPort() = default;

MemoryHierarchy::BlockPort MemoryHierarchy::open(std::uint64_t block, std::uint32_t sm) {
    assert(sm < static_cast<std::uint32_t>(m_impl->chip.device.smCount));
    std::unique_ptr<BlockPort::State> state;
    {
        const std::lock_guard lock(m_impl->mutex);
        if (!m_impl->spare.empty()) {
            state = std::move(m_impl->spare.back());
            m_impl->spare.pop_back();
        }
    }
    if (state == nullptr) state = std::make_unique<BlockPort::State>();
    const std::size_t sets = std::size_t{m_impl->groups} << kL1PageBits;
    state->hierarchy = m_impl.get();
    state->block = block;
    state->traced = nullptr;
    state->partition = partitionOf(m_impl->chip, sm);
    state->l1 = SectoredCache(m_impl->l1.sets() + sm * sets, m_impl->l1.epoch(), m_impl->groups, kL1PageBits);
    return BlockPort(std::move(state));
}

void MemoryHierarchy::BlockPort::access(AccessKind kind, const access::LineAccess* lines, unsigned count,
                                        unsigned bytes) {
    State& state = *m_state;
    counts::Traffic& traffic = state.traffic;
    if (state.traced != nullptr) [[unlikely]] {
        state.tracedKind = tracedKindOf(kind);
        for (unsigned i = 0; i < count; ++i)
            state.traced->push_back(lines[i].line << 4 | (lines[i].sectors & 0xF));
    }
    switch (kind) {
    case AccessKind::Load: {
        const Places places(state.l1, lines, count);
        for (unsigned i = 0; i < count; ++i) {
            const std::uint32_t sectors = lines[i].sectors;
            const L1Lookup found = lookUp(state.l1, places[i], sectors);
            const std::uint32_t missing = sectors & ~found.there;
            const auto wanted = access::sectorCount(sectors);
            const auto hits = access::sectorCount(found.there);
            traffic.l1LoadSectors += wanted;
            traffic.l1LoadSectorHits += hits;
            traffic.l1LookupHits += hits;
            traffic.l1LookupMisses += wanted - hits;
            if (missing == 0) continue;
            SectoredCache::add(found.place, found.way, missing);
            state.requests.emplace_back(lines[i].line, missing, L2Request::Kind::Load, state.partition);
        }
        break;
    }
    case AccessKind::Store: {
        unsigned sectorsWritten = 0;
        for (unsigned i = 0; i < count; ++i)
            sectorsWritten += access::sectorCount(lines[i].sectors);
        const bool partial = bytes > 0 && bytes < sectorsWritten * access::kSectorBytes;
        // Recorded on an H100: stores take a line in L1, and those that follow into its sectors count as
        // hits, although each is passed on to L2.
        const Places places(state.l1, lines, count);
        for (unsigned i = 0; i < count; ++i) {
            const std::uint32_t sectors = lines[i].sectors;
            const L1Lookup found = lookUp(state.l1, places[i], sectors);
            SectoredCache::add(found.place, found.way, sectors);
            const auto written = access::sectorCount(sectors);
            const auto hits = access::sectorCount(found.there);
            traffic.l1StoreSectors += written;
            traffic.l1StoreSectorHits += hits;
            traffic.l1LookupHits += hits;
            traffic.l1LookupMisses += written - hits;
            state.requests.emplace_back(lines[i].line, sectors, L2Request::Kind::Store, state.partition, 0,
                                        partial);
        }
        break;
    }
    case AccessKind::LoadGlobal:
        for (unsigned i = 0; i < count; ++i) {
            const auto wanted = access::sectorCount(lines[i].sectors);
            traffic.l1LoadSectors += wanted;
            traffic.l1LookupMisses += wanted;
            state.requests.emplace_back(lines[i].line, lines[i].sectors, L2Request::Kind::Load,
                                        state.partition);
        }
        break;
    case AccessKind::BulkLoad:
    case AccessKind::BulkStore:
        for (unsigned i = 0; i < count; ++i) {
            traffic.bulkSectors += access::sectorCount(lines[i].sectors);
            state.requests.emplace_back(lines[i].line, lines[i].sectors,
                                        kind == AccessKind::BulkLoad ? L2Request::Kind::Load
                                                                     : L2Request::Kind::Store,
                                        state.partition);
        }
        break;
    case AccessKind::Atomic:
    case AccessKind::Reduce:
        // L2 does them; each pass counts as a sector that L1 missed.
        for (unsigned i = 0; i < count; ++i) {
            const auto sectors = access::sectorCount(lines[i].sectors);
            const std::uint32_t passes = std::max(lines[i].passes, sectors);
            traffic.l1LookupMisses += passes;
            state.requests.emplace_back(lines[i].line, lines[i].sectors,
                                        kind == AccessKind::Atomic ? L2Request::Kind::Atomic
                                                                   : L2Request::Kind::Reduce,
                                        state.partition, passes);
        }
        break;
    }
    // From here on in steps: a block that can't pass its requests on yet does not ask at every access.
    if (state.requests.size() - state.held >= Impl::kSpill) state.hierarchy->spill(state);
}

void MemoryHierarchy::BlockPort::trace(std::vector<std::uint64_t>* lines) {
    m_state->traced = lines;
}

counts::TracedKind MemoryHierarchy::BlockPort::tracedKind() const {
    return m_state->tracedKind;
}

MemoryHierarchy::BlockPort::Mark MemoryHierarchy::BlockPort::mark() const {
    return {m_state->traffic, m_state->requests.size(), m_state->passedOn};
}

std::uint64_t MemoryHierarchy::BlockPort::l1Misses() const {
    return m_state->traffic.l1LoadSectors - m_state->traffic.l1LoadSectorHits;
}

void MemoryHierarchy::BlockPort::goBack(const Mark& mark) {
    State& state = *m_state;
    state.traffic = mark.traffic;
    // What is on its way stays so. Requests that are held are counted as such, and keep their number.
    if (state.passedOn == mark.passedOn && state.requests.size() > mark.requests &&
        mark.requests >= state.held)
        state.requests.erase(state.requests.begin() + static_cast<std::ptrdiff_t>(mark.requests),
                             state.requests.end());
}

void MemoryHierarchy::close(BlockPort port) {
    m_impl->close(std::move(port.m_state));
}

counts::Traffic MemoryHierarchy::finish() {
    {
        const std::lock_guard lock(m_impl->mutex);
        m_impl->advance(true);
    }
    m_impl->queue.finish();
    counts::Traffic sum = m_impl->l2.traffic();
    sum.l1LookupHits = m_impl->l1Traffic.l1LookupHits;
    sum.l1LookupMisses = m_impl->l1Traffic.l1LookupMisses;
    sum.bulkSectors = m_impl->l1Traffic.bulkSectors;
    sum.l1LoadSectors = m_impl->l1Traffic.l1LoadSectors;
    sum.l1LoadSectorHits = m_impl->l1Traffic.l1LoadSectorHits;
    sum.l1StoreSectors = m_impl->l1Traffic.l1StoreSectors;
    sum.l1StoreSectorHits = m_impl->l1Traffic.l1StoreSectorHits;
    return sum;
}

} // namespace dormer::emulator::hierarchy
