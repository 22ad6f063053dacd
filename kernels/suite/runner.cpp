// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/suite/runner.h"

#include "kernels/harness/cuda_check.h"
#include "kernels/harness/live_buffers.h"
#include "kernels/suite/measure.h"
#include "kernels/suite/outcome.h"

#include <fmt/format.h>

#include <cstdio>
#include <span>

namespace dormer::kernels {

namespace {

Result<void> useDevice(int wanted) {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess) {
        // Without any driver the runtime calls it "insufficient"; version 0 tells the two apart.
        int driver = 0;
        const bool absent = cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0;
        return failure(ErrorKind::Device,
                       fmt::format("no usable CUDA device: {} ({}); 'dormer doctor' tells what to do",
                                   absent ? "no NVIDIA driver was found" : cudaGetErrorString(status),
                                   cudaGetErrorName(status)));
    }
    if (wanted >= count)
        return failure(ErrorKind::Device,
                       fmt::format("there is no CUDA device {}: {} found, counted from 0", wanted, count));
    CUDA_CHECK(cudaSetDevice(wanted));
    return {};
}

/// A group with the variants of it that run.
struct Part {
    const Group* group = nullptr;
    Setup setup;
};

std::vector<Part> partsOf(std::size_t family, const Options& options, const std::vector<Selected>& selected) {
    const std::vector<Group>& groups = families()[family].groups;
    std::vector<Part> parts;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        Part part{&groups[group], {}};
        part.setup.seed = options.seed;
        for (const Selected& place : selected) {
            if (place.family != family || place.group != group) continue;
            // What a race leaves behind is no two times the same.
            if (options.digest && variantOf(place).wrongByDesign) continue;
            part.setup.variants.push_back(place.variant);
        }
        if (part.setup.variants.empty()) continue;
        const Sizes& defaults = groups[group].defaultSize;
        const std::size_t wanted = options.size            ? static_cast<std::size_t>(*options.size)
                                   : options.emulatorSizes ? defaults.emulator
                                                           : defaults.gpu;
        part.setup.size = groups[group].roundSize(wanted);
        parts.push_back(std::move(part));
    }
    return parts;
}

std::size_t bytesOf(const std::vector<Part>& parts) {
    std::size_t bytes = 0;
    for (const Part& part : parts)
        bytes += part.group->deviceBytes(part.setup.size);
    return bytes;
}

/// Halves default sizes until the family fits, and says so; a size that was requested is never changed.
Result<void> fitMemory(std::string_view family, const Options& options, std::vector<Part>& parts) {
    std::size_t free = 0;
    std::size_t total = 0;
    CUDA_CHECK(cudaMemGetInfo(&free, &total));
    const std::size_t usable = free / 10 * 9; // the context and temporaries need some, too
    const std::size_t needed = bytesOf(parts);
    if (needed <= usable) return {};
    const std::string shortage =
        fmt::format("{} needs {:.1f} GB of device memory and {:.1f} GB are free", family,
                    static_cast<double>(needed) * 1e-9, static_cast<double>(free) * 1e-9);
    if (options.size) return failure(ErrorKind::Usage, shortage + ": choose a smaller --size");
    while (bytesOf(parts) > usable) {
        const std::size_t before = bytesOf(parts);
        for (Part& part : parts)
            part.setup.size = part.group->roundSize(part.setup.size / 2);
        if (bytesOf(parts) >= before) return failure(ErrorKind::Device, shortage);
    }
    fmt::print(stderr, "dormer-workloads: {}: running with size={} instead\n", shortage,
               parts.front().setup.size);
    return {};
}

/// FNV-1a over the words of every array of the family.
void printDigests(std::string_view family) {
    std::size_t number = 0;
    for (const LiveBuffer& buffer : liveBuffers()) {
        std::vector<std::uint32_t> words(buffer.bytes / sizeof(std::uint32_t));
        CUDA_CHECK(cudaMemcpy(words.data(), buffer.data, words.size() * sizeof(std::uint32_t),
                              cudaMemcpyDeviceToHost));
        std::uint64_t digest = 0xCBF29CE484222325;
        for (const std::uint32_t word : words)
            digest = (digest ^ word) * 0x100000001B3;
        fmt::print("{} array {} of {} bytes: {:016x}\n", family, number++, buffer.bytes, digest);
    }
}

/// Declares the part's variants with their known answers and readies them for launching.
void addBodies(const Family& family, const Part& part, const Options& options, Instance& instance,
               std::vector<Body>& bodies) {
    const Group& group = *part.group;
    for (const std::size_t variant : part.setup.variants) {
        const Variant& facts = group.variants[variant];
        const std::string path = fmt::format("{}/{}", family.name, facts.name);
        bodies.push_back({path, &instance, variant, options.repeat.value_or(group.mostRepeats)});
        reportWorkload(family, facts, group.parameters(part.setup.size));
        for (const Expectation& expectation : facts.knownAnswers(part.setup.size))
            reportExpectation(path, expectation);
        for (const Expectation& expectation : instance.deviceAnswers(variant))
            reportExpectation(path, expectation);
    }
}

void measureBodies(std::span<const Body> bodies) {
    if (bodies.empty()) return;
    CUDA_CHECK(cudaDeviceSynchronize());
    measure(bodies,
            {.launched =
                 [](const Body& body) {
                     if (const cudaError_t status = cudaGetLastError(); status != cudaSuccess)
                         throw CudaError(fmt::format("the launch of {} failed: {} ({})", body.path,
                                                     cudaGetErrorString(status), cudaGetErrorName(status)));
                 },
             .passEnded = [] { CUDA_CHECK(cudaDeviceSynchronize()); }});
}

Result<bool> runFamily(std::size_t family, const Options& options, const std::vector<Selected>& selected) {
    std::vector<Part> parts = partsOf(family, options, selected);
    if (parts.empty()) return true;
    if (auto fits = fitMemory(families()[family].name, options, parts); !fits)
        return std::unexpected(fits.error());

    std::vector<std::unique_ptr<Instance>> instances;
    std::vector<Body> bodies;
    reportSweeps(families()[family]);
    for (const bool kernels : {false, true}) {
        const std::size_t first = bodies.size();
        for (const Part& part : parts) {
            if (part.group->launchesKernels != kernels) continue;
            instances.push_back(part.group->create(part.setup));
            addBodies(families()[family], part, options, *instances.back(), bodies);
        }
        measureBodies(std::span(bodies).subspan(first));
    }

    bool allPassed = true;
    for (const Body& body : bodies) {
        const CheckResult result = body.instance->check(body.variant);
        reportCheck(body.path, result);
        allPassed = allPassed && result.passed;
    }
    if (options.digest) printDigests(families()[family].name);
    return allPassed;
}

} // namespace

Result<bool> runSuite(const Options& options, const std::vector<Selected>& selected) {
    if (auto device = useDevice(options.device); !device) return std::unexpected(device.error());
    bool allPassed = true;
    for (std::size_t family = 0; family < families().size(); ++family) {
        try {
            const Result<bool> passed = runFamily(family, options, selected);
            if (!passed) return passed;
            allPassed = allPassed && *passed;
        } catch (const CudaError& error) {
            throw CudaError(fmt::format("{}: {}", families()[family].name, error.what()));
        }
    }
    return allPassed;
}

} // namespace dormer::kernels
