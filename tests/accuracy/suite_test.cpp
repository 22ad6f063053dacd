// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// The suite on the emulator, as it was recorded on a GPU: whatever follows from the instructions is equal.

#include "analysis/store/session_file.h"
#include "tests/accuracy/exact.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>

using namespace dormer;

namespace {

constexpr const char* kRecording = DORMER_SOURCE_DIR "/samples/h100-lines.dormer";

session::Session load(const std::string& path) {
    Result<session::Session> session = store::loadSession(path);
    if (!session) throw std::runtime_error(session.error().message);
    return std::move(*session);
}

const session::Session& recorded() {
    static const session::Session session = load(kRecording);
    return session;
}

/// The same command on the emulator.
const session::Session& emulated() {
    static const session::Session session = [] {
        const tests::TemporaryFolder folder;
        const std::string file = (folder / "lines.dormer").string();
        const std::string command =
            DORMER_BIN_DIR
            "/dormer run $(cat '" DORMER_SOURCE_DIR "/tests/accuracy/compared.txt') access shared "
            "transpose vector_sum --on emulator:H100 --lines --size 1048576 --repeat 1 --quiet -o '" +
            file + "' > /dev/null";
        if (std::system(command.c_str()) != 0) // NOLINT: words of our own
            throw std::runtime_error("failed: " + command);
        return load(file);
    }();
    return session;
}

void expectNoMistakes(const accuracy::ExactResult& result) {
    for (const accuracy::Difference& each : result.differences) {
        if (each.reason) continue;
        INFO(each.kernel << ", " << each.what << ", " << each.count << ": " << each.recorded
                         << " on the GPU, " << each.emulated << " emulated");
        CHECK(each.reason);
    }
    CHECK(result.mistakes() == 0);
}

} // namespace

TEST_CASE("Every count of every source line is the GPU's, but for what ptxas changed") {
    const accuracy::Pairs pairs = accuracy::pairKernels(recorded(), emulated());
    CHECK(pairs.kernels.size() == 207);
    CHECK(pairs.unpaired.empty());
    const accuracy::ExactResult result = accuracy::compareLines(recorded(), emulated(), pairs);
    expectNoMistakes(result);
    CHECK(result.unusedExceptions == std::vector<std::string>{});
    CHECK(result.byCount.at("sectors").compared > 300);
    CHECK(result.byCount.at("wavefronts").compared > 100);
}

TEST_CASE("Requests, sectors, wavefronts and floating-point operations of whole launches are the GPU's") {
    const accuracy::Pairs pairs = accuracy::pairKernels(recorded(), emulated());
    const accuracy::ExactResult result = accuracy::compareCounters(recorded(), emulated(), pairs);
    expectNoMistakes(result);
    CHECK(result.byKernel.size() == 207);
}
