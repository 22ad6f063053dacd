// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/view/explain/explanation.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace dormer::view::explain {
namespace {

/// More are in the recommendations.
constexpr std::size_t kMostKernels = 12;

} // namespace

std::string findingPage(std::string_view code, const ExplainedLaunch& of) {
    std::string page;
    // Several kinds share a code: each has advice of its own.
    for (const findings::FindingText& text : findings::findingCatalogue()) {
        if (text.code != code) continue;
        page += fmt::format("{} {}\n\n{}\n\n", page.empty() ? "#" : "##", escapeMarkdown(text.title),
                            escapeMarkdown(text.advice));
        if (!text.rule.empty())
            page += fmt::format("Nsight Compute finds it with its rule `{}`.\n\n", text.rule);
    }
    page += fmt::format("`{}` in [how Dormer judges a launch](doc:verdicts.md#findings)\n\n", code);
    if (of.diagnosis == nullptr) return page;
    std::string rows;
    std::size_t found = 0;
    for (std::size_t group = 0; group < of.diagnosis->groups().size(); ++group) {
        const auto& all = of.diagnosis->findingsOfGroup(group);
        const auto finding = std::ranges::find(all, code, &findings::Finding::code);
        if (finding == all.end() || ++found > kMostKernels) continue;
        rows += fmt::format("- **{}**: {}\n", escapeMarkdown(of.diagnosis->groups()[group].label),
                            escapeMarkdown(finding->evidence));
    }
    if (found == 0) return page;
    page += fmt::format("## In this session\n\n{}", rows);
    if (found > kMostKernels) page += fmt::format("\nand {} more kernels\n", found - kMostKernels);
    return page;
}

} // namespace dormer::view::explain
