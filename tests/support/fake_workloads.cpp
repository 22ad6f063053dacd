// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
// Plays dormer-workloads without a GPU. DORMER_FAKE chooses how it behaves.
#include "instrument/stream/codec.h"
#include "instrument/stream/launcher_socket.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace {

using namespace dormer::session;

using namespace std::chrono_literals;

int streamFd() {
    namespace stream = dormer::instrument::stream;
    static const int fd = [] {
        const char* launcher = std::getenv(stream::kStreamEnv);
        return launcher != nullptr ? stream::connectTo(launcher) : -1;
    }();
    return fd;
}

void writeText(const std::string& text) {
    if (!dormer::instrument::stream::sendAll(streamFd(), text)) std::_Exit(9);
}

void emit(const Record& record) {
    writeText(dormer::instrument::stream::formatRecord(record) + "\n");
}

void note(const std::string& code, const std::string& text) {
    emit(Note{0, code, text});
}

void start() {
    Process process;
    process.pid = getpid();
    process.program = "dormer-workloads";
    process.counterSet = "memory";
    process.passes = 4;
    emit(ProcessStart{process});
    Device device;
    device.name = "NVIDIA Fake";
    if (const char* uuid = std::getenv("DORMER_FAKE_UUID")) device.uuid = uuid;
    device.smCount = 132;
    emit(device);
    Kernel kernel;
    kernel.id = 1;
    kernel.name = "void scaleKernel<double>(double*, int)";
    emit(kernel);
}

void launch(std::uint64_t id, const std::string& notCounted = {}) {
    Launch record;
    record.id = id;
    record.kernel = 1;
    record.grid = {65536, 1, 1};
    record.block = {256, 1, 1};
    record.workload = "roofline/scale";
    record.durationNs = 61200;
    record.notCounted = notCounted;
    emit(record);
}

void countedLaunch(std::uint64_t id) {
    launch(id);
    emit(LaunchCounters{id, {{"dram__bytes_read.sum", 1.34e8}, {"dram__bytes_write.sum", 1.34e8}}, true});
}

/// "counting", pass 2 of 4, launch `done` + 1 of 5, three seconds left.
void progress(std::int64_t done) {
    Progress record;
    record.phase = "counting";
    record.workload = "roofline/scale";
    record.pass = 2;
    record.passes = 4;
    record.launchesDone = done;
    record.launchesExpected = 5;
    record.secondsLeft = 3;
    emit(record);
}

void answer(const std::string& metric, double value) {
    Expectation expectation;
    expectation.workload = "roofline/scale";
    expectation.metric = metric;
    expectation.relation = "==";
    expectation.value = value;
    expectation.why = "what the fake says";
    emit(expectation);
}

/// Three sizes of a kernel that is at its best in the middle.
constexpr std::array<std::pair<int, double>, 3> kSweepPoints{{{1, 40}, {2, 10}, {4, 20}}};

int describeSweep() {
    std::string text;
    for (const auto& [size, ns] : kSweepPoints)
        text +=
            (text.empty() ? "[" : ",") +
            std::string(
                R"({"family":"tile","title":"Tiles","family_shows":"what a size does","variant":"size/)") +
            std::to_string(size) + R"(","shows":"a size of )" + std::to_string(size) +
            R"(","parameters":["size=)" + std::to_string(size) + R"(","type=int"],"sweep":"size"})";
    std::puts((text + "]").c_str());
    return 0;
}

void playSweep() {
    emit(Sweep{"tile/size", "Sizes", {"size"}, {"duration_ns"}, "lowest"});
    std::uint64_t id = 0;
    for (const auto& [size, ns] : kSweepPoints) {
        Workload workload;
        workload.workload = "tile/size/" + std::to_string(size);
        workload.parameters = {"size=" + std::to_string(size), "type=int"};
        workload.sweep = "tile/size";
        emit(workload);
        Launch record;
        record.id = id++;
        record.kernel = 1;
        record.workload = workload.workload;
        record.durationNs = ns;
        emit(record);
        emit(LaunchCounters{record.id, {{"dram__bytes_read.sum", 1}}, true});
    }
}

/// A copy of 1 MB, in a workload or in its set-up.
void playTransfer(bool inside) {
    Workload workload;
    workload.workload = "transfer/pinned";
    emit(workload);
    Transfer copy;
    copy.kind = TransferKind::Copy;
    copy.direction = TransferDirection::HostToDevice;
    copy.source = MemoryKind::Pinned;
    copy.bytes = 1'000'000;
    copy.durationNs = 40'000;
    if (inside) copy.workload = workload.workload;
    emit(copy);
}

int describeSuite() {
    // The second and third say no more than an older suite did.
    std::puts(
        R"([{"family":"roofline","title":"Walk along the roof","family_shows":"from memory to compute",)"
        R"("variant":"scale","shows":"y = 3x","parameters":["size=16777216"],"sweep":"polynomial",)"
        R"("emulator_size":1024,"wrong_by_design":true},)"
        R"({"family":"transpose","variant":"tiled","shows":"bank conflicts","parameters":[]},)"
        R"({"family":"transpose","variant":"tiled_padded","shows":"none","parameters":[]}])");
    return 0;
}

