// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/heat/groups.h"
#include "kernels/heat/plate.cuh"

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = 256;
/// Cells of a row that a block of `grid` takes: 8 for each thread, which then share its set-up.
constexpr unsigned kStretch = 8 * kBlock;

// One kernel for one thread, for one block and for a grid: blocks share the rows, threads the cells of a row.
// What differs between the variants is only how many there are.
__global__ void heatStep(Plate<const float> before, Plate<float> after) {
    const int threads = static_cast<int>(gridDim.x * blockDim.x);
    const int first = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    for (int row = static_cast<int>(blockIdx.y); row < after.extent(0); row += static_cast<int>(gridDim.y))
        for (int column = first; column < after.extent(1); column += threads)
            after(row, column) = afterStep(before, row, column);
}

enum : std::size_t { kSingleThread, kTwoThreads, kSerialCount };

struct SerialPlates : Plates {
    explicit SerialPlates(const Setup& setup) : Plates(setup, kSerialCount) {}
};

Expectation oneBlock() {
    return exactly("grid_blocks", 1, "the launch asks for one block");
}

Expectation fractionOfWave() {
    return {.metric = "waves",
            .relation = "<=",
            .value = 0.5,
            .why = "one block occupies one of many multiprocessors"};
}

std::vector<Expectation> answersSingle(std::size_t size) {
    std::vector<Expectation> answers =
        globalSectors(1, "one lane reads one word", 1, "one lane writes one word");
    answers.insert(answers.end(),
                   {heatFlops(size), oneBlock(), fractionOfWave(),
                    exactly("block_threads", 1, "the block is one thread"),
                    exactly("threads_per_warp", 1, "31 of the warp's 32 lanes have nothing to do"),
                    exactly("global_store_requests", static_cast<double>(size), "one store for each cell"),
                    verdict("latency", "one thread waits for each of its loads")});
    return answers;
}

std::vector<Expectation> answersTwo(std::size_t size) {
    return {
        heatFlops(size),
        oneBlock(),
        fractionOfWave(),
        exactly("block_threads", 2, "the block is two threads of one warp"),
        exactly("global_store_requests", static_cast<double>(size / 2),
                "one store for two neighbouring cells"),
        exactly("global_store_sectors_per_request", 1, "two neighbours from an even cell on share a sector"),
        verdict("latency", "one warp waits for each of its loads"),
        comparedTo("heat/single_thread", "duration_ns", "<=", 0.8,
                   "two lanes do half of the steps each, in the same instructions")};
}

std::vector<Expectation> answersOneBlock(std::size_t size) {
    std::vector<Expectation> answers = heatSectors(size);
    answers.insert(answers.end(), {heatFlops(size), oneBlock(), fractionOfWave(),
                                   verdict("latency", "one multiprocessor works, the others are idle"),
                                   comparedTo("heat/single_thread", "flops_fp32_per_second", ">=", 20,
                                              "8 warps of 32 lanes wait at the same time")});
    return answers;
}

std::vector<Expectation> answersGrid(std::size_t size) {
    const std::size_t side = plateSide(size);
    std::vector<Expectation> answers = heatSectors(size);
    answers.insert(
        answers.end(),
        {heatFlops(size),
         exactly("grid_blocks", static_cast<double>(side * cuda::ceil_div(side, std::size_t{kStretch})),
                 "each block takes a stretch of 2048 cells of a row, 8 for each thread"),
         verdict("memory", "7 operations for each cell that crosses DRAM twice, in 8 bytes"),
         comparedTo("heat/one_block_256", "flops_fp32_per_second", ">=", 10,
                    "all multiprocessors work instead of one")});
    return answers;
}

void launchSerial(SerialPlates& plates, std::size_t variant, unsigned threads) {
    heatStep<<<1, threads>>>(plates.before(), plates.after(variant));
}

std::vector<Row<SerialPlates>> serialRows() {
    return {
        {{"single_thread", "one thread does all cells, one after the other", answersSingle},
         [](SerialPlates& p) { launchSerial(p, kSingleThread, 1); },
         [](SerialPlates& p) { return p.check(kSingleThread); }},
        {{"two_threads", "two threads of one warp do every other cell: about half the time", answersTwo},
         [](SerialPlates& p) { launchSerial(p, kTwoThreads, 2); },
         [](SerialPlates& p) { return p.check(kTwoThreads); }},
    };
}

std::vector<Row<Plates>> oneBlockRows() {
    return {
        {{"one_block_256",
          "one block of 256 threads: one multiprocessor of the device",
          answersOneBlock,
          {"block=256"}},
         [](Plates& p) { heatStep<<<1, kBlock>>>(p.before(), p.after()); },
         [](Plates& p) { return p.check(); }},
    };
}

std::vector<Row<Plates>> gridRows() {
    return {
        {{.name = "grid",
          .shows = "as many blocks as the plate takes, 8 cells for each thread: the whole device",
          .knownAnswers = answersGrid,
          .parameters = {"block=256"},
          .good = true},
         [](Plates& p) {
             const auto side = static_cast<unsigned>(p.side);
             heatStep<<<dim3(cuda::ceil_div(side, kStretch), side), kBlock>>>(p.before(), p.after());
         },
         [](Plates& p) { return p.check(); }},
    };
}

} // namespace

Group heatSerialGroup() {
    Group group = groupOf<SerialPlates>(
        serialRows(), kHeatSerialSize, roundPlate,
        [](std::size_t size) { return (1 + kSerialCount) * size * sizeof(float); }, plateParameters);
    group.mostRepeats = 1; // a launch takes a quarter of a second
    return group;
}

Group heatOneBlockGroup() {
    Group group = groupOf<Plates>(oneBlockRows(), kHeatOneBlockSize, roundPlate, plateBytes, plateParameters);
    group.mostRepeats = 2; // a launch takes tens of milliseconds
    return group;
}

Group heatGridGroup() {
    return groupOf<Plates>(gridRows(), kHeatGridSize, roundPlate, plateBytes, plateParameters);
}

} // namespace dormer::kernels
