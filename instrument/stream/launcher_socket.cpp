// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/stream/launcher_socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace dormer::instrument::stream {

namespace {

/// So many processes may connect at once before the launcher has looked; more wait in connect().
constexpr int kBacklog = 4096;

struct Address {
    explicit Address(std::string_view name) {
        value.sun_family = AF_UNIX;
        const std::size_t length = std::min(name.size(), sizeof value.sun_path - 1);
        std::copy_n(name.data(), length, value.sun_path + 1); // the first byte stays 0: abstract
        size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
    }
    [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&value); }

    sockaddr_un value{};
    socklen_t size = 0;
};

int closed(int fd) {
    const int error = errno;
    if (fd >= 0) close(fd);
    errno = error;
    return -1;
}

} // namespace

int listenAs(std::string_view name) {
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const Address address(name);
    if (fd < 0 || bind(fd, address.get(), address.size) != 0 || listen(fd, kBacklog) != 0) return closed(fd);
    return fd;
}

int connectTo(std::string_view name) {
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    const Address address(name);
    int result = -1;
    while ((result = connect(fd, address.get(), address.size)) != 0 && errno == EINTR) {
    }
    return result == 0 ? fd : closed(fd);
}

bool sendAll(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

} // namespace dormer::instrument::stream
