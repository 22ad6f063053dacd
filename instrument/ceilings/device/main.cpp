// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/bench.h"
#include "instrument/ceilings/device/memory_clock.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cuda_runtime_api.h>

#include <cstdio>

namespace {

namespace ceilings = dormer::instrument::ceilings;

nlohmann::json toJson(const ceilings::Measurement& measurement) {
    nlohmann::json entry{{"resource", measurement.resource}, {"method", measurement.method}};
    if (!measurement.problem.empty()) {
        entry["problem"] = measurement.problem;
        return entry;
    }
    entry["per_second"] = measurement.perSecond;
    entry["spread"] = measurement.spread;
    if (measurement.ofHost) entry["of_host"] = true;
    if (measurement.clockHz > 0) entry["clock_hz"] = measurement.clockHz;
    return entry;
}

struct Options {
    int device = 0;
    double seconds = 28;
    bool generic = false;
};

void measure(const Options& options) {
    ceilings::Bench bench(options.device, options.seconds);
    using Measurements = std::vector<ceilings::Measurement>;
    // Each line is out as soon as it is known: what was measured counts even when a later part fails.
    const auto print = [](const Measurements& found) {
        for (const ceilings::Measurement& each : found)
            fmt::print("{}\n", toJson(each).dump());
        std::fflush(stdout);
    };
    const auto part = [&](void (*measurePart)(ceilings::Bench&, Measurements&)) {
        Measurements found;
        measurePart(bench, found);
        print(found);
    };
    Measurements memory;
    ceilings::measureDram(bench, memory);
    const double memoryClock = ceilings::memoryClockHz(options.device);
    for (ceilings::Measurement& each : memory)
        each.clockHz = memoryClock;
    print(memory);
    part(ceilings::measureCaches);
    part(ceilings::measureArithmetic);
    Measurements tensor;
    ceilings::measureTensor(bench, options.generic, tensor);
    print(tensor);
    part(ceilings::measureAtomics);
    part(ceilings::measureLatencies);
    part(ceilings::measureTransfers);
}

} // namespace

/// Measures one device and prints a JSON object per line. Exit code 0; 3 without a usable device; 4 when a
/// measurement failed as a whole.
int main(int argc, char** argv) {
    CLI::App app{"Measures the roofs of a GPU for dormer ceilings"};
    Options options;
    app.add_option("--device", options.device, "CUDA ordinal")->check(CLI::NonNegativeNumber);
    app.add_option("--seconds", options.seconds, "time for all of it")->check(CLI::PositiveNumber);
    app.add_flag("--generic", options.generic, "matrix instructions of one warp only, as on other chips");
    CLI11_PARSE(app, argc, argv);
    int count = 0;
    if (const cudaError_t asked = cudaGetDeviceCount(&count);
        asked != cudaSuccess || options.device >= count) {
        fmt::print(stderr, "dormer-ceilings: no device {}: {}\n", options.device,
                   asked != cudaSuccess ? cudaGetErrorString(asked) : "there are fewer");
        return 3;
    }
    try {
        measure(options);
    } catch (const std::exception& error) {
        fmt::print(stderr, "dormer-ceilings: {}\n", error.what());
        return 4;
    }
    return 0;
}
