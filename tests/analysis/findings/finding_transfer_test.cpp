// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_transfer.h"

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/gains/transfer_rates.h"
#include "analysis/store/session_file.h"
#include "tests/support/catch.h"
#include "tests/support/prose.h"
#include "tests/support/records.h"

#include <algorithm>
#include <limits>

using namespace dormer::diagnosis;

using namespace dormer::findings;
using namespace dormer::gains;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::tests;

namespace {

Transfer copyOf(std::uint64_t count, std::uint64_t bytes, std::optional<double> ns, bool pageable,
                std::string workload = {}) {
    Transfer copy =
        transferOf(TransferKind::Copy, TransferDirection::HostToDevice, count, bytes, std::move(workload));
    copy.source = pageable ? MemoryKind::Pageable : MemoryKind::Pinned;
    copy.destination = MemoryKind::Device;
    copy.durationNs = ns;
    copy.callNs = ns;
    return copy;
}

std::vector<TransferFinding> found(std::initializer_list<Transfer> transfers, double kernelNs = 0) {
    Session session;
    for (const Transfer& each : transfers)
        session.apply(each);
    if (kernelNs > 0) {
        session.apply(Kernel{});
        Launch launch;
        launch.durationNs = kernelNs;
        session.apply(launch);
    }
    return transferFindings(session);
}

const TransferFinding* find(const std::vector<TransferFinding>& all, std::string_view code) {
    const auto place =
        std::ranges::find_if(all, [&](const TransferFinding& each) { return each.finding.code == code; });
    return place == all.end() ? nullptr : &*place;
}

} // namespace

TEST_CASE("Times of copies are read off a line between two sizes") {
    CHECK(copyNs(pageableRates(), 1) == 6996);
    CHECK(copyNs(pageableRates(), 1e4) == 8337);
    CHECK(copyNs(pageableRates(), 5500) == Approx((6996 + 8337) / 2.0));
    CHECK(copyNs(pageableRates(), 1e8) == Approx(12448980));
    CHECK(copyNs(pinnedRates(), 8388608) == Approx(6996 + 154056.4).epsilon(1e-6));
    for (double bytes = 1; bytes < 1e9; bytes *= 1.5) {
        CHECK(copyNs(pageableRates(), 1.5 * bytes) >= copyNs(pageableRates(), bytes));
        CHECK(copyNs(pinnedRates(), bytes) <= copyNs(pageableRates(), bytes));
    }
}

TEST_CASE("Times of copies are those measured of the device, where the session has them") {
    Session session;
    // Figures of an H200: docs/ceilings.md.
    session.apply(MeasuredCeiling{0, "host_to_device", 55.3e9, "64 MiB per call"});
    session.apply(MeasuredCeiling{0, "device_to_host_pageable", 13.6e9, "8 MiB per call"});
    session.apply(MeasuredCeiling{0, "small_copies", 160e3, "1 kB"});
    const CopyTimes times(session, 0);
    CHECK(times.ns(55.3e6, true, false) == Approx(6250 + 1e6)); // a call, and 1 ms of bytes
    CHECK(times.ns(13.6e6, false, true) == Approx(6250 + 1e6));
    CHECK(times.source(true, false) == "from rates measured on this machine");
    // What was not measured is by the table: the other memory, and another device.
    CHECK(times.ns(1e6, true, true) == 145256);
    CHECK(times.source(true, true) == "from copies recorded on an H100 SXM");
    CHECK(CopyTimes(session, 1).ns(1e6, true, true) == 145256);
    CHECK(CopyTimes(session, 1).source(true, false) == "from copies recorded on an H100 SXM");
}

TEST_CASE("Estimates of copies use the measured rates, and say so") {
    Session session;
    session.apply(copyOf(4, 4 * 8388608, 4e6, true));
    session.apply(MeasuredCeiling{0, "host_to_device", 50e9, "64 MiB per call"});
    session.apply(MeasuredCeiling{0, "host_to_device_pageable", 9e9, "8 MiB per call"});
    session.apply(MeasuredCeiling{0, "small_copies", 200e3, "1 kB"});
    const auto all = transferFindings(session);
    const TransferFinding* pageable = find(all, "pageable-transfers");
    REQUIRE(pageable != nullptr);
    CHECK(*pageable->finding.gainNs == Approx(4e6 - 4 * (5000 + 8388608 / 50.0)));
    CHECK(pageable->finding.evidence.find("estimated from rates measured on this machine") !=
          std::string::npos);
    Session small;
    small.apply(copyOf(1000, 1000 * 1000, 1000 * 6996.0, true));
    for (const MeasuredCeiling& each : session.measuredCeilings())
        small.apply(each);
    const auto many = transferFindings(small);
    const TransferFinding* found = find(many, "small-transfers");
    REQUIRE(found != nullptr);
    CHECK(*found->finding.gainNs == Approx(1000 * 6996.0 - (5000 + 1e6 / 9)));
}

