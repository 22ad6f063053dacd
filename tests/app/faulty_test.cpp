// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Programs that do something wrong on the emulator (tests/support/faulty_program.cu): they get CUDA's answer,
// their user one line with kernel and place, and what finished before is kept.

#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <csignal>
#include <regex>
#include <sstream>
#include <thread>

using namespace dormer;
using namespace dormer::tests;

namespace {

const std::string kFaulty = DORMER_CUDA_PROGRAMS "/dormer_faulty_program";

/// "faulty_program.cu:12": where the program's source holds the text.
std::string placeOf(const std::string& text) {
    std::istringstream source{readFile(DORMER_SOURCE_DIR "/tests/support/faulty_program.cu")};
    int number = 0;
    for (std::string line; std::getline(source, line);) {
        ++number;
        if (holds(line, text)) return "faulty_program.cu:" + std::to_string(number);
    }
    FAIL("no line holds " + text);
    return {};
}

std::vector<std::string> linesOf(const std::string& text, const std::string& part) {
    std::vector<std::string> found;
    std::istringstream stream{text};
    for (std::string line; std::getline(stream, line);)
        if (holds(line, part)) found.push_back(line);
    return found;
}

std::size_t countedIn(const std::string& file) {
    const auto session = store::loadSession(file);
    INFO((session ? "" : session.error().message));
    REQUIRE(session);
    std::size_t counted = 0;
    for (const session::Launch& launch : session->launches())
        counted += launch.counted;
    return counted;
}

} // namespace

TEST_CASE("A wrong access stops the kernel with kernel, line, block and thread", "[profile]") {
    const auto [mode, error, text, source,
                thread] = GENERATE(table<std::string, std::string, std::string, std::string, std::string>({
        {"misaligned", "cudaErrorMisalignedAddress",
         R"(readOdd\(.*load of 4 bytes at 0x\w+1 is not a multiple of 4)", "// misaligned", "(0,0,0)"},
        {"null", "cudaErrorIllegalAddress", R"(fill\(.*store of 4 bytes at 0x0 is a null pointer)",
         "] = value;", "(0,0,0)"},
        {"before", "cudaErrorIllegalAddress", "is 16 bytes before the 256-byte allocation at 0x",
         "] = value;", "(0,0,0)"},
        {"freed", "cudaErrorIllegalAddress", "bytes (before|past the end of) the 256-byte allocation",
         "] = value;", "(0,0,0)"},
        {"host-pointer", "cudaErrorIllegalAddress", "lies in no allocation nor near one", "] = value;",
         "(0,0,0)"},
        {"beyond-shared", "cudaErrorIllegalAddress",
         "load of 4 bytes at 0x80 lies outside the 128 bytes of shared memory", "// outside shared memory",
         "(24,0,0)"},
        {"trap", "cudaErrorLaunchFailure", R"(giveUp\(\): the kernel executed trap)", "__trap()", "(3,0,0)"},
        {"wait", "cudaErrorLaunchTimeout", "waits for what no running thread.*given up after 0.2 s",
         "while (*flag", "(0,0,0)"},
    }));
    CAPTURE(mode);
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const CliResult result = runCli(
        {"profile", "--on", "emulator", "--time-limit", "0.2", "--quiet", "-o", file, "--", kFaulty, mode});
    INFO(result.err);
    CHECK(result.exitCode == 4);
    // What waits might wait for the host: only who waits for it learns that it does so in vain.
    CHECK(holds(result.err, (mode == "wait" ? "synchronize: " : "launch: ") + error));
    const std::vector<std::string> said = linesOf(result.err, placeOf(source));
    REQUIRE(said.size() == 1);
    CHECK(said[0].starts_with("dormer: "));
    CHECK(std::regex_search(said[0], std::regex(text)));
    CHECK(said[0].ends_with("block (0,0,0), thread " + thread));
    CHECK(holds(result.err, "dormer: the target failed with exit code 1; 1 launch saved to " + file));
    CHECK(countedIn(file) == 1); // the launch before
}

