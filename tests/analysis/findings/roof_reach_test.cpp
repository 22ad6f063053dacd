// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Whether kernels that are known to be bound by something reach its measured roof (docs/ceilings.md).

#include "analysis/diagnosis/diagnosis.h"
#include "analysis/gains/time_needs.h"
#include "analysis/store/session_file.h"
#include "analysis/verdict/measured.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <filesystem>
#include <set>

using namespace dormer;

namespace {

constexpr double kReached = 0.8;

enum class Why {
    ShortThreads, ///< a wave takes about as long by itself as its bytes take: never enough in flight
    NoRoof,       ///< what binds it was not measured
    Kernel, ///< the roof is right, since `other` reaches it with the same bytes; this kernel waits itself
};
struct Below {
    std::string_view workload;
    Why why;
    std::string_view other{};
};
/// Every workload of a recorded suite that is registered as memory- or compute-bound and stays below.
constexpr Below kBelow[] = {
    {"heat/grid", Why::Kernel, "heat/cub_transform"},
    {"roofline/vector_add", Why::ShortThreads},
    {"roofline/axpy", Why::ShortThreads},
    {"roofline/stencil", Why::ShortThreads},
    {"roofline/polynomial/1", Why::ShortThreads},
    {"roofline/polynomial/2", Why::ShortThreads},
    {"roofline/polynomial/4", Why::ShortThreads},
    {"roofline/polynomial/8", Why::ShortThreads},
    {"roofline/polynomial/16", Why::ShortThreads},
    {"roofline/fma_chain_half2", Why::NoRoof},
};
/// From here on a wave's own time is no small part beside its bytes (docs/diagnosis.md adds the two).
constexpr double kShort = 0.8;

struct Suite {
    session::Session session;
    diagnosis::Diagnosis diagnosis{session};

    [[nodiscard]] const metrics::MetricEvaluator& metrics() const { return diagnosis.metrics(); }
    /// Bound that its known answer names: "memory", "compute"; several are possible.
    [[nodiscard]] std::string expected(std::string_view workload) const {
        for (const session::Expectation& each : session.expectations())
            if (each.workload == workload && each.relation == "verdict") return each.text;
        return {};
    }
    /// Highest share of a measured roof, of memory or of the pipes.
    [[nodiscard]] double reached(session::LaunchIndex launch, bool memory) const {
        const verdict::MeasuredShares shares = verdict::measuredShares(metrics(), launch);
        double best = 0;
        for (int i = 0; i < device::kResourceCount; ++i)
            if (device::isMemory(static_cast<device::Resource>(i)) == memory)
                best = std::max(best, shares[static_cast<std::size_t>(i)].value_or(0));
        return best;
    }
    /// A wave's own time, over the time its bytes take at the measured roof.
    [[nodiscard]] double wavesOverBytes(session::LaunchIndex launch) const {
        const auto needs = gains::timeNeeds(metrics(), launch, diagnosis.judged(launch));
        REQUIRE(needs);
        return needs->pathNs / (reached(launch, true) * *session.launch(launch).durationNs);
    }
    [[nodiscard]] session::LaunchIndex longestOf(std::string_view workload) const {
        std::optional<session::LaunchIndex> longest;
        double ns = 0;
        for (const metrics::LaunchGroup& group : diagnosis.groups()) {
            if (session.launch(group.representative).workload != workload || group.totalNs <= ns) continue;
            ns = group.totalNs;
            longest = group.representative;
        }
        REQUIRE(longest);
        return *longest;
    }
};

void checkReason(const Suite& suite, session::LaunchIndex launch, const Below& below) {
    const verdict::Verdict verdict = suite.diagnosis.judged(launch);
    switch (below.why) {
    case Why::ShortThreads:
        CHECK(suite.wavesOverBytes(launch) >= kShort);
        break;
    case Why::NoRoof: {
        const verdict::MeasuredShares shares = verdict::measuredShares(suite.metrics(), launch);
        CHECK_FALSE(shares[static_cast<std::size_t>(verdict.resource)]);
        CHECK(verdict.utilization[static_cast<std::size_t>(verdict.resource)].value_or(0) > 0.6);
        break;
    }
    case Why::Kernel: {
        const session::LaunchIndex other = suite.longestOf(below.other);
        CHECK(suite.reached(other, true) >= kReached);
        for (const char* bytes : {"l2_bytes", "dram_bytes"})
            CHECK(suite.metrics().value(other, bytes).value_or(0) ==
                  Approx(suite.metrics().value(launch, bytes).value_or(1)).epsilon(0.06));
        break;
    }
    }
}

} // namespace

