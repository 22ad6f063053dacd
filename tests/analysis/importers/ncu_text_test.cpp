// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/analysis/importers/imported.h"

using namespace dormer;
using namespace dormer::tests;

namespace {

const std::string kLog = R"(==PROF== Profiling "square_kernel" - 0: 0%....50%....100% - 8 passes
loss 0.5
[1234] python3.8@127.0.0.1
  void at::native::kernel<4, at::<unnamed>::f(int)::[lambda(float) (instance 1)]>(int, T2) (864, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 8.0
    Section: GPU Speed Of Light Throughput
    ----------------------- ------------- ------------
    Metric Name               Metric Unit Metric Value
    ----------------------- ------------- ------------
    SM Frequency            cycle/nsecond         1.09
    Duration                      usecond        10.85
    DRAM Throughput                     %         0.00
    ----------------------- ------------- ------------

    WRN   This kernel exhibits low compute throughput and memory bandwidth utilization relative to the peak
          performance of this device.

    Section: Launch Statistics
    -------------------------------- --------------- ---------------
    Metric Name                          Metric Unit    Metric Value
    -------------------------------- --------------- ---------------
    Registers Per Thread             register/thread              38
    Driver Shared Memory Per Block       Kbyte/block            1.02
    Threads                                   thread         221,184
    -------------------------------- --------------- ---------------

  square_kernel_0d1d234 (1823, 1, 1)x(128, 1, 1), Context 1, Stream 7, Device 0, CC 8.0
    Section: GPU Speed Of Light Throughput
    ----------------------- ------------- ------------
    Metric Name               Metric Unit Metric Value
    ----------------------- ------------- ------------
    Duration                      msecond         2.00
)";

} // namespace

TEST_CASE("text that ncu prints for people gives its kernels", "[importers]") {
    const session::Session session = imported(kLog);
    REQUIRE(session.launches().size() == 2);
    const session::Launch& launch = session.launch(kFirst);
    CHECK(launch.grid == session::Dim3{864, 1, 1});
    CHECK(launch.block == session::Dim3{256, 1, 1});
    CHECK(launch.durationNs == 10850);
    CHECK(session.kernelOf(kFirst).name ==
          "void at::native::kernel<4, at::<unnamed>::f(int)::[lambda(float) (instance 1)]>(int, T2)");
    CHECK(session.kernelOf(kFirst).registersPerThread == 38);
    CHECK(session.counter(kFirst, "launch__thread_count") == 221184);
    CHECK(session.deviceOf(kFirst)->computeCapabilityMajor == 8);
    CHECK(session.processes().front().pid == 1234);
    CHECK(session.processes().front().program == "python3.8");
    // A zero that was measured is not a missing value.
    CHECK(session.counter(kFirst, "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed") == 0);
    CHECK(session.launch(session::LaunchIndex{1}).durationNs == 2e6);
    CHECK(session.kernelOf(session::LaunchIndex{1}).name == "square_kernel_0d1d234");
}

TEST_CASE("a log cut off anywhere is read or refused", "[importers]") {
    for (std::size_t length = 0; length < kLog.size(); ++length) {
        const auto session = importBytes(kLog.substr(0, length));
        if (!session) CHECK(session.error().kind == ErrorKind::Input);
    }
}
