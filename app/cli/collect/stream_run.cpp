// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/collect/stream_run.h"

#include "app/cli/collect/stop_signals.h"
#include "app/cli/console.h"
#include "instrument/launch/collection.h"
#include "instrument/launch/remote_stream.h"
#include "instrument/stream/line_reader.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <stop_token>
#include <thread>

namespace dormer::cli {

namespace launch = instrument::launch;

namespace {

constexpr int kPollMs = 50;

/// Our stdin is not the program's to read.
launch::process::UniqueFd takeStdin() {
    launch::process::UniqueFd taken{fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
    if (const launch::process::UniqueFd null{open("/dev/null", O_RDONLY | O_CLOEXEC)}; null.get() >= 0)
        dup2(null.get(), STDIN_FILENO);
    return taken;
}

/// Waits for the word, or for the end of the connection.
void waitForStop(const std::stop_token& over, int fd, std::atomic<bool>& stop) {
    instrument::stream::LineReader lines{64};
    while (!over.stop_requested()) {
        pollfd waiting{fd, POLLIN, 0};
        if (poll(&waiting, 1, kPollMs) <= 0) continue;
        std::array<char, 256> buffer;
        const ssize_t got = read(fd, buffer.data(), buffer.size());
        if (got <= 0) {
            stop.store(true, std::memory_order_relaxed);
            return;
        }
        lines.feed({buffer.data(), static_cast<std::size_t>(got)}, [&](std::string_view line) {
            if (line == launch::kStopWord) stop.store(true, std::memory_order_relaxed);
        });
    }
}

int conclude(const launch::JoinedEnd& end) {
    (void)print(launch::JoinedWriter::end(end)); // who does not read it knows that the connection is lost
    return end ? 0 : static_cast<int>(end.error().kind);
}

} // namespace

int failStream(const Error& error) {
    (void)print(launch::JoinedWriter::begin());
    return conclude(std::unexpected(error));
}

int streamRun(CollectPlan plan) {
    const StopSignals signals = watchStopSignals();
    plan.target.killNow = &signals.kill;
    const launch::process::UniqueFd input = takeStdin();
    if (!print(launch::JoinedWriter::begin())) return static_cast<int>(ErrorKind::Target);
    const std::jthread listener(
        [&](const std::stop_token& over) { waitForStop(over, input.get(), signals.stop); });

    launch::JoinedWriter writer;
    const auto send = [&](const session::Record& record, std::uint32_t process) {
        if (!print(writer.record(record, process))) signals.stop.store(true, std::memory_order_relaxed);
    };
    if (!plan.whyEmulated.empty()) send(session::Note{0, "no-gpu", plan.whyEmulated}, 0);
    const auto end = launch::runCollection(plan.target, std::nullopt, send, signals.stop);
    if (!end) return conclude(std::unexpected(end.error()));
    // Started unasked and found nothing usable: now the probe says what is wrong.
    if (!plan.probed && end->target.exitCode == static_cast<int>(ErrorKind::Device))
        if (const auto asked = launch::probeDevice(plan.choice, launch::findInstallation()); !asked)
            return conclude(std::unexpected(asked.error()));
    return conclude(end->target);
}

} // namespace dormer::cli
