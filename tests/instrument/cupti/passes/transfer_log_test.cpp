// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/transfer_log.h"

#include "tests/support/catch.h"

using namespace dormer;
using namespace dormer::instrument::cupti::passes;

namespace {

template <typename T>
std::vector<T> all(const std::vector<session::Record>& records) {
    std::vector<T> found;
    for (const session::Record& record : records)
        if (const T* one = std::get_if<T>(&record)) found.push_back(*one);
    return found;
}

MemoryApiCall callOf(const char* function, std::uint32_t correlation, const Place& place,
                     std::int64_t startNs = 0, std::int64_t endNs = 0, std::uint64_t bytes = 0) {
    return {*apiCallOf(function), bytes, correlation, startNs, endNs, place};
}

TransferTiming copyOf(std::uint32_t correlation, std::uint64_t bytes, std::int64_t startNs,
                      std::int64_t endNs) {
    TransferTiming timing;
    timing.correlationId = correlation;
    timing.kind = session::TransferKind::Copy;
    timing.direction = session::TransferDirection::HostToDevice;
    timing.source = session::MemoryKind::Pageable;
    timing.destination = session::MemoryKind::Device;
    timing.bytes = bytes;
    timing.startNs = startNs;
    timing.endNs = endNs;
    return timing;
}

Place replayed(const Place& replay, std::uint64_t) {
    return replay;
}

const Place kFirst{"transfer/a", "transfer/a", 1}, kAgain{"transfer/a", "transfer/a", 2};

} // namespace

TEST_CASE("Equal copies of one run are one record, those of the next run another") {
    TransferLog log;
    for (std::uint32_t i = 1; i <= 4; ++i)
        log.called(callOf("cuMemcpyHtoD_v2", i, i <= 3 ? kFirst : kAgain, 100 * i, 100 * i + 30));
    // Told in another order than they were called.
    const auto transfers = all<session::Transfer>(log.records(
        {copyOf(3, 8, 300, 307), copyOf(1, 16, 100, 110), copyOf(4, 8, 400, 401), copyOf(2, 8, 200, 205)},
        replayed));
    REQUIRE(transfers.size() == 2);
    CHECK((transfers[0].count == 3 && transfers[0].bytes == 32));
    CHECK(transfers[0].durationNs == 22.0); // 10 + 5 + 7
    CHECK(transfers[0].callNs == 90.0);
    CHECK((transfers[0].startNs == 100 && transfers[0].endNs == 307));
    CHECK(transfers[0].workload == "transfer/a");
    CHECK((transfers[0].source == session::MemoryKind::Pageable &&
           transfers[0].destination == session::MemoryKind::Device));
    CHECK((transfers[1].count == 1 && transfers[1].bytes == 8 && transfers[1].durationNs == 1.0));
}