TEST_CASE("What is known to be bound reaches 80 % of its measured roof, or there is a reason that holds") {
    std::size_t suites = 0, reached = 0;
    for (const auto& entry : std::filesystem::directory_iterator(DORMER_SOURCE_DIR "/samples")) {
        if (entry.path().extension() != ".dormer") continue;
        auto loaded = store::loadSession(entry.path());
        REQUIRE(loaded);
        if (loaded->measuredCeilings().empty() || loaded->expectations().empty()) continue;
        CAPTURE(entry.path().filename().string());
        const Suite suite{std::move(*loaded)};
        ++suites;
        std::set<std::string_view> seenBelow;
        for (const metrics::LaunchGroup& group : suite.diagnosis.groups()) {
            const session::LaunchIndex launch = group.representative;
            const std::string& workload = suite.session.launch(launch).workload;
            const std::string expected = suite.expected(workload);
            const bool memory = expected.find("memory") != std::string::npos;
            if (!memory && expected.find("compute") == std::string::npos) continue;
            // The last step of a reduction is no part of what is bound.
            if (suite.session.launch(launch).durationNs.value_or(0) < verdict::kTooShortNs) continue;
            CAPTURE(workload);
            const double share = suite.reached(launch, memory);
            const auto below = std::ranges::find(kBelow, workload, &Below::workload);
            if (share >= kReached) {
                ++reached;
                CHECK(below == std::ranges::end(kBelow));                 // else the reason is out of date
                if (memory) CHECK(suite.wavesOverBytes(launch) < kShort); // the reason tells these apart
                continue;
            }
            CAPTURE(share);
            REQUIRE(below != std::ranges::end(kBelow));
            seenBelow.insert(below->workload);
            checkReason(suite, launch, *below);
        }
        CHECK(seenBelow.size() == std::size(kBelow));
    }
    CHECK(suites > 0);
    CHECK(reached >= 8);
}

TEST_CASE("Each measured roof is reached by some workload of the suite, and passed by none") {
    auto loaded = store::loadSession(DORMER_SOURCE_DIR "/samples/h200-suite.dormer");
    REQUIRE(loaded);
    const Suite suite{std::move(*loaded)};
    std::array<double, device::kResourceCount> best{};
    for (const metrics::LaunchGroup& group : suite.diagnosis.groups()) {
        if (suite.session.launch(group.representative).durationNs.value_or(0) < verdict::kTooShortNs)
            continue;
        const auto shares = verdict::measuredShares(suite.metrics(), group.representative);
        for (std::size_t i = 0; i < best.size(); ++i)
            best[i] = std::max(best[i], shares[i].value_or(0));
    }
    using device::Resource;
    for (const Resource resource : {Resource::Dram, Resource::L2, Resource::L1, Resource::Shared,
                                    Resource::Fp32, Resource::Fp64, Resource::Integer}) {
        CAPTURE(device::toString(resource));
        CHECK(best[static_cast<std::size_t>(resource)] >= kReached);
        // Two pipes share integers.
        CHECK(best[static_cast<std::size_t>(resource)] <=
              1.03 * device::upperBoundFactor(device::architectureOf(suite.session.devices().front()),
                                              resource));
    }
}
