// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"
#include "analysis/metrics/format.h"
#include "analysis/session/kernel_code.h"

#include <fmt/format.h>

namespace dormer::findings {

namespace {

/// "[R1+0x10]", "[R1]": at a fixed offset into the stack, which R1 points to.
bool isAtFixedOffset(std::string_view sass) {
    const std::size_t open = sass.find('[');
    if (open == std::string_view::npos) return false;
    const std::string_view address = sass.substr(open + 1);
    return address.starts_with("R1+") || address.starts_with("R1]");
}

/// PTX has no spills: its local memory is dynamically indexed arrays. In SASS, spilled registers are at fixed
/// offsets into the stack; an index that varies needs another register for its address.
FindingKind kindFor(const FindingContext& c) {
    const session::Session& session = c.metrics.session();
    if (session.originOf(c.launch) == session::Origin::Emulated) return FindingKind::LocalArrays;
    const session::KernelCode* code = session.codeOf(session.launch(c.launch).kernel);
    if (code == nullptr || code->language != session::CodeLanguage::Sass) return FindingKind::LocalMemory;
    bool any = false;
    for (const session::CodeLine& line : session::codeLines(*code)) {
        const bool local = line.text.find("LDL") != std::string_view::npos ||
                           line.text.find("STL") != std::string_view::npos;
        if (!local || line.text.find('[') == std::string_view::npos) continue;
        if (!isAtFixedOffset(line.text)) return FindingKind::LocalArrays;
        any = true;
    }
    return any ? FindingKind::LocalSpills : FindingKind::LocalMemory;
}

std::string localText(const session::LineCounts& sum, std::size_t instructions) {
    return fmt::format("{}: {} local memory sectors", operationText(sum, instructions),
                       metrics::forPeople(static_cast<double>(*sum.sectors), metrics::Unit::Count));
}

} // namespace

void checkLocalMemory(const FindingContext& c) {
    const auto sectors = c.value("local_sectors");
    const auto l1 = c.value("l1_bytes");
    if (!sectors || !l1 || !(*sectors * 32 > kNegligible * *l1)) return;
    const double share = *sectors * 32 / *l1;
    std::vector<WastefulAccess> accesses;
    for (const session::LineCounts& line : c.lines)
        if (line.space == session::MemorySpace::Local && line.sectors && *line.sectors > 0)
            accesses.push_back({&line, static_cast<double>(*line.sectors)});
    std::vector<FindingPlace> places = placesOf(accesses, {localText, {}});
    const FindingKind kind = kindFor(c);
    const std::uint64_t bytes = c.metrics.session().kernelOf(c.launch).localBytesPerThread;
    std::string evidence = fmt::format("{} local memory sectors, {} of the L1 traffic",
                                       metrics::forPeople(sectors, metrics::Unit::Count),
                                       metrics::forPeople(share, metrics::Unit::Ratio));
    if (bytes > 0)
        evidence += fmt::format("; {} of local memory per thread",
                                metrics::forPeople(static_cast<double>(bytes), metrics::Unit::Bytes));
    if (kind == FindingKind::LocalArrays) evidence += "; dynamically indexed arrays";
    if (kind == FindingKind::LocalSpills) evidence += "; all at fixed stack offsets, as register spills are";
    c.add(kind, std::move(evidence), c.gain().withoutLocalMemory(), std::move(places));
}

} // namespace dormer::findings