TEST_CASE("The table of copies is what was recorded") {
    const auto session = loadSession(DORMER_SOURCE_DIR "/samples/h100-suite.dormer");
    REQUIRE(session);
    const auto mean = [&](std::string_view workload, bool calls) {
        double ns = 0, count = 0;
        for (const Transfer& each : session->transfers()) {
            if (each.workload != workload || each.direction != TransferDirection::HostToDevice) continue;
            ns += calls ? *each.callNs : *each.durationNs;
            count += static_cast<double>(each.count);
        }
        REQUIRE(count > 0);
        return ns / count;
    };
    for (const TransferRate& rate : pageableRates())
        CHECK(rate.ns == Approx(mean(rate.source, true)).epsilon(1e-3));
    const TransferRate& pinned = pinnedRates().back();
    CHECK(pinned.ns == Approx(6996 + mean(pinned.source, false)).epsilon(1e-3));
}

TEST_CASE("Copies of pageable memory") {
    const auto all = found({copyOf(4, 4 * 8388608, 4e6, true)});
    const TransferFinding* pageable = find(all, "pageable-transfers");
    REQUIRE(pageable != nullptr);
    CHECK(pageable->subject == "copies");
    CHECK(pageable->ns == 4e6);
    CHECK(*pageable->finding.gainNs == Approx(4e6 - 4 * (6996 + 1848677 / 12.0)));
    CHECK(pageable->finding.evidence.find("estimated from copies recorded on an H100") != std::string::npos);
    CHECK(find(found({copyOf(4, 4 * 8388608, 4e6, false)}), "pageable-transfers") == nullptr);
    // A call costs as much from page-locked memory: nothing to win for 100 bytes.
    CHECK(find(found({copyOf(4, 400, 4 * 6996, true)}), "pageable-transfers") == nullptr);
    // Where emulated there are bytes, but no times.
    const auto emulated = found({copyOf(4, 4 * 8388608, std::nullopt, true)});
    CHECK(find(emulated, "pageable-transfers") == nullptr); // times of copies are not modelled
    CHECK(found({copyOf(4, 1000, std::nullopt, true)}).empty());
    // So are times that can't be: of a file that somebody made.
    for (const double ns : {-1.0, 1e300, std::numeric_limits<double>::infinity()}) {
        const auto made = found({copyOf(4, 4 * 8388608, ns, true)});
        CHECK(find(made, "pageable-transfers") == nullptr);
    }
}

TEST_CASE("Many small copies") {
    const auto all = found({copyOf(1000, 1000 * 1000, 1000 * 6996.0, true)});
    const TransferFinding* small = find(all, "small-transfers");
    REQUIRE(small != nullptr);
    CHECK(*small->finding.gainNs == Approx(1000 * 6996.0 - 145256));
    CHECK(find(found({copyOf(7, 7000, 7 * 6996.0, true)}), "small-transfers") == nullptr);
    CHECK(find(found({copyOf(10, 100'000'000, 10 * 1244898.0, true)}), "small-transfers") == nullptr);
}

TEST_CASE("Migrations that kernels wait for") {
    Transfer faults = transferOf(TransferKind::GpuFault, TransferDirection::None, 500, 0);
    faults.durationNs = 1e7;
    const auto all = found(
        {faults, transferOf(TransferKind::Migration, TransferDirection::HostToDevice, 1600, 50'331'648)});
    const TransferFinding* migrations = find(all, "managed-migrations");
    REQUIRE(migrations != nullptr);
    CHECK(*migrations->finding.gainNs == Approx(1e7 - copyNs(pinnedRates(), 50'331'648)));
    CHECK(numbersIn(migrations->finding.evidence).front() == 500); // page faults
    // Migrations alone were requested.
    CHECK(found({transferOf(TransferKind::Migration, TransferDirection::HostToDevice, 16, 50'331'648)})
              .empty());
}

TEST_CASE("Copies that take longer than kernels, and what side by side would win") {
    Transfer up = copyOf(4, 4 * 8388608, 3e6, false), down = up;
    up.asynchronous = down.asynchronous = true;
    down.direction = TransferDirection::DeviceToHost;
    down.durationNs = 2e6;
    const auto one = found({up, down}, 1e6);
    REQUIRE(find(one, "host-transfers-dominate"));
    CHECK(*find(one, "host-transfers-dominate")->finding.gainNs == Approx(3e6 + 2e6 + 1e6 - 3e6));
    down.stream = 7;
    const auto two = found({up, down}, 1e6);
    REQUIRE(find(two, "host-transfers-dominate"));
    CHECK_FALSE(find(two, "host-transfers-dominate")->finding.gainNs);
    CHECK(find(found({up, down}, 6e6), "host-transfers-dominate") == nullptr);
    CHECK(find(found({up, down}), "host-transfers-dominate") == nullptr); // nothing to compare with
}

