// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/findings/finding_checks.h"
#include "analysis/findings/finding_places.h"
#include "analysis/metrics/format.h"
#include "analysis/session/kernel_code.h"

#include <fmt/format.h>

namespace dormer::findings {

namespace {

enum class LocalCause { Unknown, Arrays, Spills };

/// "[R1+0x10]", "[R1]": at a fixed place of the stack, which R1 points to.
bool isAtFixedPlace(std::string_view sass) {
    const std::size_t open = sass.find('[');
    if (open == std::string_view::npos) return false;
    const std::string_view address = sass.substr(open + 1);
    return address.starts_with("R1+") || address.starts_with("R1]");
}

/// PTX has no spills: its local memory is arrays that an index keeps out of registers. In SASS, spilled
/// registers lie at fixed places of the stack; an index that varies needs another register for its address.
LocalCause causeOf(const FindingContext& c) {
    const session::Session& session = c.metrics.session();
    if (session.originOf(c.launch) == session::Origin::Emulated) return LocalCause::Arrays;
    const session::KernelCode* code = session.codeOf(session.launch(c.launch).kernel);
    if (code == nullptr || code->language != session::CodeLanguage::Sass) return LocalCause::Unknown;
    bool any = false;
    for (const session::CodeLine& line : session::codeLines(*code)) {
        const bool local = line.text.find("LDL") != std::string_view::npos ||
                           line.text.find("STL") != std::string_view::npos;
        if (!local || line.text.find('[') == std::string_view::npos) continue;
        if (!isAtFixedPlace(line.text)) return LocalCause::Arrays;
        any = true;
    }
    return any ? LocalCause::Spills : LocalCause::Unknown;
}

struct LocalTexts {
    std::string_view cause, advice;
};

LocalTexts textsOf(LocalCause cause) {
    switch (cause) {
    case LocalCause::Arrays:
        return {
            "arrays that an index keeps out of registers",
            "Index local arrays with constants (unroll the loops over them) or move them to shared memory; "
            "more registers don't help."};
    case LocalCause::Spills:
        return {"all at fixed places of the stack, as spilled registers are",
                "Allow more registers (__launch_bounds__, -maxrregcount) or keep less alive at once."};
    case LocalCause::Unknown:
        break;
    }
    return {"",
            "If ptxas -v reports spills, allow more registers or do less at once; if it reports only a stack "
            "frame, index local arrays with constants (unroll) or move them to shared memory."};
}

std::string localText(const session::LineCounts& sum, std::size_t instructions) {
    return fmt::format("{}: {} sectors of local memory", operationText(sum, instructions),
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
    const LocalTexts texts = textsOf(causeOf(c));
    const std::uint64_t bytes = c.metrics.session().kernelOf(c.launch).localBytesPerThread;
    std::string evidence =
        fmt::format("{} local sectors, {} of L1's traffic", metrics::forPeople(sectors, metrics::Unit::Count),
                    metrics::forPeople(share, metrics::Unit::Ratio));
    if (bytes > 0)
        evidence += fmt::format("; {} of local memory a thread",
                                metrics::forPeople(static_cast<double>(bytes), metrics::Unit::Bytes));
    if (!texts.cause.empty()) evidence += fmt::format("; {}", texts.cause);
    c.out.push_back({"local-memory-traffic", "Local-memory traffic", std::move(evidence),
                     std::string(texts.advice) + std::string(lineInfoAdvice(places)),
                     c.gain().withoutLocalMemory(), std::move(places)});
}

} // namespace dormer::findings
