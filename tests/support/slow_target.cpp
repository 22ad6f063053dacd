// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Stands in for a profiled program: streams the sample session's records, one launch every
// DORMER_TEST_DELAY_MS, with progress like a collector's. It dies by SIGTERM like any program.
// DORMER_TEST_EXIT sets its exit code.
#include "analysis/store/session_file.h"
#include "instrument/stream/codec.h"
#include "instrument/stream/launcher_socket.h"
#include "tests/support/sample_session.h"

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

int number(const char* name, int otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::atoi(text);
}

bool send(int fd, const dormer::session::Record& record) {
    const std::string line = dormer::instrument::stream::formatRecord(record) + '\n';
    return dormer::instrument::stream::sendAll(fd, line);
}

} // namespace

int main() {
    using namespace dormer::session;
    using namespace dormer::store;
    const char* launcher = std::getenv(dormer::instrument::stream::kStreamEnv);
    const int fd = launcher == nullptr ? -1 : dormer::instrument::stream::connectTo(launcher);
    const std::chrono::milliseconds delay{number("DORMER_TEST_DELAY_MS", 0)};
    if (fd < 0) return 2;
    const Session session = dormer::tests::sampleSession();
    Progress progress{.phase = "counting", .workload = {}, .pass = 3, .passes = 5};
    progress.launchesExpected = static_cast<std::int64_t>(session.launches().size());
    for (const auto& [process, record] : recordsOf(session)) {
        if (std::holds_alternative<Launch>(record)) {
            std::this_thread::sleep_for(delay);
            ++progress.launchesDone;
            progress.secondsLeft =
                1e-3 *
                static_cast<double>(delay.count() * (progress.launchesExpected - progress.launchesDone));
            if (!send(fd, progress)) return 3;
        }
        if (!send(fd, record)) return 3;
    }
    return number("DORMER_TEST_EXIT", 0);
}
