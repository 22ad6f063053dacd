// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/analysis/importers/imported.h"

#include <bit>

using namespace dormer;
using namespace dormer::tests;

namespace {

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 128; value >>= 7U)
        bytes += static_cast<char>(value | 128U);
    return bytes + static_cast<char>(value);
}

std::string number(unsigned field, std::uint64_t value) {
    return varint(field << 3U) + varint(value);
}

std::string bytes(unsigned field, const std::string& value) {
    return varint(field << 3U | 2U) + varint(value.size()) + value;
}

std::string real(unsigned field, double value) {
    std::string out = varint(field << 3U | 1U);
    for (std::uint64_t bits = std::bit_cast<std::uint64_t>(value), i = 0; i < 8; ++i, bits >>= 8U)
        out += static_cast<char>(bits);
    return out;
}

std::string sized(const std::string& message) {
    std::string out;
    for (std::size_t i = 0, size = message.size(); i < 4; ++i, size >>= 8U)
        out += static_cast<char>(size);
    return out + message;
}

std::string metric(unsigned name, const std::string& value) {
    return bytes(13, number(1, name) + bytes(2, value));
}

std::string result(const std::string& kernel, double durationNs, unsigned registers) {
    const std::string range = bytes(3, bytes(1, "run_test")) + bytes(3, bytes(1, "init:data"));
    return number(1, 129325) + bytes(5, "_Z4initPd") + bytes(6, "init") + bytes(7, kernel) +
           bytes(10, number(1, 16384) + number(2, 2) + number(3, 1)) +
           bytes(11, number(1, 256) + number(2, 1) + number(3, 1)) + metric(0, real(3, durationNs)) +
           metric(1, number(5, registers)) + metric(2, bytes(1, "NVIDIA GeForce RTX 3070")) +
           bytes(21, bytes(1, bytes(2, "<default domain>")) + bytes(2, number(1, 129325) + bytes(2, range))) +
           number(23, 14);
}

std::string block(unsigned results, const std::string& payload, const std::string& strings = {}) {
    return sized(number(1, 0) + number(2, results) + bytes(3, bytes(3, bytes(5, "node7"))) +
                 bytes(4, strings) + number(5, payload.size()) +
                 bytes(6, number(1, 129325) + bytes(3, "/opt/app"))) +
           payload;
}

/// Two results in two blocks; the second one's metrics are named in the table before the first.
std::string report() {
    const std::string names = bytes(1, "gpu__time_duration.sum") + bytes(1, "launch__registers_per_thread") +
                              bytes(1, "device__attribute_display_name");
    return std::string("NVR\0", 4) + sized(number(1, 7)) +
           block(1, sized(result("init(int, double *)", 84480, 16)), names) +
           block(1, sized(result("", 249216, 32)));
}

} // namespace

TEST_CASE("a report of Nsight Compute is read by its layout", "[importers]") {
    const session::Session session = imported(report());
    REQUIRE(session.launches().size() == 2);
    const session::Launch& launch = session.launch(kFirst);
    CHECK(launch.durationNs == 84480);
    CHECK(launch.grid == session::Dim3{16384, 2, 1});
    CHECK(launch.block == session::Dim3{256, 1, 1});
    CHECK(launch.stream == 14);
    CHECK(launch.nvtx == "run_test > init:data");
    CHECK(session.kernelOf(kFirst).name == "init(int, double *)");
    CHECK(session.kernelOf(kFirst).registersPerThread == 16);
    CHECK(session.deviceOf(kFirst)->name == "NVIDIA GeForce RTX 3070");
    CHECK(session.processes().front().host == "node7");
    CHECK(session.processes().front().program == "/opt/app");
    const session::LaunchIndex second{1};
    CHECK(session.launch(second).durationNs == 249216);
    CHECK(session.kernelOf(second).name == "init");
    CHECK(session.counter(second, "gpu__time_duration.sum") == 249216);
}

TEST_CASE("a report cut off anywhere gives the results before the cut, or one line", "[importers]") {
    const std::string whole = report();
    for (std::size_t length = 0; length < whole.size(); ++length) {
        INFO("cut after " << length);
        const auto session = importBytes(whole.substr(0, length));
        if (!session) {
            CHECK(session.error().kind == ErrorKind::Input);
            continue;
        }
        CHECK(session->launches().size() == 1);
    }
}

TEST_CASE("a report with any byte changed is read or refused", "[importers]") {
    const std::string whole = report();
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const char change : {'\xFF', '\x00', '\x80'}) {
            std::string changed = whole;
            changed[at] = change;
            const auto session = importBytes(changed);
            if (!session) CHECK(session.error().kind == ErrorKind::Input);
        }
}
