// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/verdict/verdict.h"
#include "analysis/view/explain/explanation.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

namespace dormer::view::explain {

std::string howCounted(const session::Session& session, session::LaunchIndex launch,
                       std::string_view counter) {
    const session::Device* device = session.deviceOf(launch);
    const std::string where = device == nullptr ? std::string() : " on " + escapeMarkdown(device->name);
    const auto column = session.counters().find(counter);
    const session::SignatureCounter* shared = column ? session.signatureCounter(launch, *column) : nullptr;
    if (shared == nullptr) return fmt::format("{}{}", toString(session.originOf(launch)), where);
    const bool sampled = shared->method == session::CounterMethod::Sampled;
    std::string how =
        fmt::format("{} over {:.3g} {} of this configuration{}", sampled ? "sampled" : "counted",
                    shared->launches, shared->launches == 1 ? "launch" : "launches", where);
    if (shared->uncertainty > 0) how += fmt::format(", ±{:.2g} %", shared->uncertainty * 100);
    return how;
}

std::string launchVerdict(const ExplainedLaunch& of) {
    if (of.diagnosis == nullptr || !of.launch) return {};
    const verdict::Verdict& verdict = of.diagnosis->verdict(*of.launch);
    std::string page = fmt::format("**{}** is {}.\n\n", escapeMarkdown(of.diagnosis->label(*of.launch)),
                                   escapeMarkdown(verdict::headline(verdict)));
    for (const std::string& reason : verdict::evidence(of.diagnosis->metrics(), *of.launch, verdict))
        page += fmt::format("- {}\n", escapeMarkdown(reason));
    return page + "\n";
}

} // namespace dormer::view::explain
