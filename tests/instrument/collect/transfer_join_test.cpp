// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/collect/transfer_join.h"

#include "instrument/collect/process_facts.h"
#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::instrument::collect;

namespace {

session::Transfer copyOf(session::TransferDirection direction, std::uint64_t bytes, std::int64_t at) {
    session::Transfer transfer;
    transfer.kind = session::TransferKind::Copy;
    transfer.direction = direction;
    transfer.bytes = bytes;
    transfer.startNs = at;
    transfer.endNs = at + 5;
    transfer.durationNs = 5;
    return transfer;
}

} // namespace

TEST_CASE("Copies that take turns are joined each with its own kind") {
    TransferJoin join;
    CHECK(join.empty());
    for (int i = 0; i < 10; ++i) {
        join.add(copyOf(session::TransferDirection::HostToDevice, 100, 10 * i), 1);
        join.add(copyOf(session::TransferDirection::DeviceToHost, 1, 10 * i + 5), 1);
    }
    const auto records = join.take();
    CHECK(join.empty());
    REQUIRE(records.size() == 2);
    const auto& in = std::get<session::Transfer>(records[0]);
    CHECK((in.direction == session::TransferDirection::HostToDevice && in.count == 10 && in.bytes == 1000));
    CHECK((in.startNs == 0 && in.endNs == 95 && in.durationNs == 50.0));
    CHECK_FALSE(in.callNs); // no part had one
}

TEST_CASE("Of transfers that are joined it stays known when each ran") {
    TransferJoin join;
    constexpr std::int64_t kBegin = 1'000;
    for (const std::int64_t at : {20, 0, 40}) // calls of threads may come in another order than copies
        join.add(copyOf(session::TransferDirection::HostToDevice, 1, kBegin + at), 1);
    const auto joined = std::get<session::Transfer>(join.take().at(0));
    CHECK(joined.startNs == kBegin);
    CHECK(joined.spans.spans == std::vector<session::Spans::Span>{{20, 5}, {0, 5}, {40, 5}});

    join.add(copyOf(session::TransferDirection::HostToDevice, 1, kBegin), 1);
    CHECK(std::get<session::Transfer>(join.take().at(0)).spans.spans.empty()); // one tells it itself
    for (int i = 0; i < 3'000; ++i)
        join.add(copyOf(session::TransferDirection::HostToDevice, 1, kBegin + 10 * i), 1);
    const auto many = std::get<session::Transfer>(join.take().at(0));
    CHECK(many.count == 3'000);
    CHECK(many.spans.spans.size() == session::Spans::kMost);
}

TEST_CASE("Another run, place or kind of memory is another record") {
    TransferJoin join;
    const session::Transfer first = copyOf(session::TransferDirection::HostToDevice, 1, 0);
    join.add(first, 1);
    join.add(first, 2);
    session::Transfer other = first;
    other.workload = "transfer/other";
    join.add(other, 2);
    other = first;
    other.source = session::MemoryKind::Pinned;
    join.add(other, 2);
    other = first;
    other.stream = 7;
    join.add(other, 2);
    CHECK(join.take().size() == 5);
}

TEST_CASE("A workload's run has a number of its own") {
    const std::uint64_t outside = workloadRun();
    enterWorkload("a/b");
    const std::uint64_t first = workloadRun();
    CHECK(currentWorkload() == "a/b");
    leaveWorkload();
    enterWorkload("a/b");
    CHECK((workloadRun() != first && first != outside));
    leaveWorkload();
    leaveWorkload(); // more than entered
    CHECK(currentWorkload().empty());
}
