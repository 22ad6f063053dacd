// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Access patterns of the workload suite, played through the caches, against what an H100 counted for them.
#include "analysis/store/session_file.h"
#include "instrument/emulator/hierarchy/hierarchy.h"
#include "tests/support/catch.h"

#include <cmath>
#include <functional>
#include <random>

using namespace dormer;
using namespace dormer::emulator::counts;
using namespace dormer::emulator::hierarchy;

namespace {

struct Recorded {
    double l1Hits, l1Misses, l2Reads, l2Writes, l2Reductions, l2Hits, l2Misses, l2Tags, dramRead, dramWritten;
};

/// Counters of the first launch of a workload whose kernel name holds `kernel`.
Recorded recorded(std::string_view workload, std::string_view kernel = "") {
    static const auto session = store::loadSession(DORMER_SOURCE_DIR "/samples/h100-basics.dormer");
    REQUIRE(session);
    for (std::size_t i = 0; i < session->launches().size(); ++i) {
        const session::LaunchIndex index{static_cast<std::uint32_t>(i)};
        if (session->launch(index).workload != workload) continue;
        if (session->kernelOf(index).name.find(kernel) == std::string::npos) continue;
        const auto counter = [&](std::string_view name) { return session->counter(index, name).value(); };
        return {counter("l1tex__t_sectors_lookup_hit.sum"),
                counter("l1tex__t_sectors_lookup_miss.sum"),
                counter("lts__t_sectors_op_read.sum"),
                counter("lts__t_sectors_op_write.sum"),
                counter("lts__t_sectors_op_red.sum"),
                counter("lts__t_sectors_lookup_hit.sum"),
                counter("lts__t_sectors_lookup_miss.sum"),
                counter("lts__t_tag_requests.sum"),
                counter("dram__bytes_read.sum"),
                counter("dram__bytes_write.sum")};
    }
    FAIL("not recorded");
    return {};
}

/// One warp of a block: hands its requests to `access`.
using Access = std::function<void(AccessKind, std::function<std::uint64_t(unsigned lane)>)>;
using WarpBody = std::function<void(std::uint64_t block, unsigned warp, const Access& access)>;

Traffic play(std::uint64_t blocks, unsigned warps, std::uint64_t sharedPerSm, const WarpBody& body) {
    const device::Chip& chip = *device::findChip("H100");
    MemoryHierarchy hierarchy(chip, sharedPerSm);
    for (std::uint64_t block = 0; block < blocks; ++block) {
        auto port = hierarchy.open(block, static_cast<std::uint32_t>(block % 132));
        const Access access = [&](AccessKind kind, const std::function<std::uint64_t(unsigned)>& address) {
            std::uint64_t addresses[32];
            for (unsigned lane = 0; lane < 32; ++lane)
                addresses[lane] = address(lane);
            LineAccess lines[access::kMaxLines];
            const bool atomic = kind == AccessKind::Atomic || kind == AccessKind::Reduce;
            const unsigned count = atomic ? access::coalesceAtomic(addresses, 0xFFFFFFFF, 4, lines).lines
                                          : access::coalesce(addresses, 0xFFFFFFFF, 4, lines).lines;
            port.access(kind, lines, count, 128);
        };
        for (unsigned warp = 0; warp < warps; ++warp)
            body(block, warp, access);
        hierarchy.close(std::move(port));
    }
    return hierarchy.finish();
}

constexpr std::uint64_t kIn = 0x7F1000000000, kIn2 = 0x7F1100000000, kOut = 0x7F1200000000;

double rate(double hits, double misses) {
    return hits / (hits + misses);
}

void near(const Traffic& traffic, const Recorded& real) {
    const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
    const double l1 = rate(number(traffic.l1LookupHits), number(traffic.l1LookupMisses));
    const double l2 = rate(number(traffic.l2Hits), number(traffic.l2Misses));
    CAPTURE(l1, rate(real.l1Hits, real.l1Misses), l2, rate(real.l2Hits, real.l2Misses));
    CAPTURE(traffic.l2Reads, real.l2Reads, traffic.l2Writes, real.l2Writes, traffic.l2Tags, real.l2Tags);
    CAPTURE(traffic.dramReadSectors * 32, real.dramRead, traffic.dramWriteSectors * 32, real.dramWritten);
    CHECK(number(traffic.l1LookupHits + traffic.l1LookupMisses) ==
          Approx(real.l1Hits + real.l1Misses).epsilon(0.01));
    CHECK(std::abs(l1 - rate(real.l1Hits, real.l1Misses)) < 0.05);
    CHECK(std::abs(l2 - rate(real.l2Hits, real.l2Misses)) < 0.10);
    CHECK(number(traffic.l2Reads) == Approx(real.l2Reads).epsilon(0.05));
    CHECK(number(traffic.l2Writes) == Approx(real.l2Writes).epsilon(0.05).margin(10000));
    CHECK(number(traffic.l2Tags) == Approx(real.l2Tags).epsilon(0.25));
    CHECK(number((traffic.dramReadSectors + traffic.dramWriteSectors) * 32) ==
          Approx(real.dramRead + real.dramWritten).epsilon(0.15));
    CHECK(number(traffic.dramWriteSectors * 32) == Approx(real.dramWritten).epsilon(0.15).margin(100000));
}

constexpr std::uint64_t kSide = 4096;

} // namespace

