// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/stream/launcher_socket.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <ctime>
#include <filesystem>

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

namespace {

constexpr const char* kWords = "/tmp";

/// "dormer-1-2.": what is before the process's number.
std::string wordPrefix(std::string_view launcher) {
    return std::string(launcher) + '.';
}

} // namespace

std::string leaveWord(std::string_view launcher, const std::string& text) {
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now); // numbers of processes are used again
    const std::string path = std::string(kWords) + '/' + wordPrefix(launcher) + std::to_string(getpid()) +
                             '.' + std::to_string(now.tv_sec) + '.' + std::to_string(now.tv_nsec);
    constexpr std::size_t kMost = 1000;
    return symlink(text.substr(0, kMost).c_str(), path.c_str()) == 0 ? path : std::string();
}

void withdrawWord(const std::string& word) {
    if (!word.empty()) unlink(word.c_str());
}

std::vector<Word> takeWords(std::string_view launcher) {
    const std::string prefix = wordPrefix(launcher);
    std::vector<Word> words;
    std::error_code error;
    for (auto at = std::filesystem::directory_iterator(kWords, error);
         !error && at != std::filesystem::directory_iterator(); at.increment(error)) {
        const std::string name = at->path().filename();
        struct stat facts {};
        if (!name.starts_with(prefix) || lstat(at->path().c_str(), &facts) != 0 || !S_ISLNK(facts.st_mode) ||
            (facts.st_uid != geteuid() && facts.st_uid != 0 && geteuid() != 0))
            continue;
        Word word;
        std::from_chars(name.data() + prefix.size(), name.data() + name.size(), word.pid);
        std::error_code unreadable;
        word.text = std::filesystem::read_symlink(at->path(), unreadable).string();
        unlink(at->path().c_str());
        words.push_back(std::move(word));
    }
    std::ranges::sort(words, {}, &Word::pid);
    return words;
}

} // namespace dormer::instrument::stream
