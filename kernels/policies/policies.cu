// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"

#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/util_device.cuh>

namespace dormer::kernels {

namespace policies {

/// How a block works. What is best differs between generations, and must be known when a kernel is compiled.
template <int kPtx, unsigned kBlockThreads, unsigned kItemsPerThread, cub::BlockLoadAlgorithm kAlgorithm>
struct Tuning {
    static constexpr int kPtxVersion = kPtx;
    static constexpr unsigned kThreads = kBlockThreads;
    static constexpr unsigned kItems = kItemsPerThread;
    static constexpr unsigned kTile = kThreads * kItems;
    static constexpr cub::BlockLoadAlgorithm kLoad = kAlgorithm;
};

// Each policy names the next older one. A kernel compiled for an architecture takes the newest policy that is
// not newer than itself. Vectors of 4 words are for 4 items a thread: with more, a thread's vectors lie side
// by side, those of neighbouring threads don't, and every sector is requested twice.
struct Policy500 : cub::ChainedPolicy<500, Policy500, Policy500>,
                   Tuning<500, 64, 2, cub::BLOCK_LOAD_STRIPED> {};
struct Policy750 : cub::ChainedPolicy<750, Policy750, Policy500>,
                   Tuning<750, 128, 4, cub::BLOCK_LOAD_VECTORIZE> {};
struct Policy800 : cub::ChainedPolicy<800, Policy800, Policy750>,
                   Tuning<800, 256, 4, cub::BLOCK_LOAD_VECTORIZE> {};
struct Policy900 : cub::ChainedPolicy<900, Policy900, Policy800>,
                   Tuning<900, 256, 16, cub::BLOCK_LOAD_STRIPED> {};

} // namespace policies

namespace {

using policies::Policy500, policies::Policy750, policies::Policy800, policies::Policy900;

constexpr std::size_t kStep = Policy900::kTile; // whole tiles of every policy
constexpr std::size_t kSmallestTile = Policy500::kTile;
static_assert(kStep % Policy800::kTile == 0 && kStep % Policy750::kTile == 0 && kStep % kSmallestTile == 0);

/// One sum per tile. `ran` learns which policy the code that runs was compiled with.
template <typename Chain>
__global__ void __launch_bounds__(Chain::ActivePolicy::kThreads)
    sumTiles(const unsigned* values, unsigned* sums, int* ran) {
    using Policy = typename Chain::ActivePolicy;
    using Load = cub::BlockLoad<unsigned, Policy::kThreads, Policy::kItems, Policy::kLoad>;
    using Reduce = cub::BlockReduce<unsigned, Policy::kThreads>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Reduce::TempStorage reduce;
    } storage;
    unsigned items[Policy::kItems];
    Load(storage.load).Load(values + std::size_t{blockIdx.x} * Policy::kTile, items);
    __syncthreads(); // the storage changes hands
    const unsigned sum = Reduce(storage.reduce).Sum(items);
    if (threadIdx.x != 0) return;
    sums[blockIdx.x] = sum;
    if (blockIdx.x == 0) *ran = Policy::kPtxVersion;
}

/// What the host chose to launch.
struct Choice {
    int ptxVersion = 0;
    unsigned threads = 0;
    unsigned tile = 0;
};

struct Tiles {
    explicit Tiles(const Setup& setup);
    DeviceBuffer<unsigned> values;
    DeviceBuffer<unsigned> sums; // shared by both variants
    DeviceBuffer<int> ran;
};

struct Word {
    std::uint64_t seed;
    __device__ unsigned operator()(std::size_t i) const { return static_cast<unsigned>(mixed(seed, i)); }
};

Tiles::Tiles(const Setup& setup) : values(setup.size), sums(setup.size / kSmallestTile), ran(1) {
    fill(values, Word{setup.seed});
}

/// Told the policy by the chain, which knows the PTX version of what the runtime has loaded.
struct Choosing {
    Choice choice{};
    template <typename Policy>
    cudaError_t Invoke() {
        choice = {Policy::kPtxVersion, Policy::kThreads, Policy::kTile};
        return cudaSuccess;
    }
};

template <typename Chain>
Choice chosen() {
    int ptxVersion = 0;
    CUDA_CHECK(cub::PtxVersion(ptxVersion));
    Choosing choosing;
    CUDA_CHECK(Chain::Invoke(ptxVersion, choosing));
    return choosing.choice;
}

template <typename Chain>
void launch(Tiles& t) {
    const Choice choice = chosen<Chain>();
    const auto tiles = static_cast<unsigned>(t.values.size() / choice.tile);
    sumTiles<Chain><<<tiles, choice.threads>>>(t.values.data(), t.sums.data(), t.ran.data());
}

struct IsTileSum {
    const unsigned *values, *sums;
    unsigned tile;
    __device__ bool operator()(std::size_t i) const {
        unsigned sum = 0;
        for (unsigned k = 0; k < tile; ++k)
            sum += values[i * tile + k];
        return sums[i] == sum;
    }
};

template <typename Chain>
CheckResult check(Tiles& t) {
    CUDA_CHECK(cudaMemset(t.sums.data(), 0xFF, t.sums.bytes()));
    CUDA_CHECK(cudaMemset(t.ran.data(), 0xFF, t.ran.bytes()));
    launch<Chain>(t);
    CUDA_CHECK(cudaGetLastError());
    const Choice choice = chosen<Chain>();
    const int ran = t.ran.toHost().front();
    const std::string policy = "policy " + std::to_string(choice.ptxVersion);
    if (ran != choice.ptxVersion)
        return {false, "the host launched for " + policy + ", the device ran policy " + std::to_string(ran)};
    CheckResult result = checkEach(
        t.values.size() / choice.tile, IsTileSum{t.values.data(), t.sums.data(), choice.tile},
        "host and device chose " + policy + " (" + std::to_string(choice.threads) + " threads, tiles of " +
            std::to_string(choice.tile) + "); sums[i] == the sum of tile i");
    return result;
}

std::vector<Expectation> answers(std::size_t size) {
    return {exactly("global_load_sectors", static_cast<double>(size / 8),
                    "each word is read once, eight to a sector, whatever the policy"),
            exactly("local_sectors", 0, "the items of a thread stay in registers")};
}

/// The launch tells which policy the host chose; the check, which the device ran.
template <typename Chain>
std::vector<Expectation> answersOfChoice(Tiles& t) {
    const Choice choice = chosen<Chain>();
    const std::string why = "policy " + std::to_string(choice.ptxVersion) + " was chosen for this device";
    return {exactly("block_threads", choice.threads, why),
            exactly("grid_blocks", static_cast<double>(t.values.size() / choice.tile), why)};
}

std::vector<Row<Tiles>> rows() {
    return {
        {{.name = "chained",
          .shows = "a chain of policies: the newest that the device's code was compiled for decides",
          .knownAnswers = answers,
          .good = true},
         launch<Policy900>,
         check<Policy900>,
         answersOfChoice<Policy900>},
        {{.name = "oldest",
          .shows = "the chain's oldest policy alone: small blocks, two words per thread, on any device",
          .knownAnswers = answers,
          .better = "policies/chained"},
         launch<Policy500>,
         check<Policy500>,
         answersOfChoice<Policy500>},
    };
}

} // namespace

Family policiesFamily() {
    return {.name = "policies",
            .title = "Tuning policies by architecture",
            .shows = "One kernel whose block size and way of loading are chosen by architecture: when it is "
                     "compiled and, the same, when it is launched",
            .groups = {groupOf<Tiles>(
                rows(), Sizes{std::size_t{1} << 26, std::size_t{1} << 18},
                [](std::size_t wanted) { return roundUp(wanted, kStep); },
                [](std::size_t size) { return (size + size / kSmallestTile) * sizeof(unsigned); },
                [](std::size_t size) { return std::vector<std::string>{"size=" + std::to_string(size)}; })},
            .lookAt =
                "The detail of the check names the policy that ran: the device took it from the "
                "architecture that its code was compiled for, the host from the PTX version that the "
                "runtime reports, and both must agree, or block and kernel don't fit. block_threads and "
                "grid_blocks show the choice in the launch. global_load_sectors are the same under every "
                "policy; global_load_requests tell wide loads from narrow ones, and dram_bytes_per_second "
                "is what tuning is about: how many loads are in flight"};
}

} // namespace dormer::kernels
