// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/probe/cuda_driver.h"
#include "app/probe/driver_version.h"
#include "instrument/launch/installation.h"
#include "instrument/stream/codec.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

#ifndef DORMER_CUDA_VERSION
#define DORMER_CUDA_VERSION 0
#endif

namespace {

void print(const dormer::session::Record& record) {
    // Flushed line by line: what is known counts even when the driver crashes next.
    fmt::print("{}\n", dormer::instrument::stream::formatRecord(record));
    std::fflush(stdout);
}

void printNote(std::string_view code, std::string text) {
    dormer::session::Note note;
    note.code = code;
    note.text = std::move(text);
    print(note);
}

} // namespace

/// Prints what GPUs there are as record lines. Exit code 0 with devices, 3 with a problem.
int main(int argc, char** argv) {
    namespace probe = dormer::probe;
    namespace instrument = dormer::instrument;

    CLI::App app{"Detects NVIDIA GPUs for dormer"};
    std::string cuda = "libcuda.so.1";
    std::string nvml = "libnvidia-ml.so.1";
    std::string proc = "/proc";
    int requiredCuda = DORMER_CUDA_VERSION;
    app.add_option("--libcuda", cuda, "driver library to query");
    app.add_option("--libnvml", nvml, "management library to query for the driver version");
    app.add_option("--proc", proc, "where /proc is");
    app.add_option("--needs-cuda", requiredCuda, "CUDA version the driver must support, 13000 for 13.0");
    CLI11_PARSE(app, argc, argv);

    const std::string version = probe::driverVersion(proc, nvml);
    if (!version.empty()) printNote(dormer::instrument::launch::kProbeDriver, version);
    if (probe::countersRestricted(proc))
        printNote(dormer::instrument::launch::kProbeRestricted,
                  "RmProfilingAdminOnly is 1 and CAP_SYS_ADMIN is missing");
    auto devices = probe::cudaDevices(cuda, requiredCuda);
    if (!devices) {
        printNote(dormer::instrument::launch::kProbeProblem, devices.error().text);
        printNote(dormer::instrument::launch::kProbeRemedy, devices.error().remedy);
        return 3;
    }
    for (dormer::session::Device& device : *devices) {
        device.driverVersion = version;
        print(device);
    }
    return 0;
}
