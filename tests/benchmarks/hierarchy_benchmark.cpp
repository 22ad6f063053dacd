// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What the emulator's caches cost a request of a warp, on one thread: streaming (a line that neither L1 nor
// L2 holds), scattered (32 lines), and L1 hits; and the arithmetic that finds lines and wavefronts.
#include "instrument/emulator/hierarchy/hierarchy.h"

#include <fmt/format.h>

#include <ctime>

using namespace dormer;
using namespace dormer::emulator::counts;
using namespace dormer::emulator::hierarchy;

namespace {

/// Processor time of this thread, which a busy machine does not stretch as much as wall time.
double seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// Blocks of 24 requests, as 256 threads of a vector sum make; `place` gives the first line of a request.
template <typename Place>
double nsPerRequest(unsigned linesPerRequest, std::uint64_t blocks, Place place) {
    const device::Chip& chip = *device::findChip("H100");
    constexpr std::uint64_t kRequests = 24;
    const double begin = seconds();
    MemoryHierarchy hierarchy(chip, 0);
    LineAccess lines[access::kMaxLines];
    for (std::uint64_t block = 0; block < blocks; ++block) {
        auto port = hierarchy.open(block, static_cast<std::uint32_t>(block % 132));
        for (std::uint64_t request = 0; request < kRequests; ++request) {
            for (unsigned i = 0; i < linesPerRequest; ++i)
                lines[i] = {place(block, request, i), linesPerRequest == 1 ? 0xFU : 1U, 0};
            const AccessKind kind = request % 3 == 2 ? AccessKind::Store : AccessKind::Load;
            port.access(kind, lines, linesPerRequest, 128);
        }
        hierarchy.close(std::move(port));
    }
    const Traffic traffic = hierarchy.finish();
    const double took = seconds() - begin;
    if (traffic.l1LoadSectors == 0) return 0;
    return took * 1e9 / static_cast<double>(blocks * kRequests);
}

template <typename Pattern>
double nsPerCall(Pattern pattern) {
    constexpr int kCalls = 2000000;
    std::uint64_t addresses[32];
    std::uint32_t offsets[32];
    for (unsigned lane = 0; lane < 32; ++lane) {
        addresses[lane] = pattern(lane);
        offsets[lane] = static_cast<std::uint32_t>(addresses[lane] % 49152);
    }
    LineAccess lines[access::kMaxLines];
    volatile unsigned sink = 0;
    const double begin = seconds();
    for (int call = 0; call < kCalls; ++call) {
        addresses[call % 32] += 0 * sink; // the compiler must not hoist the call
        sink = access::coalesce(addresses, 0xFFFFFFFF, 4, lines).sectors;
    }
    const double middle = seconds();
    for (int call = 0; call < kCalls; ++call) {
        offsets[call % 32] += 0 * sink;
        sink = access::sharedLoadWavefronts(offsets, 0xFFFFFFFF, 4);
    }
    const double end = seconds();
    fmt::print("    coalesce {:.1f} ns, shared wavefronts {:.1f} ns\n", (middle - begin) * 1e9 / kCalls,
               (end - middle) * 1e9 / kCalls);
    return end - begin;
}

} // namespace

int main() {
    constexpr std::uint64_t kBase = 0x7F0000000000 / 128;
    for (int round = 0; round < 3; ++round) {
        fmt::print("streaming: {:.1f} ns per request\n",
                   nsPerRequest(1, 65536, [](std::uint64_t block, std::uint64_t request, unsigned) {
                       return kBase + request % 3 * (std::uint64_t{1} << 20) + block * 8 + request / 3;
                   }));
        fmt::print("scattered: {:.1f} ns per request of 32 lines\n",
                   nsPerRequest(32, 8192, [](std::uint64_t block, std::uint64_t request, unsigned lane) {
                       return kBase + request % 3 * (std::uint64_t{1} << 20) +
                              (request / 3 * 32 + lane) * 2048 + block / 4;
                   }));
        fmt::print("L1 hit: {:.1f} ns per request\n",
                   nsPerRequest(1, 65536, [](std::uint64_t block, std::uint64_t request, unsigned) {
                       return kBase + block % 132 * 100 + request / 3;
                   }));
    }
    fmt::print("unit stride\n");
    nsPerCall([](unsigned lane) { return 0x7F0000000000 + 4 * lane; });
    fmt::print("one address\n");
    nsPerCall([](unsigned) { return std::uint64_t{0x7F0000000000}; });
    fmt::print("stride of 32 words\n");
    nsPerCall([](unsigned lane) { return 0x7F0000000000 + 128 * lane; });
    fmt::print("permuted\n");
    nsPerCall([](unsigned lane) { return 0x7F0000000000 + 4 * (lane ^ 21); });
    fmt::print("scattered\n");
    nsPerCall([](unsigned lane) { return 0x7F0000000000 + 4 * (lane * 7919 % 4099); });
    // A launch of four blocks: what the caches' memory costs.
    const double begin = seconds();
    constexpr int kLaunches = 1000;
    for (int launch = 0; launch < kLaunches; ++launch)
        nsPerRequest(1, 4, [](std::uint64_t block, std::uint64_t request, unsigned) {
            return kBase + block * 8 + request / 3;
        });
    fmt::print("launch of 4 blocks: {:.1f} us\n", (seconds() - begin) * 1e6 / kLaunches);
}
