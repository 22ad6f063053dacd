// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/launcher_watch.h"

#include "instrument/stream/launcher_socket.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace dormer::instrument::collect {

namespace {

/// A library that does nothing but wait needs no more.
constexpr std::size_t kStackBytes = std::size_t{128} << 10;

void* watch(void* argument) {
    const int fd = static_cast<int>(reinterpret_cast<std::intptr_t>(argument));
    struct stat before {
    }, after{};
    if (fstat(fd, &before) != 0) return nullptr;
    pollfd waiting{fd, POLLIN | POLLRDHUP, 0};
    while (poll(&waiting, 1, -1) < 0 && errno == EINTR) {
    }
    // The program may have closed our descriptor, and opened one of its own under that number.
    if (fstat(fd, &after) != 0 || after.st_ino != before.st_ino || after.st_dev != before.st_dev)
        return nullptr;
    char word = 0;
    if (recv(fd, &word, 1, MSG_DONTWAIT) != 1 || word != stream::kFarewell) kill(getpid(), SIGKILL);
    return nullptr;
}

} // namespace

void watchLauncher(int fd) {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return;
    pthread_attr_setstacksize(&attributes, kStackBytes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // The program's signal handlers run on its own threads, not on ours.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_t thread;
    void* const argument = reinterpret_cast<void*>(static_cast<std::intptr_t>(fd));
    // The variables that libraries keep by thread lie on the stack too: of some programs more than it holds.
    if (pthread_create(&thread, &attributes, watch, argument) != 0 &&
        pthread_create(&thread, nullptr, watch, argument) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
}

} // namespace dormer::instrument::collect
