// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/host_buffer.h"
#include "kernels/harness/inputs.cuh"
#include "kernels/harness/table.h"

#include <array>

namespace dormer::kernels {

namespace {

constexpr unsigned kBlock = 256;

// The kernel does not know where its arrays are: where addresses are unified, host memory that the device can
// reach is read through the same loads, over the bus.
__global__ void sumAnywhere(cuda::std::span<const float> a, cuda::std::span<const float> b,
                            cuda::std::span<float> c) {
    const unsigned i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < c.size()) c[i] = a[i] + b[i];
}

struct IsSum {
    const float *a, *b, *c;
    __device__ bool operator()(std::size_t i) const { return c[i] == a[i] + b[i]; }
};

enum : std::size_t { kDevice, kMapped, kHostPointer };

struct Vectors {
    explicit Vectors(const Setup& setup) : a(setup.size), b(setup.size), c(setup.size) {
        fill(a, Uniform<float>{setup.seed, 1});
        fill(b, Uniform<float>{setup.seed + 1, 1});
        if (!setup.runs(kMapped) && !setup.runs(kHostPointer)) return;
        hostA = PinnedBuffer<float>(setup.size);
        hostB = PinnedBuffer<float>(setup.size);
        hostC = PinnedBuffer<float>(setup.size);
        CUDA_CHECK(cudaMemcpy(hostA.data(), a.data(), a.bytes(), cudaMemcpyDeviceToHost));
        CUDA_CHECK(cudaMemcpy(hostB.data(), b.data(), b.bytes(), cudaMemcpyDeviceToHost));
    }

    void launch(const float* x, const float* y, float* z) const {
        const std::size_t n = a.size();
        sumAnywhere<<<static_cast<unsigned>(cuda::ceil_div(n, kBlock)), kBlock>>>({x, n}, {y, n}, {z, n});
    }
    void launchDevice() const { launch(a.data(), b.data(), c.data()); }
    void launchMapped() const { launch(hostA.onDevice(), hostB.onDevice(), hostC.onDevice()); }
    void launchHostPointer() const { launch(hostA.data(), hostB.data(), hostC.data()); }

    [[nodiscard]] CheckResult checkDevice() const {
        return checkEach(c.size(), IsSum{a.data(), b.data(), c.data()}, "c[i] == a[i] + b[i]");
    }
    /// Both variants on host memory write to one array.
    template <typename Launch>
    [[nodiscard]] CheckResult checkHost(Launch again) const {
        CUDA_CHECK(cudaDeviceSynchronize());
        std::memset(hostC.data(), 0xFF, hostC.bytes());
        again();
        CUDA_CHECK(cudaDeviceSynchronize());
        return checkEach(c.size(), IsSum{a.data(), b.data(), hostC.onDevice()}, "c[i] == a[i] + b[i]");
    }

