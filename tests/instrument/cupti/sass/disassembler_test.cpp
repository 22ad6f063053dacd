// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/sass/disassembler.h"

#include "instrument/cupti/sass/helper_process.h"
#include "tests/instrument/cupti/sass/cubin_file.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>

using namespace dormer;
using namespace dormer::instrument::cupti::sass;
using namespace std::chrono_literals;
using dormer::tests::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// A program that stands in for another.
std::string script(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
    const fs::path path = folder.path() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "#!/bin/sh\n" << text;
    fs::permissions(path, fs::perms::owner_all);
    return path;
}

/// Sets a variable of the environment as long as it lives.
class Variable {
public:
    Variable(const char* name, const std::string& value) : m_name(name) {
        if (const char* before = std::getenv(name)) m_before = before;
        setenv(name, value.c_str(), 1);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() {
        if (m_before)
            setenv(m_name, m_before->c_str(), 1);
        else
            unsetenv(m_name);
    }

private:
    const char* m_name;
    std::optional<std::string> m_before;
};

/// What the process does about SIGCHLD, as long as it lives.
class ChildSignal {
public:
    explicit ChildSignal(void (*handler)(int)) {
        struct sigaction action {};
        action.sa_handler = handler;
        sigaction(SIGCHLD, &action, &m_before);
    }
    ChildSignal(const ChildSignal&) = delete;
    ChildSignal& operator=(const ChildSignal&) = delete;
    ~ChildSignal() { sigaction(SIGCHLD, &m_before, nullptr); }

private:
    struct sigaction m_before {};
};

void reapAll(int) {
    const int before = errno;
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    errno = before;
}

std::string listingFile() {
    return DORMER_TEST_DATA "/sass/strided.nvdisasm";
}

} // namespace

TEST_CASE("A function's number in a cubin's symbol table is that of readelf") {
    CHECK(elfFunctionIndex(tests::cubinFile("accesses_90.cubin"), "accesses") == 13U);
    CHECK(elfFunctionIndex(tests::cubinFile("inlined.cubin"), "inlined") == 14U);
    CHECK(elfFunctionIndex(tests::cubinFile("inlined.cubin"), "plain") == 13U);
    CHECK_FALSE(elfFunctionIndex(tests::cubinFile("inlined.cubin"), "other"));
    CHECK_FALSE(elfFunctionIndex({}, "inlined"));
}

TEST_CASE("nvdisasm lists one function of a copy of the cubin, which is gone afterwards") {
    const TemporaryFolder folder;
    const Variable temporary("TMPDIR", folder.path().string());
    const std::vector<std::byte> cubin = tests::cubinFile("inlined.cubin");
    const std::string program = script(folder, "nvdisasm",
                                       "echo \"$1 $2 $3\" > " + (folder.path() / "asked").string() +
                                           "\ncp \"$4\" " + (folder.path() / "copy").string() +
                                           "\nsed s/_Z7stridedPKfPfi/inlined/ " + listingFile() + "\n");
    const auto lines = disassemble(program, cubin, "inlined");
    REQUIRE(lines);
    CHECK(lines->size() == 58);
    std::string asked;
    std::getline(std::ifstream(folder.path() / "asked"), asked);
    CHECK(asked == "-c -fun 14");
    CHECK(fs::file_size(folder.path() / "copy") == cubin.size());
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 3); // script, asked, copy
}

TEST_CASE("A version that lists no single function lists all") {
    const TemporaryFolder folder;
    const std::string program =
        script(folder, "nvdisasm",
               "test \"$2\" != -fun || exit 1\nsed s/_Z7stridedPKfPfi/inlined/ " + listingFile() + "\n");
    const auto lines = disassemble(program, tests::cubinFile("inlined.cubin"), "inlined");
    REQUIRE(lines);
    CHECK(lines->size() == 58);
}