TEST_CASE("A hundred thousand copies to and fro are two records") {
    TransferLog log;
    std::vector<TransferTiming> timings;
    for (std::uint32_t i = 1; i <= 100'000; ++i) {
        log.called(callOf("cuMemcpyHtoD_v2", i, kFirst, i, i + 1));
        timings.push_back(copyOf(i, 10, i, i + 1));
        if (i % 2 == 0) timings.back().direction = session::TransferDirection::DeviceToHost;
    }
    const auto transfers = all<session::Transfer>(log.records(std::move(timings), replayed));
    REQUIRE(transfers.size() == 2);
    CHECK((transfers[0].count == 50'000 && transfers[0].bytes == 500'000));
    CHECK(transfers[1].callNs == 50'000.0);
}

TEST_CASE("A copy the driver does in pieces is one transfer, what the program didn't call for is none") {
    TransferLog log;
    log.called(callOf("cuMemcpyHtoD_v2", 7, kFirst, 0, 9));
    const auto transfers = all<session::Transfer>(
        log.records({copyOf(7, 100, 1, 3), copyOf(7, 50, 4, 8), copyOf(8, 1, 5, 6)}, replayed));
    REQUIRE(transfers.size() == 1);
    CHECK((transfers[0].count == 1 && transfers[0].bytes == 150 && transfers[0].durationNs == 7.0));
}

TEST_CASE("What could not be timed has no duration, and no sum with it has one") {
    TransferLog log;
    log.called(callOf("cuMemcpyHtoD_v2", 1, kFirst));
    log.called(callOf("cuMemcpyHtoD_v2", 2, kFirst));
    const auto transfers =
        all<session::Transfer>(log.records({copyOf(1, 4, 10, 20), copyOf(2, 4, 0, 0)}, replayed));
    REQUIRE(transfers.size() == 1);
    CHECK((transfers[0].count == 2 && !transfers[0].durationNs));
}

TEST_CASE("Calls for memory carry the host's time and are joined by function") {
    TransferLog log;
    log.called(callOf("cuMemAlloc_v2", 1, kFirst, 100, 150, 4096));
    log.called(callOf("cuMemFree_v2", 2, kFirst, 200, 220));
    log.called(callOf("cuMemAlloc_v2", 3, kFirst, 300, 310, 1024));
    const auto calls = all<session::MemoryCall>(log.records({}, replayed));
    REQUIRE(calls.size() == 2);
    CHECK((calls[0].call == "cuMemAlloc" && calls[0].memory == session::MemoryKind::Device));
    CHECK((calls[0].count == 2 && calls[0].bytes == 5120 && calls[0].durationNs == 60.0));
    CHECK(calls[0].startNs == 100);
    CHECK((calls[1].call == "cuMemFree" && calls[1].memory == session::MemoryKind::None &&
           calls[1].durationNs == 20.0));
}

TEST_CASE("Migrations belong to the kernel that ran, else to the range, else to the range before") {
    const Place kernel{"managed/kernel", "k", 1}, outer{"managed/outer", "o", 2},
        inner{"managed/inner", "i", 3};
    TransferLog log;
    log.workloadRan(outer, 100, 500);
    log.workloadRan(inner, 200, 300);
    log.kernelRan(kernel, 250, 260);
    std::vector<TransferTiming> timings;
    for (const std::int64_t at : {50, 150, 210, 255, 350, 600}) {
        TransferTiming timing = copyOf(0, 1, at, at + 1);
        timing.kind = session::TransferKind::Migration;
        timings.push_back(timing);
    }
    const auto transfers = all<session::Transfer>(log.records(std::move(timings), replayed));
    std::map<std::string, std::uint64_t> counts;
    for (const session::Transfer& transfer : transfers)
        counts[transfer.workload] += transfer.count;
    CHECK(counts == std::map<std::string, std::uint64_t>{
                        {"", 1}, {"managed/outer", 2}, {"managed/inner", 2}, {"managed/kernel", 1}});
}

TEST_CASE("A graph's copies belong where their nodes say, a fill the collector made there is none of them") {
    TransferLog log;
    log.replayed(9, kFirst);
    TransferTiming node = copyOf(9, 64, 10, 20);
    node.graphNode = 77;
    const auto transfers = all<session::Transfer>(
        log.records({node, copyOf(9, 1000, 1, 2)}, [](const Place& replay, std::uint64_t id) {
            return Place{replay.workload, "captured " + std::to_string(id), replay.run};
        }));
    REQUIRE(transfers.size() == 1);
    CHECK((transfers[0].bytes == 64 && transfers[0].nvtx == "captured 77"));
    CHECK(transfers[0].workload == "transfer/a");
    CHECK_FALSE(transfers[0].callNs);
}

TEST_CASE("Functions of the driver are told by name, whatever their version") {
    CHECK(apiCallOf("cuMemAlloc_v2")->name == "cuMemAlloc");
    CHECK(apiCallOf("cuMemHostAlloc")->memory == session::MemoryKind::Pinned);
    CHECK(apiCallOf("cuMemAllocManaged")->memory == session::MemoryKind::Managed);
    CHECK(apiCallOf("cuMemPrefetchAsync_v2_ptsz")->name == "cuMemPrefetchAsync");
    CHECK(apiCallOf("cuMemcpyHtoDAsync_v2_ptsz")->name == "cuMemcpyHtoDAsync");
    CHECK(apiCallOf("cuMemcpyHtoDAsync_v2_ptsz")->kind == ApiCall::Kind::Copy);
    CHECK(apiCallOf("cuMemsetD8_v2_ptds")->kind == ApiCall::Kind::Fill);
    for (const char* other : {"cuMemGetInfo_v2", "cuLaunchKernel", "cuMemHostGetDevicePointer_v2",
                              "cuMemAddressFree", "cuMemGetAddressRange_v2", ""})
        CHECK_FALSE(apiCallOf(other));
}
