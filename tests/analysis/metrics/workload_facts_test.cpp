// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/workload_facts.h"

#include "tests/support/catch.h"
#include "tests/support/workload_session.h"

#include <set>

using namespace dormer::metrics;

using namespace dormer::session;
using namespace dormer::tests;

namespace {

std::optional<double> valueOf(const Session& session, std::string_view metric,
                              std::string_view workload = "transfer/pinned", std::string_view kernel = {}) {
    return workloadValue(MetricEvaluator(session), workload, metric, kernel);
}

} // namespace

TEST_CASE("Metrics of workloads have names of their own") {
    std::set<std::string_view> names;
    for (const WorkloadMetric& metric : workloadMetrics()) {
        INFO(metric.name);
        CHECK(names.insert(metric.name).second);
        CHECK(findWorkloadMetric(metric.name) == &metric);
        CHECK(findMetric(metric.name) == nullptr);
        CHECK(metric.meaning.ends_with('.'));
        CHECK_FALSE(metric.title.empty());
        CHECK(metricTitle(metric.name) == metric.title);
        const bool known =
            metric.unit == "ns" || metric.unit == "B" || metric.unit == "B/s" || metric.unit == "count";
        CHECK(known);
    }
    CHECK(names.size() == 16);
    CHECK(findWorkloadMetric("transfer_byte") == nullptr);
}

TEST_CASE("Totals are per run of a workload") {
    const Session session = workloadSession(Origin::Measured);
    // Two runs of 1000 and 3000 ns; two records of 4 and 2 copies.
    CHECK(valueOf(session, "elapsed_ns") == 2000);
    CHECK(valueOf(session, "transfer_count") == 3);
    CHECK(valueOf(session, "transfer_bytes") == 3 * 4096);
    CHECK(valueOf(session, "transfer_duration_ns") == (400 + 200) / 2);
    CHECK(*valueOf(session, "transfer_bytes_per_second") == Approx(6 * 4096 / 600e-9));
    CHECK(valueOf(session, "transfer_call_ns") == (800 + 500) / 2);
    CHECK(*valueOf(session, "effective_bytes_per_second") == Approx(3 * 4096 / 2000e-9));
    CHECK(valueOf(session, "memory_call_count") == 1);
    CHECK(valueOf(session, "memory_call_bytes") == 8192 / 2);
    CHECK(valueOf(session, "memory_call_ns") == 50);
    CHECK(valueOf(session, "migration_bytes_to_device") == 65536 / 2);
    CHECK(valueOf(session, "migration_bytes_to_host") == 4096 / 2);
    CHECK(valueOf(session, "gpu_page_faults") == 3);
    CHECK(valueOf(session, "cpu_page_faults") == 0); // none of this workload, where faults are seen
    CHECK(valueOf(session, "kernel_count") == 0);
    CHECK(valueOf(session, "kernel_ns") == 0);
}

TEST_CASE("What the session does not tell of is absent, not zero") {
    CHECK_FALSE(valueOf(Session{}, "transfer_bytes"));
    Session session;
    session.apply(ProcessStart{});
    session.apply(NvtxRange{0, "transfer/pinned", 0, 1000});
    CHECK(valueOf(session, "elapsed_ns") == 1000);
    CHECK(valueOf(session, "kernel_count") == 0);
    for (const char* metric :
         {"transfer_count", "transfer_bytes", "transfer_duration_ns", "memory_call_count",
          "migration_bytes_to_device", "gpu_page_faults", "effective_bytes_per_second"}) {
        INFO(metric);
        CHECK_FALSE(valueOf(session, metric));
    }
    // A fill shows that transfers are seen: there was no copy then.
    session.apply(transferOf(TransferKind::Fill, TransferDirection::None, 1, 4, "transfer/pinned"));
    CHECK(valueOf(session, "transfer_count") == 0);
    CHECK_FALSE(valueOf(session, "transfer_bytes_per_second"));
    CHECK_FALSE(valueOf(session, "gpu_page_faults"));
    // No run, no value per run.
    CHECK_FALSE(valueOf(session, "kernel_count", "transfer/other"));
}

TEST_CASE("Where emulated, no time of the host is told") {
    const Session session = workloadSession(Origin::Emulated);
    CHECK(originOfWorkload(session, "transfer/pinned") == Origin::Emulated);
    CHECK(valueOf(session, "transfer_bytes") == 3 * 4096);
    CHECK_FALSE(valueOf(session, "elapsed_ns"));
    CHECK_FALSE(valueOf(session, "effective_bytes_per_second"));
}

TEST_CASE("One part without a time leaves the sum without one") {
    Session session = workloadSession(Origin::Measured);
    session.apply(transferOf(TransferKind::Copy, TransferDirection::None, 1, 1, "transfer/pinned"));
    CHECK_FALSE(valueOf(session, "transfer_duration_ns"));
    CHECK_FALSE(valueOf(session, "transfer_call_ns"));
    CHECK(valueOf(session, "transfer_bytes") == (6 * 4096 + 1) / 2.0);
}

TEST_CASE("A workload's range may stand inside others, and its name end another's") {
    Session session;
    session.apply(ProcessStart{});
    session.apply(NvtxRange{0, "all > a/b", 0, 10});
    session.apply(NvtxRange{0, "a/b", 0, 30});
    session.apply(NvtxRange{0, "a/b > inner", 0, 500});
    session.apply(NvtxRange{0, "za/b", 0, 500});
    CHECK(valueOf(session, "elapsed_ns", "a/b") == 20);
}

TEST_CASE("Metrics of launches: the median, of the kernel that takes longest unless one is named") {
    Session session = workloadSession(Origin::Measured);
    CHECK(valueOf(session, "duration_ns", "reduce/two") == 300); // of 100, 300, 500: the long kernel
    CHECK(valueOf(session, "duration_ns", "reduce/two", "shortKernel") == 15); // of 10 and 20
    CHECK(valueOf(session, "duration_ns", "reduce/two", "Kernel") == 100);     // of all five
    CHECK(valueOf(session, "some__counter.sum", "reduce/two") == 7);
    CHECK_FALSE(valueOf(session, "other__counter.sum", "reduce/two"));
    CHECK_FALSE(valueOf(session, "duration_ns", "reduce/three"));
    CHECK(valueOf(session, "kernel_ns", "reduce/two") == 930);
    CHECK(valueOf(session, "kernel_count", "reduce/two") == 5);
    CHECK(valueOf(session, "kernel_count", "reduce/two", "longKernel") == 3);
}
