// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/filter_question.h"

#include "analysis/session/name_filter.h"
#include "instrument/collect/process_facts.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

namespace dormer::instrument::collect {

namespace {

/// One packet that brings the socket for the answer.
bool sendQuestion(int to, std::string question, int reply) {
    iovec text{question.data(), question.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof reply)> control{};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof reply);
    std::memcpy(CMSG_DATA(header), &reply, sizeof reply);
    ssize_t sent = -1;
    while ((sent = sendmsg(to, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
    }
    return sent > 0;
}

} // namespace

std::optional<bool> keptByLauncher(std::string_view workload, std::string_view kernel) {
    const std::optional<int> launcher = filterDescriptor();
    std::array<int, 2> ends{};
    if (!launcher || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return {};
    std::string question{workload.substr(0, session::kMaxFilteredBytes)};
    question.append(1, '\n').append(kernel.substr(0, session::kMaxFilteredBytes));
    const bool sent = sendQuestion(*launcher, std::move(question), ends[1]);
    close(ends[1]); // so that a launcher that goes away ends the wait
    char answer = 0;
    ssize_t got = 0;
    while (sent && (got = read(ends[0], &answer, 1)) < 0 && errno == EINTR) {
    }
    close(ends[0]);
    // Anything else comes from a descriptor that the program has since closed and opened for itself.
    if (got != 1 || (answer != '0' && answer != '1')) return {};
    return answer == '1';
}

} // namespace dormer::instrument::collect
