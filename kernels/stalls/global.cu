// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/stalls/groups.h"

#include <cstdint>

namespace dormer::kernels::stalls {

namespace {

// Every block combines 64 rows of 1 KB, which all blocks share and L1 keeps: 64 loads for each byte written.
constexpr unsigned kLanes = 32;
constexpr unsigned kBlock = 64;
constexpr unsigned kRows = 64;
constexpr unsigned kRowBytes = 1024;
constexpr unsigned kGroup = 8;
constexpr Sizes kSizes{std::size_t{8192} * kRowBytes, std::size_t{16} * kRowBytes};

using Byte = std::uint8_t;

// Bytes don't meet in these, so that 16 at a time are what each is alone.
__device__ uint4 operator^(uint4 a, uint4 b) {
    return {a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w};
}
__device__ uint4 operator&(uint4 a, uint4 b) {
    return {a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w};
}

/// `byte` in all bytes of a word.
template <typename Word>
__device__ Word everywhere(unsigned byte) {
    const unsigned four = byte % 256 * 0x0101'0101;
    if constexpr (sizeof(Word) == 1)
        return static_cast<Word>(four);
    else
        return {four, four, four, four};
}

/// Of eight rows each: the first, anded with the parity of the others; the parity of all that. Addresses are
/// constants apart, so that there is little else to issue than loads.
template <typename Word>
__device__ Word combined(const Word* rows, unsigned column) {
    constexpr unsigned kColumns = kRowBytes / sizeof(Word);
    Word all = everywhere<Word>(0);
#pragma unroll
    for (unsigned row = 0; row < kRows; row += kGroup) {
        Word parity = everywhere<Word>(0);
#pragma unroll
        for (unsigned next = 1; next < kGroup; ++next)
            parity = parity ^ rows[(row + next) * kColumns + column];
        all = all ^ (rows[row * kColumns + column] & parity);
    }
    return all;
}

template <typename Word>
__global__ void combineRows(const Word* rows, Word* out) {
    constexpr unsigned kColumns = kRowBytes / sizeof(Word);
#pragma unroll 1
    for (unsigned column = threadIdx.x; column < kColumns; column += kBlock)
        out[std::size_t{blockIdx.x} * kColumns + column] =
            combined(rows, column) ^ everywhere<Word>(blockIdx.x);
}

struct RandomByte {
    std::uint64_t seed;
    __device__ Byte operator()(std::size_t i) const { return static_cast<Byte>(mixed(seed, i)); }
};

struct IsCombined {
    const Byte *rows, *out;
    __device__ bool operator()(std::size_t i) const {
        const std::size_t column = i % kRowBytes;
        unsigned all = static_cast<unsigned>(i / kRowBytes % 256);
        for (std::size_t row = 0; row < kRows; row += kGroup)
            for (std::size_t next = 1; next < kGroup; ++next)
                all ^= rows[row * kRowBytes + column] &
                       static_cast<unsigned>(rows[(row + next) * kRowBytes + column]);
        return out[i] == all;
    }
};

struct Rows {
    explicit Rows(const Setup& setup) : rows(std::size_t{kRows} * kRowBytes), out(setup.size) {
        fill(rows, RandomByte{setup.seed});
    }
    DeviceBuffer<Byte> rows;
    DeviceBuffer<Byte> out; // shared by both variants
};

template <typename Word>
void launch(Rows& r) {
    combineRows<Word><<<static_cast<unsigned>(r.out.size() / kRowBytes), kBlock>>>(
        reinterpret_cast<const Word*>(r.rows.data()), reinterpret_cast<Word*>(r.out.data()));
}

template <typename Word>
CheckResult check(Rows& r) {
    CUDA_CHECK(cudaMemset(r.out.data(), 0xFF, r.out.bytes()));
    launch<Word>(r);
    CUDA_CHECK(cudaGetLastError());
    return checkEach(r.out.size(), IsCombined{r.rows.data(), r.out.data()},
                     "out[i] == byte i of the rows, combined");
}

std::vector<Expectation> answers(std::size_t size, unsigned width) {
    const double bytes = static_cast<double>(size);
    const std::string lanes = "32 lanes move " + std::to_string(width * kLanes) + " neighbouring bytes";
    return {exactly("global_load_requests", bytes / (width * kLanes) * kRows, "64 loads; " + lanes),
            exactly("global_load_sectors", bytes / 32 * kRows, "64 loads; 32 bytes to a sector"),
            exactly("global_load_sectors_per_request", width, lanes),
            exactly("global_store_requests", bytes / (width * kLanes), lanes),
            exactly("global_store_sectors_per_request", width, lanes),
            onGpu(atLeast("l1_hit_rate", 0.5, "L1 keeps the 64 KB that all blocks read"))};
}

std::vector<Expectation> answersNarrow(std::size_t size) {
    std::vector<Expectation> all = answers(size, 1);
    all.push_back(comparedTo("stalls/global_wide", "duration_ns", ">=", 1.5,
                             "16 times as many requests for the same sectors"));
    return all;
}

std::vector<Row<Rows>> rows() {
    return {
        {{.name = "global_narrow",
          .shows =
              "LG throttle: loads of single bytes that L1 has, coalesced, but too many for the queue to L1",
          .knownAnswers = answersNarrow,
          .better = "stalls/global_wide"},
         launch<Byte>,
         check<Byte>},
        {{.name = "global_wide",
          .shows = "the same bytes 16 at a time: a sixteenth of the requests for as many sectors",
          .knownAnswers = [](std::size_t size) { return answers(size, sizeof(uint4)); }},
         launch<uint4>,
         check<uint4>},
    };
}

} // namespace

Group globalGroup() {
    return groupOf<Rows>(
        rows(), kSizes, [](std::size_t wanted) { return roundUp(wanted, kRowBytes); },
        [](std::size_t size) { return size + std::size_t{kRows} * kRowBytes; },
        [](std::size_t size) { return parameters(size, kBlock); });
}

} // namespace dormer::kernels::stalls
