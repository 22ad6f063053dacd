// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// What people get wrong when they profile a program, and what goes wrong while it runs: one clear line, the
// right exit code, and whatever finished is kept.

#include "analysis/store/session_file.h"
#include "tests/app/cli_process.h"
#include "tests/support/catch.h"

#include <elf.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

using namespace dormer;
using namespace dormer::tests;

namespace {

const std::string kSample = DORMER_CUDA_PROGRAMS "/dormer_sample_shared";

void writeProgram(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

/// The beginning of an executable for this kind of CPU.
std::string elfHead(unsigned char elfClass, Elf64_Half machine) {
    Elf64_Ehdr header{};
    std::ranges::copy(std::string_view(ELFMAG), header.e_ident);
    header.e_ident[EI_CLASS] = elfClass;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_machine = machine;
    return {reinterpret_cast<const char*>(&header), sizeof header};
}

/// No file of this process and of those it starts grows beyond so many bytes while this lives.
class FileLimit {
public:
    explicit FileLimit(rlim_t bytes) {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{bytes, m_before.rlim_max};
        REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;
    ~FileLimit() { setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before{};
};

} // namespace

TEST_CASE("A program that can't start is refused with the reason, and leaves no file", "[profile]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer", program = folder / "program";
    const auto refused = [&](const std::string& part) {
        const CliResult result = runCli({"profile", "--on", "emulator", "-o", file, "--", program});
        INFO(result.err);
        CHECK(result.exitCode == 4);
        CHECK(result.isOneErrorLine());
        CHECK(holds(result.err, "can't start " + program + ": " + part));
        CHECK_FALSE(std::filesystem::exists(file));
    };
    refused("no such file");
    std::ofstream(program) << "text";
    refused("not an executable");
    std::filesystem::remove(program);
    std::filesystem::create_directory(program);
    refused("not an executable");
    std::filesystem::remove(program);
    writeProgram(program, "#!/no/such/python3 -u\nprint()\n");
    refused("its interpreter /no/such/python3 was not found");
    writeProgram(program, "#!\n");
    refused("its interpreter  was not found");
    writeProgram(program, elfHead(ELFCLASS32, EM_386));
    refused("it is a 32-bit program");
    writeProgram(program, elfHead(ELFCLASS64, EM_S390));
    refused("it is built for another kind of CPU (ELF machine 22, here ");
}

TEST_CASE("A session that can't be written is refused before the program starts", "[profile]") {
    const CommandFolder folder;
    const std::string started = folder / "started";
    for (const std::string& file :
         {folder / "missing/x.dormer", std::string("/proc/x.dormer"), folder / ""}) {
        const CliResult result =
            runCli({"profile", "--on", "emulator", "-o", file, "--", "sh", "-c", "touch " + started});
        INFO(result.err);
        CHECK(result.exitCode == 2);
        CHECK(result.isOneErrorLine());
        CHECK(holds(result.err, file));
        CHECK_FALSE(std::filesystem::exists(started));
    }
}

TEST_CASE("Arguments reach the program as they were written", "[profile]") {
    const CommandFolder folder;
    const std::string script = folder / "a program", seen = folder / "seen";
    writeProgram(script,
                 "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" > '" + seen + "'\nexec '" + kSample + "'\n");
    const CliResult result =
        runCli({"profile", "--on", "emulator", "--set", "none", "--quiet", "--format", "json", "--", script,
                "two words", "", "\"quoted\"", "it's", "$HOME *", "--lines", "-o", "--"});
    INFO(result.err);
    CHECK(result.exitCode == 0);
    CHECK(readFile(seen) == "8\ntwo words\n\n\"quoted\"\nit's\n$HOME *\n--lines\n-o\n--\n");
}

TEST_CASE("The program reads what dormer's stdin holds", "[profile]") {
    const CommandFolder folder;
    const std::string seen = folder / "seen";
    const std::string command = "printf 'first\\nlast' | DORMER_HOME='" DORMER_FAKE_HOME "' '" DORMER_BIN_DIR
                                "/dormer' profile --on emulator --set none --quiet -- sh -c 'cat > " +
                                seen + "; exec " + kSample + "' > /dev/null 2>&1";
    CHECK(std::system(command.c_str()) == 0);
    CHECK(readFile(seen) == "first\nlast");
}

TEST_CASE("A second Ctrl-C does not wait for the program, and what finished is kept", "[profile]") {
    const CommandFolder folder;
    const std::string file = folder / "x.dormer", survived = folder / "survived";
    // Asked to end it goes on: it would be killed two seconds after the first Ctrl-C.
    const std::string script = "trap '' TERM; " + kSample + "; sleep 1.5; touch " + survived + "; sleep 100";
    int lines = 0;
    const CliResult result = runCli({"profile", "--on", "emulator", "--quiet", "--format", "jsonl", "-o",
                                     file, "--", "bash", "-c", script},
                                    {}, [&](pid_t pid) {
                                        if (++lines != 2) return;
                                        kill(pid, SIGINT);
                                        std::this_thread::sleep_for(std::chrono::milliseconds{100});
                                        kill(pid, SIGINT);
                                    });
    INFO(result.err);
    CHECK(result.exitCode == 4);
    CHECK(holds(result.err, "dormer: stopped; "));
    CHECK_FALSE(std::filesystem::exists(survived));
    const auto session = store::loadSession(file);
    REQUIRE(session);
    CHECK(std::ranges::count_if(session->launches(), &session::Launch::counted) >= 2);
}

TEST_CASE("A disk that fills up ends the run with one line, and what was written can be read", "[profile]") {
    const CommandFolder folder;
    const std::string empty = folder / "empty.dormer", file = folder / "x.dormer";
    REQUIRE(store::saveSession(session::Session{}, empty));
    CliResult result;
    {
        // The rest of a small disk: room for a session's tables, not for a program's launches.
        const FileLimit limit(std::filesystem::file_size(empty) + (64U << 10));
        result = runCli({"profile", "--on", "emulator", "--lines", "--quiet", "-o", file, "--", "sh", "-c",
                         "while " + kSample + "; do :; done"});
    }
    INFO(result.err);
    CHECK(result.exitCode == 2);
    CHECK(holds(result.errorLine(), file));
    CHECK(result.signal == 0);
    CHECK(result.seconds < 25);
    CHECK(store::loadSession(file));
}
