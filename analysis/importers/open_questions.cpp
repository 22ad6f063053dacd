// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/importers/open_questions.h"

#include "analysis/metrics/metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dormer::importers {

namespace {

struct Question {
    std::string_view conclusion;
    std::array<std::string_view, 2> metrics; ///< any of them answers it; may be empty
};

constexpr auto kQuestions = std::to_array<Question>({
    {"rates, speedups and estimated savings", {"duration_ns", ""}},
    {"DRAM traffic and arithmetic intensity", {"dram_bytes", ""}},
    {"L2 traffic", {"l2_bytes", ""}},
    {"L1 traffic", {"l1_bytes", ""}},
    {"FP32 work", {"flops_fp32", ""}},
    {"FP64 work", {"flops_fp64", ""}},
    {"tensor-core work", {"tensor_ops", "tensor_pipe_utilization"}},
    {"issue slots", {"warp_instructions_issued", ""}},
    {"uncoalesced global accesses", {"global_wasted_bytes", ""}},
    {"shared-memory bank conflicts", {"shared_wavefronts_excess", ""}},
    {"local memory and register spills", {"local_sectors", ""}},
    {"achieved occupancy", {"achieved_occupancy", ""}},
    {"theoretical occupancy and tail effect", {"waves", ""}},
});

} // namespace

void addOpenQuestions(SessionBuilder& builder) {
    const session::Session& session = builder.session();
    const std::size_t launches = session.launches().size();
    std::vector<std::string> texts;
    {
        const metrics::MetricEvaluator evaluator(session);
        for (const Question& question : kQuestions) {
            std::size_t open = 0;
            std::string missing;
            for (std::size_t i = 0; i < launches; ++i) {
                const session::LaunchIndex launch{static_cast<std::uint32_t>(i)};
                if (std::ranges::any_of(question.metrics, [&](std::string_view metric) {
                        return !metric.empty() && evaluator.value(launch, metric);
                    }))
                    continue;
                if (++open == 1) missing = evaluator.missingInput(launch, question.metrics.front());
            }
            if (open > 0)
                texts.push_back(fmt::format(
                    "Not concluded: {} of {} of {} launches, {}", question.conclusion, open, launches,
                    missing.empty() ? "their values give no number" : missing + " is not in the file"));
        }
    }
    const bool anyLines = session.hasLines();
    for (std::string& text : texts)
        builder.note(0, std::string(kNotConcluded), std::move(text));
    if (launches > 0 && !anyLines)
        builder.note(0, std::string(kNotConcluded),
                     "Not concluded: source lines of findings, no counts per line are in the file");
}

} // namespace dormer::importers
