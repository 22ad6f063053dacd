// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/ceilings/device/bench.h"
#include "instrument/ceilings/device/memory_clock.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string_view>

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

using Measurements = std::vector<ceilings::Measurement>;

struct Options {
    int device = 0;
    double seconds = 28;
    bool generic = false;
    std::vector<std::string> parts;
};

struct Part {
    const char* name;
    std::function<void(ceilings::Bench&, Measurements&)> measure;
};

/// Each line is out as soon as it is known: what was measured counts even when a later part fails.
void print(const Measurements& found) {
    for (const ceilings::Measurement& each : found)
        fmt::print("{}\n", toJson(each).dump());
    std::fflush(stdout);
}

/// In the order that people read them.
std::vector<Part> partsOf(const Options& options) {
    return {{"dram",
             [device = options.device](ceilings::Bench& bench, Measurements& found) {
                 ceilings::measureDram(bench, found);
                 const double clock = ceilings::memoryClockHz(device);
                 for (ceilings::Measurement& each : found)
                     each.clockHz = clock;
             }},
            {"caches", ceilings::measureCaches},
            {"arithmetic", ceilings::measureArithmetic},
            {"tensor",
             [generic = options.generic](ceilings::Bench& bench, Measurements& found) {
                 ceilings::measureTensor(bench, generic, found);
             }},
            {"atomics", ceilings::measureAtomics},
            {"latencies", ceilings::measureLatencies},
            {"transfers", ceilings::measureTransfers}};
}

void measure(const Options& options) {
    ceilings::Bench bench(options.device, options.seconds);
    const auto wanted = [&](std::string_view part) {
        return options.parts.empty() || std::ranges::find(options.parts, part) != options.parts.end();
    };
    // A host is slow for seconds at a time while it does something else, so it is visited at the beginning,
    // in the middle and at the end.
    Measurements host;
    const auto visitHost = [&] {
        if (!wanted("host")) return;
        Measurements visit;
        ceilings::measureHostLaunches(bench, visit);
        ceilings::measureHostCopies(bench, visit);
        ceilings::keepFaster(host, visit);
    };
    for (const Part& part : partsOf(options)) {
        if (part.name == std::string_view("dram") || part.name == std::string_view("tensor")) visitHost();
        if (!wanted(part.name)) continue;
        Measurements found;
        part.measure(bench, found);
        print(found);
    }
    visitHost();
    print(host);
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
    app.add_option("--parts", options.parts, "these only")
        ->check(CLI::IsMember(
            {"dram", "caches", "arithmetic", "tensor", "atomics", "latencies", "transfers", "host"}));
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
