// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// A program of several processes: program MODE [COUNT]. Each process that launches takes three steps, six
// launches.
#include "tests/support/processes/steps.h"

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr int kSteps = 3;

int ended(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

int forked(int children) {
    int failed = 0;
    for (int i = 0; i < children; ++i)
        if (fork() == 0) std::exit(takeSteps(kSteps));
    for (int i = 0; i < children; ++i)
        failed |= ended(-1);
    return failed;
}

} // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    const int count = argc > 2 ? std::atoi(argv[2]) : 0;
    if (mode == "steps") return takeSteps(kSteps) != 0 ? 98 : count; // COUNT is the exit code
    if (mode == "fork-before") return forked(count) | takeSteps(kSteps);
    if (mode == "fork-after") return takeSteps(kSteps) | forked(count) | takeSteps(kSteps);
    if (mode == "exec") {
        if (takeSteps(kSteps) != 0) return 98;
        execl(argv[0], argv[0], "steps", static_cast<char*>(nullptr));
        return 97;
    }
    if (mode == "spawn") {
        char steps[] = "steps";
        char* arguments[] = {argv[0], steps, nullptr};
        pid_t child = -1;
        if (posix_spawn(&child, argv[0], nullptr, nullptr, arguments, environ) != 0) return 97;
        return takeSteps(kSteps) | ended(child);
    }
    if (mode == "abrupt") { // a child that runs no handlers at its end
        if (fork() == 0) _exit(takeSteps(kSteps));
        wait(nullptr);
        return takeSteps(kSteps);
    }
    if (mode == "background") { // not waited for, and later than our end
        if (fork() == 0) {
            sleep(1);
            std::exit(takeSteps(kSteps));
        }
        return takeSteps(kSteps);
    }
    if (mode == "close-all") { // as careful programs do
        if (takeSteps(kSteps) != 0) return 98;
        closefrom(3);
        return takeSteps(kSteps);
    }
    if (mode == "no-descriptors") { // a child that may open nothing more
        if (fork() == 0) {
            const int free = dup(0);
            const rlimit none{static_cast<rlim_t>(free), static_cast<rlim_t>(free)};
            close(free);
            std::exit(setrlimit(RLIMIT_NOFILE, &none) != 0 ? 97 : takeSteps(kSteps));
        }
        int status = 0;
        wait(&status);
        return takeSteps(kSteps) | status;
    }
    if (mode == "idle-child") { // holds what it inherited, and never uses CUDA
        if (takeSteps(kSteps) != 0) return 98;
        if (fork() == 0) {
            sleep(1);
            _exit(0);
        }
        return 0;
    }
    if (mode == "endless") { // says who it is; the child is in a session of its own
        if (fork() == 0) setsid();
        if (takeSteps(kSteps) != 0) return 98;
        if (std::FILE* file = std::fopen(argv[2], "a"); file != nullptr) {
            std::fprintf(file, "%d\n", getpid());
            std::fclose(file);
        }
        waitForever();
    }
    std::fprintf(stderr, "unknown mode '%s'\n", mode.c_str());
    return 2;
}
