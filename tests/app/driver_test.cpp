// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Programs of CUDA's driver interface, of several units, and of CUDA's own libraries on the emulator. Each
// program checks its own results (tests/support).

#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer;
using namespace dormer::tests;

namespace {

CliResult profile(const std::string& file, const std::string& program, const std::string& argument = {}) {
    std::vector<std::string> words{"profile", "--on", "emulator", "--lines",
                                   "-o",      file,   "--",       DORMER_CUDA_PROGRAMS "/" + program};
    if (!argument.empty()) words.push_back(argument);
    return runCli(words);
}

bool isBuilt(const std::string& program) {
    return std::filesystem::exists(DORMER_CUDA_PROGRAMS "/" + program);
}

/// Lines of the text that hold the part.
std::size_t linesWith(const std::string& text, const std::string& part) {
    std::size_t lines = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, text.find('\n', at)))
        ++lines;
    return lines;
}

} // namespace

TEST_CASE("A program of the driver's interface runs, mixed with the runtime's and NVRTC", "[profile]") {
    if (!isBuilt("dormer_driver_program")) {
        WARN("this CUDA Toolkit has no NVRTC");
        return;
    }
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const CliResult result = profile(file, "dormer_driver_program");
    INFO(result.err << result.out);
    CHECK(result.exitCode == 0);
    CHECK(result.err.find("wrong: ") == std::string::npos);
    for (const char* part : {"contexts", "modules", "memory", "linked", "mixed"})
        CHECK(holds(result.err, part));
    const auto session = store::loadSession(file);
    REQUIRE(session);
    // Scaled twice and in a graph, reversed, linked, and with the runtime's memory.
    REQUIRE(session->launches().size() == 6);
    for (const session::Launch& launch : session->launches())
        CHECK(launch.counted);
    // Three arrays of 1000 numbers, and two numbers.
    const auto transfers = session->transfers();
    CHECK(std::ranges::any_of(transfers, [](const session::Transfer& transfer) {
        return transfer.direction == session::TransferDirection::HostToDevice && transfer.count == 5 &&
               transfer.bytes == 12008;
    }));
}

TEST_CASE("Code that a program can't load is CUDA's error and one line", "[profile]") {
    if (!isBuilt("dormer_driver_program")) {
        WARN("this CUDA Toolkit has no NVRTC");
        return;
    }
    const CommandFolder folder;
    const CliResult result = profile(folder / "x.dormer", "dormer_driver_program", "bad");
    INFO(result.err << result.out);
    CHECK(result.err.find("wrong: ") == std::string::npos);
    CHECK(holds(result.err, "half a file: CUDA_ERROR_INVALID_PTX"));
    CHECK(linesWith(result.err, "dormer: the program's PTX can't be used: PTX line ") == 1);
    CHECK(holds(result.err, "no code: CUDA_ERROR_INVALID_IMAGE"));
    CHECK(holds(result.err, "a cubin: CUDA_ERROR_NO_BINARY_FOR_GPU"));
    CHECK(linesWith(result.err, "dormer: the program loads a cubin") == 1);
    CHECK(holds(result.err, "a stranger's fat binary: CUDA_ERROR_INVALID_IMAGE"));
    CHECK(linesWith(result.err, "neither PTX nor a fat binary") == 1);
    CHECK(holds(result.err, "an absent file: CUDA_ERROR_FILE_NOT_FOUND"));
}

TEST_CASE("What NVRTC compiles for a chip runs as what it compiles for an architecture", "[profile]") {
    if (!isBuilt("dormer_driver_program")) {
        WARN("this CUDA Toolkit has no NVRTC");
        return;
    }
    const CommandFolder folder;
    const CliResult result = profile(folder / "x.dormer", "dormer_driver_program", "cubin");
    INFO(result.err << result.out);
    CHECK(result.exitCode == 0);
    CHECK(holds(result.err, "machine code\n"));
    CHECK(result.err.find("wrong: ") == std::string::npos);
}

TEST_CASE("Relocatable device code of several units is linked", "[profile]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const CliResult result = profile(file, "dormer_linked_program");
    INFO(result.err << result.out);
    CHECK(result.exitCode == 0);
    CHECK(holds(result.err, "first 1100")); // 0 + 0 + 1000 + 100, and 100 of the other kernel later
    CHECK(holds(result.err, "second 1200"));
    CHECK(holds(result.err, "0 wrong"));
    // Registers come from the machine code that the units became, lines from both.
    CHECK_FALSE(holds(result.err, "registers"));
    const auto session = store::loadSession(file);
    REQUIRE(session);
    REQUIRE(session->launches().size() == 2);
    for (const auto& kernel : session->kernels())
        CHECK(kernel.registersPerThread > 0);
    bool first = false, second = false;
    for (const auto& line : session->lines(session::LaunchIndex{0})) {
        first |= line.file.ends_with("linked/first.cu");
        second |= line.file.ends_with("linked/second.cu");
    }
    CHECK(first);
    CHECK(second);
}

TEST_CASE("A launch in device code is refused by name", "[profile]") {
    const CommandFolder folder;
    const CliResult result = profile(folder / "x.dormer", "dormer_nested_program");
    INFO(result.err << result.out);
    CHECK(holds(result.err, "cudaErrorNotSupported"));
    CHECK(linesWith(result.err, "dynamic parallelism") == 1);
}

TEST_CASE("A library of CUDA's is named, and a program that only makes a handle runs on", "[profile]") {
    if (!isBuilt("dormer_library_program")) {
        WARN("this CUDA Toolkit has no cuBLAS");
        return;
    }
    const CommandFolder folder;
    const CliResult handle = profile(folder / "x.dormer", "dormer_library_program");
    INFO(handle.err << handle.out);
    CHECK(linesWith(handle.err, "cuBLAS (libcublas.so.") == 1);
    CHECK(holds(handle.err, "create 0\n"));
    CHECK(holds(handle.err, "set 0\n"));
    CHECK(holds(handle.err, "destroy 0\n"));
    const CliResult sum = profile(folder / "y.dormer", "dormer_library_program", "sum");
    INFO(sum.err << sum.out);
    CHECK(linesWith(sum.err, "cuBLAS (libcublas.so.") == 1);
    CHECK(holds(sum.err, "sum 1\n")); // CUBLAS_STATUS_NOT_INITIALIZED
}