TEST_CASE("Findings of transfers are recommendations, those of a suite's set-up do not") {
    Session session;
    session.apply(workloadNamed("transfer/pageable"));
    session.apply(copyOf(1, 100'000'000, 2e7, true, "transfer/pageable"));
    session.apply(copyOf(1, 100'000'000, 5e7, true));
    const Diagnosis diagnosis(session);
    const auto list = diagnosis.toDoList();
    REQUIRE(list.size() == 1);
    CHECK(list[0].subject == "transfer/pageable");
    CHECK_FALSE(list[0].launch);
    CHECK(list[0].launches == 0);
    CHECK(list[0].gainNs == list[0].finding.gainNs);
    CHECK(list[0].share == Approx(*list[0].gainNs / 2e7));
}

TEST_CASE(
    "Many short launches cost the host more than they run, a few, long ones and those of graphs don't") {
    const auto codesOf = [](int launches, double ns, bool graph, std::uint64_t otherStream = 0) {
        Session session;
        session.apply(Kernel{});
        for (int i = 0; i < launches; ++i) {
            Launch launch;
            launch.id = static_cast<std::uint64_t>(i);
            launch.durationNs = ns;
            launch.stream =
                otherStream != 0 && i % 2 == 1 ? 7 : 13 + static_cast<std::uint64_t>(i) % 4 * otherStream;
            if (graph) launch.graphNode = 1;
            session.apply(launch);
        }
        std::vector<std::string> codes;
        for (const TransferFinding& each : transferFindings(session)) {
            codes.push_back(each.finding.code);
            CHECK_FALSE(each.finding.gainNs);
        }
        return codes;
    };
    CHECK(codesOf(720, 1400, false) == std::vector<std::string>{"launch-overhead"});
    CHECK(codesOf(720, 1400, true).empty());
    CHECK(codesOf(720, 50'000, false).empty());
    CHECK(codesOf(20, 1400, false).empty());
    // Every other launch in the default stream, between those of two others.
    CHECK(codesOf(8, 50'000, false, 1) == std::vector<std::string>{"serialized-launches"});
}

TEST_CASE("What launches cost the host is what was measured there, where the session has it") {
    Session session;
    Device device;
    session.apply(device);
    session.apply(Kernel{});
    for (std::uint64_t i = 0; i < 200; ++i) {
        Launch launch;
        launch.id = i;
        launch.durationNs = i < 190 ? 2000 : 500'000; // 380 us in short ones of 5.4 ms
        session.apply(launch);
    }
    const auto evidence = [&] {
        const auto all = transferFindings(session);
        const TransferFinding* overhead = find(all, "launch-overhead");
        return overhead != nullptr ? overhead->finding.evidence : std::string();
    };
    CHECK(evidence().find("about 3 µs") != std::string::npos); // 570 us of 5.4 ms
    session.apply(MeasuredCeiling{0, "launches", 272e3, "500 in a row"});
    CHECK(evidence().find("3.68 µs each, measured here") != std::string::npos);
    // Faster launches may be no overhead: 2 µs each are 380 us, less than a tenth.
    Session fast;
    for (const Launch& launch : session.launches()) {
        if (fast.launches().empty()) {
            fast.apply(device);
            fast.apply(Kernel{});
        }
        fast.apply(launch);
    }
    fast.apply(MeasuredCeiling{0, "launches", 500e3, "500 in a row"});
    const auto all = transferFindings(fast);
    CHECK(find(all, "launch-overhead") == nullptr);
}

TEST_CASE("Pages that move back and forth are told from those that come and go once") {
    const auto codeOf = [](std::uint64_t rounds) {
        constexpr std::uint64_t kBytes = 4 << 20;
        Session session;
        MemoryCall allocation;
        allocation.call = "cuMemAllocManaged";
        allocation.memory = MemoryKind::Managed;
        allocation.bytes = kBytes;
        session.apply(allocation);
        session.apply(transferOf(TransferKind::GpuFault, TransferDirection::None, 100 * rounds, 0));
        session.apply(transferOf(TransferKind::Migration, TransferDirection::HostToDevice, 64 * rounds,
                                 kBytes * rounds));
        session.apply(transferOf(TransferKind::Migration, TransferDirection::DeviceToHost, 64 * rounds,
                                 kBytes * rounds));
        const auto all = transferFindings(session);
        REQUIRE(all.size() == 1);
        return all.front().finding.code;
    };
    CHECK(codeOf(1) == "managed-migrations");
    CHECK(codeOf(10) == "managed-thrashing");
}