TEST_CASE("What a chip can't do is refused as CUDA does it, with the reason", "[profile]") {
    const auto [mode, error, text] = GENERATE(table<std::string, std::string, std::string>({
        {"no-threads", "launch: cudaErrorInvalidConfiguration", "a block of 0 x 1 x 1 threads"},
        {"no-blocks", "launch: cudaErrorInvalidConfiguration", "a grid of 0 x 1 x 1 blocks"},
        {"flat-block", "launch: cudaErrorInvalidConfiguration", "a block of 1 x 1 x 65 threads"},
        {"much-shared", "launch: cudaErrorInvalidValue",
         "100000 bytes of dynamic shared memory, where 49152 are allowed"},
        // 227 KiB: CUDA C++ Programming Guide, technical specifications of compute capability 9.0.
        {"too-much-shared", "attribute: cudaErrorInvalidValue",
         "can't have 300000 bytes of dynamic shared memory: a block has at most 232448"},
        {"too-much-memory", "malloc: cudaErrorMemoryAllocation",
         "out of memory: 1099511627776 bytes requested"},
        {"exotic", "launch: cudaErrorNotSupported",
         "an instruction the emulator does not know: multimem.ld_reduce.relaxed.gpu.global.add.u32, at "},
    }));
    CAPTURE(mode);
    const CliResult result = runCli({"profile", "--on", "emulator", "--quiet", "--", kFaulty, mode});
    INFO(result.err);
    CHECK(result.exitCode == 4);
    CHECK(holds(result.err, error));
    const std::vector<std::string> said = linesOf(result.err, text);
    REQUIRE(said.size() == 1);
    CHECK(said[0].starts_with("dormer: "));
    if (mode == "exotic") {
        CHECK(holds(said[0], "exotic(int*)"));
        CHECK(holds(said[0], placeOf("multimem.ld_reduce")));
    }
    CHECK(holds(result.out, "1 launch,")); // the one before
}

TEST_CASE("As much shared memory as the chip has is no mistake", "[profile]") {
    const CliResult result = runCli({"profile", "--on", "emulator", "--quiet", "--", kFaulty, "opted-in"});
    INFO(result.err);
    CHECK(result.exitCode == 0);
    const CliResult smaller =
        runCli({"profile", "--on", "emulator:H200", "--quiet", "--", kFaulty, "opted-in"});
    CHECK(smaller.exitCode == 0);
}

TEST_CASE("A program without PTX is told how to build it", "[profile]") {
    const CliResult result = runCli({"profile", "--on", "emulator", "--quiet", "--", kFaulty + "_no_ptx"});
    INFO(result.err);
    CHECK(result.exitCode == 4);
    CHECK(holds(result.err, "first launch: cudaErrorNoKernelImageForDevice"));
    const std::vector<std::string> said = linesOf(result.err, "holds no PTX");
    REQUIRE(said.size() == 1);
    CHECK(holds(said[0], "it holds sm_90"));
    CHECK(holds(said[0], "-gencode arch=compute_90,code=compute_90"));
    // The other way round: newer PTX than the chip.
    const CliResult older = runCli({"profile", "--on", "emulator:A100", "--quiet", "--", kFaulty});
    INFO(older.err);
    CHECK(older.exitCode == 4);
    CHECK(holds(older.err, "first launch: cudaErrorNoKernelImageForDevice"));
    CHECK(linesOf(older.err, "compute_80").size() == 1);
}

TEST_CASE("How a program ends is how dormer ends", "[profile]") {
    const auto [mode, text, launches] = GENERATE(table<std::string, std::string, std::size_t>({
        {"crash", "the target failed with signal 6 (Aborted); 1 launch saved to ", 1},
        {"exit-7", "the target failed with exit code 7; 1 launch saved to ", 1},
        {"nothing", "no kernels were profiled: the target launched none (process ", 0},
    }));
    CAPTURE(mode);
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const CliResult result =
        runCli({"profile", "--on", "emulator", "--quiet", "-o", file, "--", kFaulty, mode});
    INFO(result.err);
    CHECK(result.exitCode == 4);
    CHECK(result.isOneErrorLine());
    CHECK(holds(result.err, text));
    CHECK(countedIn(file) == launches);
}

TEST_CASE("Stopping or killing dormer keeps what an emulated program finished", "[profile]") {
    const int signal = GENERATE(SIGTERM, SIGINT, SIGKILL);
    CAPTURE(signal);
    const CommandFolder folder;
    const std::string file = folder / "x.dormer";
    const std::string marker = folder / "pid";
    // The program's second kernel never ends.
    const CliResult result =
        runCli({"profile", "--on", "emulator", "--quiet", "--format", "jsonl", "-o", file, "--", kFaulty,
                "wait", marker},
               {}, [&](pid_t pid) {
                   if (signal == SIGKILL) // a finished launch is committed within a second
                       std::this_thread::sleep_for(std::chrono::milliseconds{1500});
                   kill(pid, signal);
                   if (signal == SIGKILL) kill(std::stoi(readFile(marker)), SIGKILL);
               });
    INFO(result.err);
    if (signal == SIGKILL) {
        CHECK(result.signal == SIGKILL);
    } else {
        CHECK(result.exitCode == 4);
        CHECK(result.isOneErrorLine());
        CHECK(holds(result.err, "stopped; 1 launch saved to " + file));
        CHECK(kill(std::stoi(readFile(marker)), 0) != 0); // it is gone
    }
    CHECK(countedIn(file) == 1);
    CHECK(runCli({"show", file}).exitCode == 0);
}
