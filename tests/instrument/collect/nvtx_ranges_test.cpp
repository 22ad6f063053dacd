// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/nvtx_ranges.h"

#include "tests/support/catch.h"

#include <thread>
#include <tuple>

using dormer::instrument::collect::NvtxRanges;

namespace {
using Ended = std::tuple<std::string, std::int64_t, std::int64_t>;
struct Fixture {
    std::vector<Ended> ended;
    NvtxRanges ranges{[this](const std::string& path, std::int64_t startNs, std::int64_t endNs) {
        ended.emplace_back(path, startNs, endNs);
    }};
};
} // namespace

TEST_CASE("Push and pop nest within a thread") {
    Fixture f;
    f.ranges.push("outer", 10);
    f.ranges.push("inner", 20);
    CHECK(f.ranges.path() == "outer > inner");
    f.ranges.pop(30);
    CHECK(f.ranges.path() == "outer");
    f.ranges.pop(40);
    CHECK(f.ranges.path().empty());
    CHECK(f.ended == std::vector<Ended>{{"outer > inner", 20, 30}, {"outer", 10, 40}});
}

TEST_CASE("A pop without a push is ignored") {
    Fixture f;
    f.ranges.pop(1);
    CHECK(f.ended.empty());
    CHECK(f.ranges.path().empty());
}

TEST_CASE("Start/end ranges hold for every thread, push/pop ones only for their own") {
    Fixture f;
    const std::uint64_t epoch = f.ranges.start("epoch", 5);
    f.ranges.push("mine", 6);
    std::string seen;
    std::thread([&] { seen = f.ranges.path(); }).join();
    CHECK(seen == "epoch");
    CHECK(f.ranges.path() == "epoch > mine");
    f.ranges.end(epoch, 9);
    CHECK(f.ranges.path() == "mine");
    CHECK(f.ended == std::vector<Ended>{{"epoch", 5, 9}});
    f.ranges.end(epoch, 10); // ended twice: nothing to end
    CHECK(f.ended.size() == 1);
    f.ranges.pop(11);
}

TEST_CASE("Domains stack separately but share the path") {
    Fixture f;
    const int library = 0;
    CHECK(f.ranges.push("suite/reduce", 1) == 0);
    CHECK(f.ranges.push("cub::DeviceReduce::Sum", 2, &library) == 0);
    CHECK(f.ranges.push("inner", 3) == 1);
    CHECK(f.ranges.path() == "suite/reduce > cub::DeviceReduce::Sum > inner");
    CHECK(f.ranges.pop(4, &library) == 0); // not the innermost one, but the domain's
    CHECK(f.ranges.path() == "suite/reduce > inner");
    CHECK(f.ranges.pop(5) == 1);
    CHECK(f.ranges.pop(6) == 0);
    CHECK(f.ranges.pop(7) == -1);
}

TEST_CASE("Threads without ranges follow the thread that pushed last, when told to") {
    Fixture f;
    f.ranges.followOtherThreads();
    const auto elsewhere = [&] {
        std::string path;
        std::thread([&] { path = f.ranges.path(); }).join();
        return path;
    };
    CHECK(elsewhere().empty());
    f.ranges.push("step", 10);
    f.ranges.push("backward", 20);
    CHECK(elsewhere() == "step > backward");
    // One with ranges of its own keeps to them, and others follow it while it is the last that pushed.
    std::thread([&] {
        f.ranges.push("loader", 30);
        CHECK(f.ranges.path() == "loader");
        CHECK(elsewhere() == "loader");
        f.ranges.pop(40);
    }).join();
    CHECK(elsewhere() == "step > backward");
    f.ranges.pop(50);
    CHECK(elsewhere() == "step");
    f.ranges.pop(60);
    CHECK(elsewhere().empty());
}

TEST_CASE("The version tells when a path may have changed") {
    Fixture f;
    const auto before = f.ranges.version();
    CHECK(f.ranges.version() == before);
    f.ranges.push("a", 1);
    CHECK(f.ranges.version() != before);
    const auto pushed = f.ranges.version();
    f.ranges.pop(2);
    CHECK(f.ranges.version() != pushed);
}