TEST_CASE("Vector sums move through the caches as on an H100") {
    SECTION("coalesced") {
        near(play(65536, 8, 0,
                  [](std::uint64_t block, unsigned warp, const Access& access) {
                      const std::uint64_t i = block * 256 + warp * 32;
                      access(AccessKind::Load, [&](unsigned lane) { return kIn + 4 * (i + lane); });
                      access(AccessKind::Load, [&](unsigned lane) { return kIn2 + 4 * (i + lane); });
                      access(AccessKind::Store, [&](unsigned lane) { return kOut + 4 * (i + lane); });
                  }),
             recorded("vector_sum/coalesced"));
    }
    SECTION("uncoalesced") {
        near(play(65536, 8, 0,
                  [](std::uint64_t block, unsigned warp, const Access& access) {
                      const auto i = [&](unsigned lane) { return block + 65536 * (warp * 32 + lane); };
                      access(AccessKind::Load, [&](unsigned lane) { return kIn + 4 * i(lane); });
                      access(AccessKind::Load, [&](unsigned lane) { return kIn2 + 4 * i(lane); });
                      access(AccessKind::Store, [&](unsigned lane) { return kOut + 4 * i(lane); });
                  }),
             recorded("vector_sum/uncoalesced"));
    }
}

TEST_CASE("Transpositions move through the caches as on an H100") {
    // Blocks of 32 x 8 threads turn tiles of 32 x 32: a warp is a row.
    const auto in = [](std::uint64_t block, unsigned y, unsigned lane) {
        return kIn + 4 * ((block / 128 * 32 + y) * kSide + block % 128 * 32 + lane);
    };
    SECTION("copy_row") {
        near(play(16384, 8, 0,
                  [&](std::uint64_t block, unsigned warp, const Access& access) {
                      for (unsigned j = 0; j < 32; j += 8) {
                          access(AccessKind::Load, [&](unsigned lane) { return in(block, warp + j, lane); });
                          access(AccessKind::Store,
                                 [&](unsigned lane) { return in(block, warp + j, lane) - kIn + kOut; });
                      }
                  }),
             recorded("transpose/copy_row"));
    }
    SECTION("naive_row") {
        near(play(16384, 8, 0,
                  [&](std::uint64_t block, unsigned warp, const Access& access) {
                      for (unsigned j = 0; j < 32; j += 8) {
                          access(AccessKind::Load, [&](unsigned lane) { return in(block, warp + j, lane); });
                          access(AccessKind::Store, [&](unsigned lane) {
                              return kOut +
                                     4 * ((block % 128 * 32 + lane) * kSide + block / 128 * 32 + warp + j);
                          });
                      }
                  }),
             recorded("transpose/naive_row"));
    }
    SECTION("tiled") {
        near(play(16384, 8, 8 * (4096 + 1024),
                  [&](std::uint64_t block, unsigned warp, const Access& access) {
                      for (unsigned j = 0; j < 32; j += 8)
                          access(AccessKind::Load, [&](unsigned lane) { return in(block, warp + j, lane); });
                      for (unsigned j = 0; j < 32; j += 8)
                          access(AccessKind::Store, [&](unsigned lane) {
                              return kOut +
                                     4 * ((block % 128 * 32 + warp + j) * kSide + block / 128 * 32 + lane);
                          });
                  }),
             recorded("transpose/tiled"));
    }
}

