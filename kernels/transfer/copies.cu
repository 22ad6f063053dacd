// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/host_buffer.h"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"
#include "kernels/transfer/groups.h"

#include <algorithm>

namespace dormer::kernels {

namespace {

struct Mixed {
    std::uint64_t seed;
    __device__ Word operator()(std::size_t i) const { return static_cast<Word>(mixed(seed, i)); }
};

struct AreEqual {
    const Word *a, *b;
    __device__ bool operator()(std::size_t i) const { return a[i] == b[i]; }
};

/// The same words in memory of the device, in ordinary (pageable) memory of the host, and in page-locked
/// memory of the host.
struct Copies {
    explicit Copies(const Setup& setup)
        : words(setup.size), device(setup.size), pageable(setup.size), pinned(setup.size) {
        fill(words, Mixed{setup.seed});
        toHostMemory(words);
    }
    /// What a copy to the device reads.
    void toHostMemory(const DeviceBuffer<Word>& from) {
        CUDA_CHECK(cudaMemcpy(pageable.data(), from.data(), from.bytes(), cudaMemcpyDeviceToHost));
        std::ranges::copy(pageable, pinned.data());
    }

    void upload(const Word* host) const {
        CUDA_CHECK(cudaMemcpy(device.data(), host, device.bytes(), cudaMemcpyHostToDevice));
    }
    void download(Word* host) const {
        CUDA_CHECK(cudaMemcpy(host, words.data(), words.bytes(), cudaMemcpyDeviceToHost));
    }
    [[nodiscard]] CheckResult checkUpload(const Word* host) const {
        CUDA_CHECK(cudaMemset(device.data(), 0xFF, device.bytes())); // all variants copy to there
        upload(host);
        return checkEach(words.size(), AreEqual{words.data(), device.data()}, "device[i] == host[i]");
    }
    [[nodiscard]] CheckResult checkDownload(Word* host) const {
        std::fill_n(host, words.size(), ~Word{0});
        download(host);
        CUDA_CHECK(cudaMemcpy(device.data(), host, device.bytes(), cudaMemcpyHostToDevice));
        return checkEach(words.size(), AreEqual{words.data(), device.data()}, "host[i] == device[i]");
    }

    DeviceBuffer<Word> words, device;
    std::vector<Word> pageable;
    PinnedBuffer<Word> pinned;
};

std::vector<Expectation> oneCopy(std::size_t size) {
    return {exactly("transfer_count", 1, "one call copies everything"),
            exactly("transfer_bytes", static_cast<double>(size * sizeof(Word)), "4 bytes a word")};
}

/// Below some megabytes the cost of a call decides, not the memory.
constexpr std::size_t kLarge = 4'000'000;

std::vector<Expectation> pinnedCopy(std::size_t size, const std::string& pageable) {
    std::vector<Expectation> answers = oneCopy(size);
    if (size >= kLarge)
        answers.push_back(comparedTo(pageable, "effective_bytes_per_second", ">=", 1,
                                     "pageable memory goes through a page-locked buffer of the driver's on "
                                     "its way, which costs another copy on the host"));
    return answers;
}

std::vector<Row<Copies>> rows() {
    return {
        {{.name = "pageable_to_device",
          .shows = "from ordinary host memory: the driver copies through a page-locked buffer of its own",
          .knownAnswers = oneCopy,
          .parameters = {"memory=pageable", "direction=host_to_device"},
          .better = "transfer/pinned_to_device"},
         [](Copies& c) { c.upload(c.pageable.data()); },
         [](Copies& c) { return c.checkUpload(c.pageable.data()); }},
        {{.name = "pinned_to_device",
          .shows = "from page-locked host memory: the copy engine reads it directly",
          .knownAnswers = [](std::size_t size) { return pinnedCopy(size, "transfer/pageable_to_device"); },
          .parameters = {"memory=pinned", "direction=host_to_device"},
          .good = true},
         [](Copies& c) { c.upload(c.pinned.data()); },
         [](Copies& c) { return c.checkUpload(c.pinned.data()); }},
        {{.name = "pageable_to_host",
          .shows = "to ordinary host memory: the driver copies through a page-locked buffer of its own",
          .knownAnswers = oneCopy,
          .parameters = {"memory=pageable", "direction=device_to_host"},
          .better = "transfer/pinned_to_host"},
         [](Copies& c) { c.download(c.pageable.data()); },
         [](Copies& c) { return c.checkDownload(c.pageable.data()); }},
        {{.name = "pinned_to_host",
          .shows = "to page-locked host memory: the copy engine writes it directly",
          .knownAnswers = [](std::size_t size) { return pinnedCopy(size, "transfer/pageable_to_host"); },
          .parameters = {"memory=pinned", "direction=device_to_host"},
          .good = true},
         [](Copies& c) { c.download(c.pinned.data()); },
         [](Copies& c) { return c.checkDownload(c.pinned.data()); }},
    };
}

} // namespace

Group transferCopiesGroup() {
    Group group = groupOf<Copies>(
        rows(), kTransferSizes, [](std::size_t wanted) { return roundUp(wanted, 1); },
        [](std::size_t size) { return 2 * size * sizeof(Word); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "type=uint32"};
        });
    group.mostRepeats = 3;
    group.launchesKernels = false;
    return group;
}

} // namespace dormer::kernels