TEST_CASE("What went wrong is said in one line") {
    const TemporaryFolder folder;
    const std::vector<std::byte> cubin = tests::cubinFile("inlined.cubin");
    const auto problem = [&](const std::string& program) {
        const auto lines = disassemble(program, cubin, "inlined");
        REQUIRE_FALSE(lines);
        return lines.error().message;
    };
    const std::string failing = script(folder, "failing", "exit 3\n");
    CHECK(problem(failing) == failing + " failed");
    const std::string other = script(folder, "other", "cat " + listingFile() + "\n");
    CHECK(problem(other) == other + " lists no function inlined");
    const std::string absent = folder.path() / "absent";
    CHECK(problem(absent) == absent + " can't be run: No such file or directory");
    const Variable temporary("TMPDIR", absent);
    CHECK(disassemble(other, cubin, "_Z7stridedPKfPfi")); // /tmp does instead
}

TEST_CASE("A disassembler that hangs is waited for once, not for each way to ask it") {
    const TemporaryFolder folder;
    const std::string asked = folder.path() / "asked";
    const std::string hanging = script(folder, "hanging", "echo >> " + asked + "\nsleep 60\n");
    const auto began = std::chrono::steady_clock::now();
    const auto lines = disassemble(hanging, tests::cubinFile("inlined.cubin"), "inlined", 300ms);
    REQUIRE_FALSE(lines);
    CHECK(lines.error().message == hanging + " was stopped after 0.3 s");
    CHECK(std::chrono::steady_clock::now() - began < 30s);
    CHECK(fs::file_size(asked) == 1);
}

TEST_CASE("The disassembler of the toolkit in use comes first, then those of the environment") {
    const TemporaryFolder folder;
    const fs::path root = folder.path();
    const auto install = [&](const std::string& where) {
        return script(folder, where + "/nvdisasm", "exit 0\n");
    };
    const std::string onPath = install("path"), home = install("home/bin"), own = install("toolkit/bin");
    const Variable path("PATH", "relative:" + (root / "empty").string() + ":" + (root / "path").string());
    const fs::path library = root / "toolkit/extras/CUPTI/lib64/libcupti.so.13";
    CHECK(findDisassembler(library) == own);
    CHECK(findDisassembler({}) == onPath);
    const Variable cudaHome("CUDA_HOME", (root / "home").string());
    CHECK(findDisassembler({}) == home);
    CHECK(findDisassembler(library) == own);
    fs::permissions(home, fs::perms::owner_read);
    fs::remove(own);
    if (getuid() != 0 || access(home.c_str(), X_OK) != 0) CHECK(findDisassembler(library) == onPath);
}

TEST_CASE("A helper gets none of the program's environment and descriptors") {
    const TemporaryFolder folder;
    const Variable injected("CUDA_INJECTION64_PATH", "/nowhere.so");
    const Variable preloaded("DORMER_STREAM", "dormer-1");
    const int leaked = open("/dev/null", O_RDONLY); // without O_CLOEXEC
    REQUIRE(leaked >= 0);
    const std::string program = script(folder, "helper", "env\nls /proc/$$/fd\n");
    const auto printed = runHelper(program, {}, 10s);
    close(leaked);
    REQUIRE(printed);
    CHECK(printed->find("PATH=") != std::string::npos);
    CHECK(printed->find("CUDA_INJECTION64_PATH") == std::string::npos);
    CHECK(printed->find("DORMER_STREAM") == std::string::npos);
    CHECK(printed->find("\n" + std::to_string(leaked) + "\n") == std::string::npos);
}

TEST_CASE("A helper's output is read whatever the program does about its children") {
    const TemporaryFolder folder;
    const std::string program = script(folder, "helper", "echo listed\n");
    for (void (*handler)(int) : {SIG_DFL, SIG_IGN, &reapAll}) {
        const ChildSignal signal(handler);
        const auto printed = runHelper(program, {}, 10s);
        REQUIRE(printed);
        CHECK(*printed == "listed\n");
    }
    CHECK((waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD)); // nothing is left behind
}

TEST_CASE("A helper that hangs, or closes its output and hangs, is killed with its children") {
    const TemporaryFolder folder;
    for (const char* text : {"sleep 100 & wait\n", "exec >&-\nsleep 100\n"}) {
        const std::string program = script(folder, "helper", text);
        const auto begin = std::chrono::steady_clock::now();
        const auto printed = runHelper(program, {}, 200ms);
        CHECK(std::chrono::steady_clock::now() - begin < 10s);
        CHECK_FALSE(printed);
        CHECK((waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD));
    }
}
