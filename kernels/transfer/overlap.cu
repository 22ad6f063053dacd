// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/host_buffer.h"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/transfer/groups.h"

#include <cuda/cmath>

#include <array>

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = 256;
constexpr std::size_t kChunks = 4;
constexpr std::size_t kStreams = 2;

// One step of a linear congruential generator; many of them take about as long as the copies of a chunk.
constexpr Word kFactor = 1'664'525;
constexpr Word kIncrement = 1'013'904'223;
constexpr int kSteps = 512;

__global__ void stepMany(cuda::std::span<Word> words) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i >= words.size()) return;
    Word word = words[i];
#pragma unroll 16
    for (int step = 0; step < kSteps; ++step)
        word = word * kFactor + kIncrement;
    words[i] = word;
}

/// All the steps at once: they are one linear function, whose coefficients the host works out.
struct AllSteps {
    Word factor = 1, increment = 0;
    static AllSteps make() {
        AllSteps all;
        for (int step = 0; step < kSteps; ++step) {
            all.factor *= kFactor;
            all.increment = all.increment * kFactor + kIncrement;
        }
        return all;
    }
};

struct IsStepped {
    std::uint64_t seed;
    const Word* words;
    AllSteps all;
    __device__ bool operator()(std::size_t i) const {
        return words[i] == static_cast<Word>(mixed(seed, i)) * all.factor + all.increment;
    }
};

class Streams {
public:
    Streams() {
        for (cudaStream_t& stream : m_streams)
            CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    ~Streams() {
        // Nothing useful can be done about a failure here; the next checked call reports it.
        for (cudaStream_t stream : m_streams)
            static_cast<void>(cudaStreamDestroy(stream));
    }
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;
    [[nodiscard]] cudaStream_t operator[](std::size_t i) const { return m_streams[i]; }

private:
    std::array<cudaStream_t, kStreams> m_streams{};
};

/// Chunks of words that go to the device, are worked on there, and come back. The host's memory is
/// page-locked: from pageable memory nothing is asynchronous.
struct Pipeline {
    explicit Pipeline(const Setup& setup)
        : seed(setup.seed), in(setup.size), out(setup.size), device(setup.size) {
        for (std::size_t i = 0; i < in.size(); ++i)
            in.data()[i] = static_cast<Word>(mixed(seed, i));
    }

    /// Chunk after chunk, dealt out over so many streams.
    void run(std::size_t streamCount) const {
        const std::size_t count = in.size() / kChunks;
        const auto blocks = static_cast<unsigned>(cuda::ceil_div(count, kBlock));
        for (std::size_t chunk = 0; chunk < kChunks; ++chunk) {
            cudaStream_t stream = streams[chunk % streamCount];
            Word* const words = device.data() + chunk * count;
            const std::size_t bytes = count * sizeof(Word);
            CUDA_CHECK(
                cudaMemcpyAsync(words, in.data() + chunk * count, bytes, cudaMemcpyHostToDevice, stream));
            stepMany<<<blocks, kBlock, 0, stream>>>({words, count});
            CUDA_CHECK(
                cudaMemcpyAsync(out.data() + chunk * count, words, bytes, cudaMemcpyDeviceToHost, stream));
        }
        for (std::size_t i = 0; i < streamCount; ++i)
            CUDA_CHECK(cudaStreamSynchronize(streams[i]));
    }
    [[nodiscard]] CheckResult check(std::size_t streamCount) const {
        std::memset(out.data(), 0xFF, out.bytes()); // both variants write there
        CUDA_CHECK(cudaMemset(device.data(), 0xFF, device.bytes()));
        CUDA_CHECK(cudaDeviceSynchronize()); // the streams don't wait for the default one
        run(streamCount);
        return checkEach(out.size(), IsStepped{seed, out.onDevice(), AllSteps::make()},
                         "out[i] == in[i] after all steps");
    }

    std::uint64_t seed;
    PinnedBuffer<Word> in, out;
    DeviceBuffer<Word> device;
    Streams streams;
};

std::vector<Expectation> answersAny(std::size_t size) {
    std::vector<Expectation> answers =
        globalSectors(kCoalescedSectors, "32 lanes read 128 neighbouring bytes", kCoalescedSectors,
                      "32 lanes write 128 neighbouring bytes");
    answers.push_back(exactly("transfer_count", 2 * kChunks, "each chunk goes to the device and comes back"));
    answers.push_back(exactly("transfer_bytes", 2.0 * static_cast<double>(size * sizeof(Word)),
                              "every word goes to the device and comes back"));
    answers.push_back(exactly("kernel_count", kChunks, "one kernel a chunk"));
    return answers;
}

/// Below some megabytes launching and waiting take longest.
constexpr std::size_t kLarge = 4'000'000;

std::vector<Expectation> answersOverlap(std::size_t size) {
    std::vector<Expectation> answers = answersAny(size);
    if (size >= kLarge)
        answers.push_back(comparedTo("transfer/async_one_stream", "elapsed_ns", "<=", 0.9,
                                     "while one chunk is worked on, another is copied"));
    return answers;
}

std::vector<Row<Pipeline>> rows() {
    return {
        {{.name = "async_one_stream",
          .shows = "asynchronous copies and kernels in one stream: each still waits for the one before",
          .knownAnswers = answersAny,
          .parameters = {"streams=1"},
          .better = "transfer/async_overlap"},
         [](Pipeline& p) { p.run(1); },
         [](Pipeline& p) { return p.check(1); }},
        {{.name = "async_overlap",
          .shows = "the same work dealt out over two streams: copies of one chunk overlap with the kernel of "
                   "another",
          .knownAnswers = answersOverlap,
          .parameters = {"streams=2"},
          .good = true},
         [](Pipeline& p) { p.run(kStreams); },
         [](Pipeline& p) { return p.check(kStreams); }},
    };
}

} // namespace

Group transferOverlapGroup() {
    Group group = groupOf<Pipeline>(
        rows(), Sizes{std::size_t{1} << 23, std::size_t{1} << 14},
        [](std::size_t wanted) { return roundUp(wanted, kChunks * kBlock); }, // whole blocks in each chunk
        [](std::size_t size) { return size * sizeof(Word); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size),
                                            "chunks=" + std::to_string(kChunks), "memory=pinned",
                                            "block=" + std::to_string(kBlock), "type=uint32"};
        });
    group.mostRepeats = 3;
    return group;
}

} // namespace dormer::kernels
