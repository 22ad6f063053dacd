// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/name_filter.h"
#include "instrument/launch/child_process.h"

namespace dormer::instrument::launch {

/// The launcher's side of --kernels. A collector lives in a foreign program, where the matcher can't follow:
/// RE2 would be one library more to find there, and its static one is not made for shared libraries. So
/// collectors ask here about each kernel once, over a socket that the target inherits. A question is one
/// packet, workload and demangled name with a line break between, and brings the socket its answer goes to:
/// processes of one target share the descriptor, and each gets its own answers.
class FilterAnswers {
public:
    /// ErrorKind::Usage for an invalid regular expression, ErrorKind::Target when there are no sockets.
    [[nodiscard]] static Result<FilterAnswers> open(const std::string& kernels);

    /// The descriptor for the target; closeTargetEnd() once it has inherited it.
    [[nodiscard]] int targetEnd() const { return m_target.get(); }
    void closeTargetEnd() { m_target.reset(); }
    /// To wait on until a question comes; -1 when nobody is left who could ask.
    [[nodiscard]] int fd() const { return m_ours.get(); }
    /// Answers the question that is waiting, if any.
    void answer();

private:
    FilterAnswers(session::NameFilter filter, UniqueFd ours, UniqueFd target)
        : m_filter(std::move(filter)), m_ours(std::move(ours)), m_target(std::move(target)) {}

    session::NameFilter m_filter;
    UniqueFd m_ours, m_target;
};

} // namespace dormer::instrument::launch
