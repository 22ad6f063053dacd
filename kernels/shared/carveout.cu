// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/shared/groups.h"
#include "kernels/shared/occupancy.cuh"

namespace dormer::kernels {

namespace {

using namespace shared;

constexpr unsigned kBytes = 8 * kKilobyte;
constexpr unsigned kWords = kBytes / sizeof(std::uint32_t);

__global__ void reverseInEight(cuda::std::span<const std::uint32_t> in, cuda::std::span<std::uint32_t> out) {
    __shared__ std::uint32_t piece[kWords];
    const std::size_t begin = std::size_t{blockIdx.x} * kWords;
    reverse(piece, kWords, in.data() + begin, out.data() + begin);
}

// A preference in percent of the most shared memory an SM can have: the driver takes the next larger split
// that the chip knows, and leaves the rest to L1. It stays with the kernel until the next call.
void prefer(int percent) {
    CUDA_CHECK(cudaFuncSetAttribute(reverseInEight, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
}

void launch(Pieces& p, int percent) {
    prefer(percent);
    reverseInEight<<<p.blocks(kWords), kPieceBlock>>>(p.in.view(), p.out.span());
}

Row<Pieces> row(int percent) {
    const std::string share = std::to_string(percent);
    return {{.name = "carveout/" + share,
             .shows = "blocks with 8 KB where " + share +
                      " % of what can be shared memory is preferred to be, and the rest L1",
             .knownAnswers = [](std::size_t size) { return piecesAnswers(size, kBytes); },
             .parameters = {"percent=" + share},
             .sweep = "carveout"},
            [percent](Pieces& p) { launch(p, percent); },
            [percent](Pieces& p) {
                p.poison();
                launch(p, percent);
                return p.check(kWords);
            },
            [percent](Pieces&) {
                prefer(percent);
                std::vector<Expectation> answers = calculatedOccupancy(reverseInEight, 0);
                answers.push_back(blocksThatFit(kBytes));
                return answers;
            }};
}

std::vector<Row<Pieces>> rows() {
    std::vector<Row<Pieces>> rows;
    for (const int percent : {0, 10, 25, 50, 75, 100})
        rows.push_back(row(percent));
    return rows;
}

} // namespace

Group sharedCarveoutGroup() {
    Group group = groupOf<Pieces>(
        rows(), Sizes{std::size_t{1} << 24, std::size_t{1} << 18},
        [](std::size_t wanted) { return roundUp(wanted, kWords); },
        [](std::size_t size) { return 2 * size * sizeof(std::uint32_t); },
        [](std::size_t size) -> std::vector<std::string> {
            return {"size=" + std::to_string(size), "block=" + std::to_string(kPieceBlock)};
        });
    group.mostRepeats = 3;
    return group;
}

} // namespace dormer::kernels
