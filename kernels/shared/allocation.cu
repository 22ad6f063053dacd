// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/shared/groups.h"
#include "kernels/shared/occupancy.cuh"

#include <numeric>

namespace dormer::kernels {

namespace {

using namespace shared;

constexpr unsigned kMostStatic = 48; // KB: what every chip grants without being asked

__global__ void reverseInStatic(cuda::std::span<const std::uint32_t> in, cuda::std::span<std::uint32_t> out) {
    constexpr unsigned kWords = kMostStatic * kKilobyte / sizeof(std::uint32_t);
    __shared__ std::uint32_t piece[kWords];
    const std::size_t begin = std::size_t{blockIdx.x} * kWords;
    reverse(piece, kWords, in.data() + begin, out.data() + begin);
}

// The size of the array is the launch's third argument.
__global__ void reverseInDynamic(cuda::std::span<const std::uint32_t> in, cuda::std::span<std::uint32_t> out,
                                 unsigned words) {
    extern __shared__ std::uint32_t piece[];
    const std::size_t begin = std::size_t{blockIdx.x} * words;
    reverse(piece, words, in.data() + begin, out.data() + begin);
}

constexpr unsigned wordsOf(unsigned kilobytes) {
    return kilobytes * kKilobyte / sizeof(std::uint32_t);
}

void launchStatic(Pieces& p) {
    reverseInStatic<<<p.blocks(wordsOf(kMostStatic)), kPieceBlock>>>(p.in.view(), p.out.span());
}

void launchDynamic(Pieces& p, unsigned kilobytes) {
    const unsigned bytes = kilobytes * kKilobyte;
    // Beyond 48 KB a kernel has to ask; without it the launch fails.
    CUDA_CHECK(cudaFuncSetAttribute(reverseInDynamic, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(bytes)));
    reverseInDynamic<<<p.blocks(wordsOf(kilobytes)), kPieceBlock, bytes>>>(p.in.view(), p.out.span(),
                                                                           wordsOf(kilobytes));
}

std::vector<Expectation> occupancyOfDynamic(unsigned kilobytes) {
    const unsigned bytes = kilobytes * kKilobyte;
    CUDA_CHECK(cudaFuncSetAttribute(reverseInDynamic, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(bytes)));
    std::vector<Expectation> answers = calculatedOccupancy(reverseInDynamic, bytes);
    answers.push_back(blocksThatFit(bytes));
    return answers;
}

Row<Pieces> dynamicRow(unsigned kilobytes) {
    const std::string size = std::to_string(kilobytes);
    const std::string how = kilobytes > kMostStatic ? ", more than a kernel gets without asking" : "";
    return {{.name = "dynamic/" + size,
             .shows = "blocks with " + size + " KB, sized at the launch" + how,
             .knownAnswers =
                 [kilobytes](std::size_t elements) { return piecesAnswers(elements, kilobytes * kKilobyte); },
             .parameters = {"kilobytes=" + size},
             .sweep = "dynamic"},
            [kilobytes](Pieces& p) { launchDynamic(p, kilobytes); },
            [kilobytes](Pieces& p) {
                p.poison();
                launchDynamic(p, kilobytes);
                return p.check(wordsOf(kilobytes));
            },
            [kilobytes](Pieces&) { return occupancyOfDynamic(kilobytes); }};
}

constexpr unsigned kDynamic[] = {4, 8, 16, 32, 48, 64}; // 64 KB: what the smallest chips can give a block

std::vector<Row<Pieces>> rows() {
    std::vector<Row<Pieces>> rows{
        {{.name = "static_48",
          .shows = "blocks with a static array of 48 KB, the most that can be static",
          .knownAnswers =
              [](std::size_t elements) { return piecesAnswers(elements, kMostStatic * kKilobyte); }},
         launchStatic,
         [](Pieces& p) {
             p.poison();
             launchStatic(p);
             return p.check(wordsOf(kMostStatic));
         },
         [](Pieces&) {
             std::vector<Expectation> answers = calculatedOccupancy(reverseInStatic, 0);
             answers.push_back(blocksThatFit(std::size_t{kMostStatic} * kKilobyte));
             return answers;
         }}};
    for (const unsigned kilobytes : kDynamic)
        rows.push_back(dynamicRow(kilobytes));
    return rows;
}

/// Whole pieces of every size.
std::size_t roundSize(std::size_t wanted) {
    std::size_t step = 1;
    for (const unsigned kilobytes : kDynamic)
        step = std::lcm(step, std::size_t{wordsOf(kilobytes)});
    return roundUp(wanted, step);
}

} // namespace

Group sharedAllocationGroup() {
    Group group = groupOf<Pieces>(
        rows(), Sizes{roundSize(std::size_t{1} << 24), roundSize(std::size_t{1} << 18)}, roundSize,
        [](std::size_t size) { return 2 * size * sizeof(std::uint32_t); },
        [](std::size_t size) -> std::vector<std::string> {
            return {"size=" + std::to_string(size), "block=" + std::to_string(kPieceBlock)};
        });
    group.mostRepeats = 3;
    return group;
}

} // namespace dormer::kernels
