// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
// dormer-workloads: runs the workload kernels, alone or under Dormer's collector.

#include "kernels/harness/cuda_check.h"
#include "kernels/suite/describe.h"
#include "kernels/suite/options.h"
#include "kernels/suite/outcome.h"
#include "kernels/suite/runner.h"
#include "kernels/suite/selection.h"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

namespace {

using namespace dormer;

constexpr int kCheckFailed = 1;
constexpr int kCudaFailed = 4;

int fail(int exitCode, const std::string& message) {
    fmt::print(stderr, "dormer-workloads: {}\n", message);
    return exitCode;
}

int fail(const Error& error) {
    return fail(static_cast<int>(error.kind), error.message);
}

int run(int argc, const char* const* argv) {
    const Result<kernels::Options> options = kernels::parseOptions(argc, argv);
    if (!options) return fail(options.error());
    if (!options->help.empty()) {
        fmt::print("{}", options->help);
        return 0;
    }
    if (options->describe) {
        fmt::print("{}\n", kernels::describe());
        return 0;
    }
    const Result<std::vector<kernels::Selected>> selected = kernels::select(options->patterns);
    if (!selected) return fail(selected.error());
    const Result<bool> passed = kernels::runSuite(*options, *selected);
    if (!passed) return fail(passed.error());
    return *passed || kernels::collected() ? 0 : kCheckFailed;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const dormer::kernels::CudaError& error) {
        return fail(kCudaFailed, error.what());
    } catch (const std::exception& error) {
        return fail(kCudaFailed, error.what());
    }
}
