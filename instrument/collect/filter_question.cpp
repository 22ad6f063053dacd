// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/filter_question.h"

#include "analysis/session/names/name_filter.h"
#include "instrument/collect/process_facts.h"
#include "instrument/stream/launcher_socket.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace dormer::instrument::collect {

std::optional<bool> keptByLauncher(std::string_view workload, std::string_view kernel) {
    const std::string launcher = launcherName();
    const int fd = launcher.empty() ? -1 : stream::connectTo(launcher);
    if (fd < 0) return {};
    std::string names{workload.substr(0, session::kMaxFilteredBytes)};
    names.append(1, stream::kQuestionBreak).append(kernel.substr(0, session::kMaxFilteredBytes));
    std::ranges::replace(names, '\n', ' ');
    char answer = 0;
    if (stream::sendAll(fd, stream::kQuestion + names + '\n'))
        while (read(fd, &answer, 1) < 0 && errno == EINTR) {
        }
    close(fd);
    if (answer != '0' && answer != '1') return {};
    return answer == '1';
}

} // namespace dormer::instrument::collect
