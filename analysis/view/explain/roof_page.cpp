// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/metrics/format.h"
#include "analysis/view/explain/explanation.h"
#include "analysis/view/text.h"

#include <fmt/format.h>

namespace dormer::view::explain {
namespace {

std::string_view unitOf(device::Resource resource) {
    using device::Resource;
    if (device::isMemory(resource)) return "B/s";
    if (resource == Resource::Integer) return "op/s";
    return resource == Resource::IssueSlots ? "inst/s" : "FLOP/s";
}

} // namespace

std::string roofPage(device::Resource resource, const ExplainedLaunch& of) {
    std::string page = fmt::format(
        "# {} roof\n\nThe most that the device can do per second: theoretical by its units and clocks, and "
        "measured where a micro-benchmark ran. Verdicts hold a launch against it.\n\n"
        "- [How ceilings are computed](doc:verdicts.md#ceilings)\n- [How they are "
        "measured](doc:ceilings.md)\n",
        device::title(resource));
    if (of.diagnosis == nullptr) return page;
    const session::Session& session = of.diagnosis->session();
    for (const session::Device& device : session.devices()) {
        std::string rows;
        for (const device::Ceiling& ceiling : device::ceilings(session, device)) {
            if (ceiling.resource != resource) continue;
            rows += fmt::format(
                "| {}{} | {}{} | {} |\n", ceiling.measured ? "measured" : "theoretical",
                resource == device::Resource::Tensor ? fmt::format(", {}", device::title(ceiling.format))
                                                     : "",
                metrics::withSiPrefix(ceiling.perSecond), unitOf(resource), escapeMarkdown(ceiling.source));
        }
        page += fmt::format("\n## {}\n\n{}", escapeMarkdown(device.name),
                            rows.empty() ? "Neither measured nor published for this device.\n"
                                         : "| roof | value | where from |\n|---|---|---|\n" + rows);
    }
    return page;
}

} // namespace dormer::view::explain