[[noreturn]] void dieBy(int signal) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    std::_Exit(8);
}

void stayForever() {
    while (true)
        pause();
}

std::string openDescriptors() {
    std::string text;
    for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/fd"})
        if (std::filesystem::exists(std::filesystem::symlink_status(entry.path())))
            text += entry.path().filename().string() + " ";
    return text;
}

int play(const std::string& mode, int argc, char** argv) {
    if (mode == "no-device") {
        std::fputs("dormer-workloads: no CUDA device\n", stderr);
        return 3;
    }
    start();
    if (mode == "no-launch") return 0;
    if (mode == "slow") {
        for (std::uint64_t id = 0; id < 5; ++id) {
            countedLaunch(id);
            progress(static_cast<std::int64_t>(id));
            std::this_thread::sleep_for(100ms);
        }
        return 0;
    }
    if (mode == "lines") { // complete in either order: counters first, then lines, and the other way round
        LineCounts line;
        line.file = "scale.cu";
        line.line = 7;
        line.executions = 524288;
        launch(0);
        emit(LaunchCounters{0, {{"dram__bytes_read.sum", 1.34e8}}, true});
        emit(LaunchLines{0, {line}});
        launch(1);
        emit(LaunchLines{1, {line}});
        emit(LaunchCounters{1, {{"dram__bytes_read.sum", 1.34e8}}, true});
        return 0;
    }
    if (mode == "sweep") {
        playSweep();
        return 0;
    }
    if (mode == "transfers" || mode == "set-up-only") {
        playTransfer(mode == "transfers");
        return 0;
    }
    if (mode == "permission") {
        note("no-permission", "no permission for counters on NVIDIA Fake");
        launch(0, "counters are not available here, see the notes");
        return 0;
    }
    if (mode == "held") {
        note("counters-unavailable", "another tool holds the counters of NVIDIA Fake");
        launch(0, "counters are not available here, see the notes");
        return 0;
    }
    if (mode == "filtered") {
        launch(0, "its name does not match --kernels foo");
        launch(1, "its name does not match --kernels foo");
        return 0;
    }
    if (mode == "report-surroundings") {
        std::string words;
        for (int i = 1; i < argc; ++i)
            words += std::string{i == 1 ? "" : " "} + argv[i];
        note("arguments", words);
        note("descriptors", openDescriptors());
        for (const char* name : {"DORMER_OPTIONS", "CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH",
                                 "DORMER_COLLECTOR", "LD_LIBRARY_PATH", "EXTRA"}) {
            const char* value = std::getenv(name);
            note(name, value != nullptr ? value : "(unset)");
        }
        countedLaunch(0);
        return 0;
    }
    // Before the launches: whoever waits for them may send the signal at once.
    if (mode == "stubborn") std::signal(SIGTERM, SIG_IGN);
    countedLaunch(0);
    countedLaunch(1);
    if (mode == "segv") {
        launch(2);
        dieBy(SIGSEGV);
    }
    if (mode == "killed") dieBy(SIGKILL);
    if (mode == "exit-7") {
        emit(ProcessEnd{0, {}}); // a lie: what the kernel says counts
        return 7;
    }
    if (mode == "garbage") {
        writeText("this is no record\n{\"record\":\n\x01\xff\xfe\n{\"no\":\"record\"}\n");
        countedLaunch(2);
    }
    if (mode == "half-line") writeText(R"({"record":"launch","id":2,"ker)");
    if (mode == "unended-line") writeText(dormer::instrument::stream::formatRecord(Note{0, "last", "whole"}));
    if (mode == "hang" || mode == "stubborn") stayForever();
    if (mode == "flood")
        for (int i = 0; i < 40000; ++i)
            std::puts("a line of one hundred characters or so, on stdout where results of dormer itself go");
    if (mode == "orphan" && fork() == 0) {
        // It holds the stream only, not the terminal or pipe of whoever runs the tests.
        for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
            close(fd);
        std::this_thread::sleep_for(20s);
        std::_Exit(0);
    }
    if (mode == "answers" || mode == "broken-answer") {
        answer("dram__bytes_read.sum", mode == "answers" ? 1.34e8 : 7);
        emit(Check{"roofline/scale", true, "compared 16777216 elements"});
    }
    if (mode == "wrong-result") {
        emit(Check{"roofline/scale", false, "element 5 is 1, not 3"});
        return 1;
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const char* mode = std::getenv("DORMER_FAKE");
    const bool sweep = mode != nullptr && std::strcmp(mode, "sweep") == 0;
    if (argc > 1 && std::strcmp(argv[1], "--describe") == 0) return sweep ? describeSweep() : describeSuite();
    if (const char* marker = std::getenv("DORMER_FAKE_MARKER")) std::ofstream{marker} << getpid() << '\n';
    return play(mode != nullptr ? mode : "normal", argc, argv);
}