    DeviceBuffer<float> a, b, c;
    PinnedBuffer<float> hostA, hostB, hostC;
};

/// From here on bytes decide, not the latency of the first access: the bus carries a tenth of what the
/// device's memory does, or less.
constexpr std::size_t kLarge = 1'000'000;
/// What the L2 cache of no device of today holds.
constexpr std::size_t kBeyondCaches = 16'000'000;

std::vector<Expectation> answersAny(std::size_t size) {
    std::vector<Expectation> answers =
        globalSectors(kCoalescedSectors, "32 lanes read 128 neighbouring bytes", kCoalescedSectors,
                      "32 lanes write 128 neighbouring bytes");
    answers.push_back(exactly("flops_fp32", static_cast<double>(size), "one addition per element"));
    return answers;
}

std::vector<Expectation> answersHost(std::size_t size, const std::string& point) {
    std::vector<Expectation> answers = answersAny(size);
    const std::string device = "zero_copy/device/" + point;
    answers.push_back(comparedTo(device, "duration_ns", ">=", size >= kLarge ? 5 : 1,
                                 "every access crosses the bus to the host and back"));
    if (size >= kBeyondCaches)
        answers.push_back(comparedTo(device, "dram_bytes", "<=", 0.5,
                                     "the arrays are in the host's memory, not in the device's"));
    return answers;
}

std::vector<Expectation> answersHostPointer(std::size_t size, const std::string& point) {
    std::vector<Expectation> answers = answersHost(size, point);
    if (size >= kLarge)
        answers.push_back(comparedTo("zero_copy/mapped/" + point, "duration_ns", "<=", 1.5,
                                     "addresses are unified: both pointers are the same"));
    return answers;
}

std::vector<Row<Vectors>> rows(const std::string& point) {
    const std::string device = "zero_copy/device/" + point;
    return {
        {{.name = "device/" + point,
          .shows = "the sum of vectors in the device's own memory",
          .knownAnswers = answersAny,
          .parameters = {"memory=device"},
          .sweep = "device",
          .good = true},
         [](Vectors& v) { v.launchDevice(); },
         [](Vectors& v) { return v.checkDevice(); }},
        {{.name = "mapped/" + point,
          .shows =
              "the same on page-locked host memory, under the address that cudaHostGetDevicePointer gives",
          .knownAnswers = [point](std::size_t size) { return answersHost(size, point); },
          .parameters = {"memory=mapped"},
          .sweep = "mapped",
          .better = device},
         [](Vectors& v) { v.launchMapped(); },
         [](Vectors& v) { return v.checkHost([&v] { v.launchMapped(); }); }},
        {{.name = "host_pointer/" + point,
          .shows = "the same on page-locked host memory, with the host's own pointer: addresses are unified",
          .knownAnswers = [point](std::size_t size) { return answersHostPointer(size, point); },
          .parameters = {"memory=host_pointer"},
          .sweep = "host_pointer",
          .better = device},
         [](Vectors& v) { v.launchHostPointer(); },
         [](Vectors& v) { return v.checkHost([&v] { v.launchHostPointer(); }); }},
    };
}

/// Points of the sweep, named after their size on a GPU.
struct Point {
    const char* name;
    Sizes sizes;
};
constexpr std::array kPoints{
    Point{"1K", {1 << 10, 1 << 10}}, Point{"16K", {1 << 14, 1 << 12}}, Point{"256K", {1 << 18, 1 << 14}},
    Point{"1M", {1 << 20, 1 << 16}}, Point{"4M", {1 << 22, 1 << 18}},  Point{"16M", {1 << 24, 1 << 19}},
};

Group groupOfPoint(const Point& point) {
    Group group = groupOf<Vectors>(
        rows(point.name), point.sizes, [](std::size_t wanted) { return roundUp(wanted, kBlock); },
        [](std::size_t size) { return 3 * size * sizeof(float); },
        [](std::size_t size) {
            return std::vector<std::string>{"size=" + std::to_string(size), "block=" + std::to_string(kBlock),
                                            "type=float"};
        });
    group.mostRepeats = 3;
    return group;
}

SweepFacts sweep(std::string name, std::string title) {
    return {.name = std::move(name),
            .title = std::move(title),
            .parameters = {"size"},
            .metrics = {"duration_ns", "dram_bytes", "global_load_sectors_per_request"}};
}

} // namespace

Family zeroCopyFamily() {
    Family family{
        .name = "zero_copy",
        .title = "Sum of vectors in the host's memory",
        .shows =
            "What it costs a kernel to read and write the host's memory directly, against the device's own",
        .groups = {},
        .lookAt =
            "duration_ns of mapped/N and host_pointer/N against device/N: the same instructions, the same "
            "sectors "
            "per request, and several times to some sixty times the time, for each access crosses the bus. "
            "For few "
            "elements the wait for the first answer decides, for many the bus's bytes per second. dram_bytes "
            "stays small, although the kernel reads and writes as much: these bytes never were in the "
            "device's "
            "memory. Zero-copy pays for data that is touched once, sparsely, or is small; what is read again "
            "belongs on the device.",
        .sweeps = {sweep("device", "Sum of N elements in the device's memory"),
                   sweep("mapped", "Sum of N elements in mapped host memory"),
                   sweep("host_pointer", "Sum of N elements through the host's own pointers")},
        .reference = {{"slowdown of mapped host memory, 1K to 256M elements, RTX 3090 Ti",
                       "2.6, 4.1, 8.3, 33, 63, then 46 times"}},
        .figures = {"duration_ns", "dram_bytes"},
    };
    for (const Point& point : kPoints)
        family.groups.push_back(groupOfPoint(point));
    return family;
}

} // namespace dormer::kernels
