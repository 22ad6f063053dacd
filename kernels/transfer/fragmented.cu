// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/transfer/groups.h"

#include <algorithm>

namespace dormer::kernels {

namespace {

/// Words that follow from their index, so that the host can make them and the device check them.
struct IsWord {
    std::uint64_t seed;
    const Word* words;
    __device__ bool operator()(std::size_t i) const { return words[i] == static_cast<Word>(mixed(seed, i)); }
};

struct Pieces {
    explicit Pieces(const Setup& setup) : seed(setup.seed), host(setup.size), device(setup.size) {
        for (std::size_t i = 0; i < host.size(); ++i)
            host[i] = static_cast<Word>(mixed(seed, i));
    }
    /// The same words every time, in this many calls; pieces of no word are left out.
    void upload(std::size_t pieces) const {
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            const std::size_t first = firstWordOf(piece, pieces, host.size());
            const std::size_t last = firstWordOf(piece + 1, pieces, host.size());
            if (first == last) continue;
            CUDA_CHECK(cudaMemcpy(device.data() + first, host.data() + first, (last - first) * sizeof(Word),
                                  cudaMemcpyHostToDevice));
        }
    }
    [[nodiscard]] CheckResult check(std::size_t pieces) const {
        CUDA_CHECK(cudaMemset(device.data(), 0xFF, device.bytes())); // all variants copy to there
        upload(pieces);
        return checkEach(host.size(), IsWord{seed, device.data()}, "device[i] == host[i]");
    }

    std::uint64_t seed;
    std::vector<Word> host;
    DeviceBuffer<Word> device;
};

/// From here on each piece is so small that what a call costs, some microseconds, takes longer than its
/// bytes.
constexpr std::size_t kSmallPieceBytes = 2048;
constexpr std::size_t kLargeBytes = 50'000'000;

std::vector<Expectation> answers(std::size_t pieces, std::size_t size) {
    const std::size_t calls = std::min(pieces, size);
    std::vector<Expectation> all{exactly("transfer_count", static_cast<double>(calls), "one call a piece"),
                                 exactly("transfer_bytes", static_cast<double>(size * sizeof(Word)),
                                         "the same bytes in all, however they are cut")};
    const std::size_t bytes = size * sizeof(Word);
    if (bytes >= kLargeBytes && bytes / pieces <= kSmallPieceBytes)
        all.push_back(comparedTo("transfer/fragmented/1", "effective_bytes_per_second", "<=", 0.25,
                                 "a call costs some microseconds, and a piece's bytes a fraction of one"));
    return all;
}

std::vector<Row<Pieces>> rows() {
    std::vector<Row<Pieces>> all;
    for (const std::size_t pieces : kPieces) {
        const std::string count = std::to_string(pieces);
        all.push_back({{.name = "fragmented/" + count,
                        .shows = "the same words copied to the device in " +
                                 (pieces == 1 ? std::string("one piece") : count + " pieces, one call each"),
                        .knownAnswers = [pieces](std::size_t size) { return answers(pieces, size); },
                        .parameters = {"pieces=" + count},
                        .sweep = "fragmented",
                        // In one piece they are still in pageable memory: not free of faults, either.
                        .better = pieces == 1 ? "" : "transfer/fragmented/1"},
                       [pieces](Pieces& state) { state.upload(pieces); },
                       [pieces](Pieces& state) { return state.check(pieces); }});
    }
    return all;
}

} // namespace

Group transferFragmentedGroup() {
    Group group = groupOf<Pieces>(
        rows(), kTransferSizes, [](std::size_t wanted) { return roundUp(wanted, 1); },
        [](std::size_t size) { return size * sizeof(Word); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "memory=pageable", "type=uint32"};
        });
    group.mostRepeats = 1; // 111111 calls
    group.launchesKernels = false;
    return group;
}

} // namespace dormer::kernels
