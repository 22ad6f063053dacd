// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/launch/filter_answers.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace dormer::instrument::launch {

Result<FilterAnswers> FilterAnswers::open(const std::string& kernels) {
    auto filter = session::NameFilter::compile(kernels, "--kernels");
    if (!filter) return std::unexpected(filter.error());
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return failure(ErrorKind::Target, std::string("can't make a socket: ") + std::strerror(errno));
    return FilterAnswers{std::move(*filter), UniqueFd{ends[0]}, UniqueFd{ends[1]}};
}

void FilterAnswers::answer() {
    std::string question(2 * session::kMaxFilteredBytes + 1, '\0');
    iovec text{question.data(), question.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &text;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = recvmsg(m_ours.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    UniqueFd reply;
    if (const cmsghdr* header = CMSG_FIRSTHDR(&message);
        got > 0 && header != nullptr && header->cmsg_type == SCM_RIGHTS) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
        reply = UniqueFd{fd};
    }
    if (got <= 0) {
        m_ours.reset();
        return;
    }
    question.resize(static_cast<std::size_t>(got));
    const std::size_t lineBreak = question.find('\n');
    const std::string_view workload = std::string_view(question).substr(0, lineBreak);
    const std::string_view kernel =
        lineBreak == std::string::npos ? "" : std::string_view(question).substr(lineBreak + 1);
    const char answer = m_filter.matches(workload, kernel) ? '1' : '0';
    send(reply.get(), &answer, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

} // namespace dormer::instrument::launch
