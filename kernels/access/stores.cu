// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/access/groups.h"
#include "kernels/access/reading.cuh"

namespace dormer::kernels {

namespace {

using namespace access;

// Every warp has 512 bytes for itself, 16 sectors, as many as 32 words of 16 bytes fill. The patterns differ
// in which of them it writes. Lanes that meet on a word write the same value there, so that it doesn't matter
// which of them wins.
constexpr unsigned kWarpBytes = 512;

struct WholeRange {
    template <typename Word>
    __device__ static unsigned byteOf(unsigned lane) {
        return lane * kBytes<Word>;
    }
    template <typename Word>
    __device__ static bool covers(unsigned byte) {
        return byte < 32 * kBytes<Word>;
    }
};

// 64 bytes, half of a cache line, however wide the words are: lanes meet on words.
struct HalfRange {
    static constexpr unsigned kBegin = 128, kLength = 64;
    template <typename Word>
    __device__ static unsigned byteOf(unsigned lane) {
        return kBegin + lane * kBytes<Word> % kLength;
    }
    template <typename Word>
    __device__ static bool covers(unsigned byte) {
        return byte >= kBegin && byte < kBegin + kLength;
    }
};

// Three pieces of 32 bytes in lines 0, 1 and 3; neighbouring lanes write to different ones.
struct ThreeSegments {
    __device__ static unsigned sectorOf(unsigned piece) { return 2 + 5 * piece + piece / 2; } // 2, 7, 13
    template <typename Word>
    __device__ static unsigned byteOf(unsigned lane) {
        return 32 * sectorOf(lane % 3) + lane / 3 * kBytes<Word> % 32;
    }
    template <typename Word>
    __device__ static bool covers(unsigned byte) {
        return byte / 32 == sectorOf(0) || byte / 32 == sectorOf(1) || byte / 32 == sectorOf(2);
    }
};

template <typename Word, typename Pattern>
__global__ void writeBy(cuda::std::span<Word> out) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    const std::size_t byte = i / 32 * kWarpBytes + Pattern::template byteOf<Word>(i % 32);
    const std::size_t element = byte / sizeof(Word);
    out[element] = wordAt<Word>(static_cast<std::uint32_t>(element));
}

/// Every word of the pattern has its value, every other one is poison still.
template <typename Word, typename Pattern>
struct IsWritten {
    cuda::std::span<const Word> out;
    __device__ bool operator()(std::size_t i) const {
        if (Pattern::template covers<Word>(i * sizeof(Word) % kWarpBytes))
            return areEqual(out[i], wordAt<Word>(static_cast<std::uint32_t>(i)));
        return areEqual(out[i], poison());
    }
    __device__ static Word poison() {
        constexpr std::uint32_t kPoison = 0xFFFFFFFF;
        if constexpr (kParts<Word> == 1)
            return kPoison;
        else if constexpr (kParts<Word> == 2)
            return {kPoison, kPoison};
        else
            return {kPoison, kPoison, kPoison, kPoison};
    }
};

struct Targets {
    explicit Targets(const Setup& setup)
        : threads(setup.size), out(setup.size / 32 * kWarpBytes / sizeof(std::uint32_t)) {}
    template <typename Word>
    [[nodiscard]] cuda::std::span<Word> output() const {
        return {reinterpret_cast<Word*>(out.data()), out.size() / kParts<Word>};
    }
    [[nodiscard]] unsigned blocks() const { return static_cast<unsigned>(threads / kBlock); }

    std::size_t threads;
    DeviceBuffer<std::uint32_t> out;
};

template <typename Word, typename Pattern>
Row<Targets> row(const std::string& name, std::string shows, double sectors, const std::string& why) {
    const auto launch = [](Targets& t) { writeBy<Word, Pattern><<<t.blocks(), kBlock>>>(t.output<Word>()); };
    const auto answers = [sectors, why](std::size_t size) -> std::vector<Expectation> {
        return {exactly("global_store_sectors_per_request", sectors, why),
                exactly("global_store_requests", static_cast<double>(size) / 32,
                        "each warp stores once, all lanes at a time")};
    };
    return {{.name = name + kSuffix<Word>,
             .shows = std::move(shows),
             .knownAnswers = answers,
             .parameters = {"bytes=" + std::to_string(kBytes<Word>)},
             .good = std::is_same_v<Pattern, WholeRange>},
            launch,
            [launch](Targets& t) {
                CUDA_CHECK(cudaMemset(t.out.data(), 0xFF, t.out.bytes()));
                launch(t);
                const auto out = t.output<Word>();
                return checkEach(out.size(), IsWritten<Word, Pattern>{out},
                                 "out[i] is written if the pattern has it, else untouched");
            }};
}

template <typename Word>
void addRows(std::vector<Row<Targets>>& rows) {
    const std::string width = std::to_string(kBytes<Word>);
    rows.push_back(row<Word, WholeRange>(
        "aligned_store",
        "neighbouring lanes store neighbouring " + width + "-byte words: " + width + " sectors per request",
        kBytes<Word>, "32 lanes write " + std::to_string(32 * kBytes<Word>) + " neighbouring bytes"));
    rows.push_back(row<Word, HalfRange>("half_range_store",
                                        "all lanes store into 64 bytes, " + width +
                                            " each: 2 sectors, half of a cache line",
                                        2, "64 aligned bytes are 2 sectors, however many lanes meet there"));
    rows.push_back(row<Word, ThreeSegments>(
        "three_segments_store", "stores of " + width + " bytes into three pieces of 32 bytes each: 3 sectors",
        3, "the three pieces are a sector each, in three lines"));
}

std::vector<Row<Targets>> rows() {
    std::vector<Row<Targets>> rows;
    addRows<std::uint32_t>(rows);
    addRows<uint2>(rows);
    addRows<uint4>(rows);
    return rows;
}

} // namespace

Group accessStoreGroup() {
    Group group = groupOf<Targets>(
        rows(), Sizes{std::size_t{1} << 22, std::size_t{1} << 15}, roundToBlocks,
        [](std::size_t size) { return size / 32 * kWarpBytes; }, parameters);
    group.mostRepeats = 3;
    return group;
}

} // namespace dormer::kernels
