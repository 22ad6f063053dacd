// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/base/result.h"
#include "instrument/launch/process/stream_server.h"
#include "instrument/launch/remote_host.h"
#include "instrument/stream/collect_options.h"

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dormer::instrument::launch {

/// A `dormer run` or `dormer profile` on another machine, which sends a joined stream (remote_stream.h).
struct RemoteCommand {
    RemoteHost host;
    std::string line; ///< for the shell there
};

/// A program to run and the collector to put into it.
struct Target {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    std::filesystem::path
        collector; ///< library for CUDA's injection variables; empty = none (program writes itself)
    std::filesystem::path
        emulator; ///< the CUDA runtime to run on in place of the real one; then no collector
    stream::CollectOptions options;
    std::vector<std::pair<std::string, std::string>> environment; ///< added to ours
    std::filesystem::path workingFolder{};                        ///< empty: ours
    const std::atomic<bool>* killNow = nullptr; ///< once set, a stop gives the target no time to end itself
    std::optional<RemoteCommand>
        remote{}; ///< what runs instead; of all above, the options say what it collects
};

/// How a target ended. A target that failed is no Error: what it finished is kept.
struct TargetEnd {
    std::optional<std::int32_t> exitCode;
    std::optional<std::int32_t> signal;
    bool stopped = false;     ///< we ended it, because the caller asked
    bool emulated = false;    ///< on the emulator
    std::size_t badLines = 0; ///< lines that were no records, dropped with a note
    std::string lost{}; ///< why the connection to another machine broke; how it ended there is not known
    [[nodiscard]] bool ok() const { return exitCode == 0 && !signal; }
};

/// Starts the target and hands over each record the moment its line is complete, on the calling thread, which
/// must live until the target is gone, until all its processes have ended. One that the program left running
/// is waited for while it speaks at least once a minute; a note names what is left behind. Each process is
/// told how it ended, the program's own last: made here, when it could not write it. The target's stdout goes
/// to our stderr, so that results on stdout stay clean. Setting `stop` ends the target (SIGTERM, SIGKILL
/// after two seconds or when Target::killNow is set) and keeps what it finished; when we are killed
/// ourselves, so is the target. While it runs, its collectors are answered which kernels the options'
/// --kernels means. ErrorKind::Target when the program can't be started. Of another machine: the errors that
/// it reports, and ErrorKind::Device when it can't be reached or has no dormer that understands us; what came
/// before a connection broke is kept.
[[nodiscard]] Result<TargetEnd> runTarget(const Target& target, const process::OnRecord& onRecord,
                                          const std::atomic<bool>& stop);

} // namespace dormer::instrument::launch