TEST_CASE("Histograms move through the caches as on an H100") {
    std::mt19937 random(4);
    SECTION("global atomics") {
        const Traffic traffic =
            play(65536, 8, 0, [&](std::uint64_t block, unsigned warp, const Access& access) {
                const std::uint64_t i = block * 256 + warp * 32;
                access(AccessKind::Load, [&](unsigned lane) { return kIn + 4 * (i + lane); });
                access(AccessKind::Reduce, [&](unsigned) { return kOut + 4 * (random() % 10); });
            });
        const Recorded real = recorded("histogram/global_atomics");
        near(traffic, real);
        CHECK(static_cast<double>(traffic.l2Reductions) == Approx(real.l2Reductions).epsilon(0.01));
        // 65536 * 8 reductions of ten passes or so, all in one line.
        CHECK(static_cast<double>(traffic.hottestAtomicPasses) ==
              Approx(real.l2Reductions / 1.5).epsilon(0.01));
    }
    SECTION("shared") {
        near(play(2048, 8, 8 * (40 + 1024),
                  [](std::uint64_t block, unsigned warp, const Access& access) {
                      for (std::uint64_t step = 0; step < 64; ++step)
                          access(AccessKind::Load, [&](unsigned lane) {
                              return kIn + 4 * (block * 16384 + step * 256 + warp * 32 + lane);
                          });
                      if (warp == 0)
                          access(AccessKind::Reduce, [](unsigned lane) { return kOut + 4 * (lane % 10); });
                  }),
             recorded("histogram/shared"));
    }
}

TEST_CASE("Streams move through the caches as on an H100") {
    SECTION("reduce: reads only") {
        near(play(5280, 8, 8 * 1068,
                  [](std::uint64_t block, unsigned warp, const Access& access) {
                      const std::uint64_t share = std::uint64_t{524288} / 5280 + 1; // requests of a block
                      for (std::uint64_t step = warp; step < share; step += 8) {
                          const std::uint64_t request = block * share + step;
                          if (request >= 524288) return;
                          for (unsigned quarter = 0; quarter < 4; ++quarter) // 16 bytes per lane
                              access(AccessKind::Load, [&](unsigned lane) {
                                  return kIn + 512 * request + 128 * quarter + 4 * lane;
                              });
                      }
                  }),
             recorded("device_wide/reduce", "DeviceReduceKernel"));
    }
    SECTION("fma_chain: writes 4 MiB, which L2 keeps") {
        const Traffic traffic =
            play(4096, 8, 0, [](std::uint64_t block, unsigned warp, const Access& access) {
                access(AccessKind::Store,
                       [&](unsigned lane) { return kOut + 4 * (block * 256 + warp * 32 + lane); });
            });
        const Recorded real = recorded("roofline/fma_chain", "float");
        CHECK(static_cast<double>(traffic.l2Writes) == Approx(real.l2Writes).epsilon(0.01));
        CHECK(traffic.dramWriteSectors == 0);
        CHECK(traffic.l1StoreSectors == 131072);
    }
}
