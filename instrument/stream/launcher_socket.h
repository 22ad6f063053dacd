// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace dormer::instrument::stream {

// Every process of a target connects to the launcher by itself: what one inherits from another is shared by
// both, and closed by programs that start others with care. The socket's name is in Linux's abstract
// namespace, so that a launcher that dies leaves nothing behind.

/// Environment variable with the name of the launcher's socket.
inline constexpr const char* kStreamEnv = "DORMER_STREAM";
/// A line of this and a name that no other process has begins a connection; a second connection with that
/// name goes on where the first was closed, by a program that closes all descriptors.
inline constexpr char kStreamName = '#';
/// A line of this, a workload, kQuestionBreak and a demangled kernel name asks whether --kernels means it.
/// Such a connection ends with the answer, '1' or '0'.
inline constexpr char kQuestion = '?';
inline constexpr char kQuestionBreak = '\x1f';
/// What the launcher sends before it leaves a process that may live on. Without it, it was killed.
inline constexpr char kFarewell = '.';

/// A listening socket and a connection, both closed on exec; -1 with errno set when there can't be one.
[[nodiscard]] int listenAs(std::string_view name);
[[nodiscard]] int connectTo(std::string_view name);
/// Sends all of it, however long that takes; false with errno set when nobody reads. Raises no SIGPIPE.
[[nodiscard]] bool sendAll(int fd, std::string_view bytes);

/// Word of this process, which can't connect (no descriptor is free, another network namespace), for the
/// launcher of that name: a link in /tmp, since that takes no descriptor. Empty where it can't be left
/// either; else what withdraws it.
[[nodiscard]] std::string leaveWord(std::string_view launcher, const std::string& text);
void withdrawWord(const std::string& word);
/// What processes have left for the launcher of that name; removed.
struct Word {
    pid_t pid = 0;
    std::string text;
};
[[nodiscard]] std::vector<Word> takeWords(std::string_view launcher);

} // namespace dormer::instrument::stream
