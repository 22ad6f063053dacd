// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/diagnosis/diagnosis.h"
#include "analysis/findings/finding.h"
#include "analysis/lines/annotated_source.h"
#include "analysis/session/kernel_code.h"
#include "analysis/session/user_line.h"
#include "analysis/store/session_file.h"

#include "tests/support/catch.h"
#include "tests/support/launches.h"
#include "tests/support/prose.h"

#include <algorithm>
#include <set>

using namespace dormer::findings;

using namespace dormer::lines;

using namespace dormer::metrics;

using namespace dormer::session;

using namespace dormer::store;

using namespace dormer::verdict;
using namespace dormer::tests;

namespace {

const Session& recording() {
    static const Session session = [] {
        auto loaded = loadSession(DORMER_SOURCE_DIR "/samples/h200-source.dormer");
        REQUIRE(loaded);
        return std::move(*loaded);
    }();
    return session;
}

LaunchIndex launchOf(const std::string& workload) {
    return dormer::tests::launchOf(recording(), workload);
}

Finding findingOf(const std::string& workload, std::string_view code) {
    const auto all = dormer::diagnosis::Diagnosis(recording()).findings(launchOf(workload));
    const auto found = std::ranges::find(all, code, &Finding::code);
    INFO(workload << " " << code);
    REQUIRE(found != all.end());
    REQUIRE_FALSE(found->places.empty());
    return *found;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("The change is derived from the source and the counts") {
    const Finding sum = findingOf("vector_sum/uncoalesced", "uncoalesced-global-access");
    REQUIRE(sum.places.size() == 1);
    CHECK(sum.places[0].place == "vector_sum.cu:25");
    CHECK(has(sum.places[0].change, "swap `blockIdx.x` and `threadIdx.x`"));
    const Finding copy = findingOf("transpose/copy_col", "uncoalesced-global-access");
    CHECK(has(copy.places[0].change, "`threadIdx.x` and `threadIdx.y`"));
}

TEST_CASE("Machine code tells spilled registers from dynamically indexed arrays") {
    const Finding spill = findingOf("spaces/local_spill", "register-spills");
    CHECK(spill.advice == adviceOf(FindingKind::LocalSpills));
    const Finding array = findingOf("spaces/local_array", "local-memory-traffic");
    CHECK(array.advice == adviceOf(FindingKind::LocalArrays));
}

TEST_CASE("Every counted instruction stands in its kernel's code, and its line in a text") {
    const Session& session = recording();
    std::size_t instructions = 0;
    for (std::uint32_t i = 0; i < session.launches().size(); ++i) {
        const LaunchIndex launch{i};
        const KernelCode* code = session.codeOf(session.launch(launch).kernel);
        INFO(session.launch(launch).workload);
        REQUIRE(code != nullptr);
        CHECK(code->language == CodeLanguage::Sass);
        std::set<std::uint64_t> positions;
        for (const CodeLine& line : code->lines)
            positions.insert(line.pc);
        for (const LineCounts& line : session.lines(launch)) {
            CHECK(positions.contains(line.pc));
            const SourceFrame user = userFrame(line);
            if (!isLibraryFile(user.file)) CHECK(session.sourceText(user.file) != nullptr);
            ++instructions;
        }
    }
    CHECK(instructions > 1000);

    const LaunchIndex sum = launchOf("vector_sum/uncoalesced");
    const KernelSource source = kernelSource(session, std::span(&sum, 1));
    REQUIRE(source.files.size() == 1);
    CHECK(source.files[0].embedded);
    const SourceRow& row = source.files[0].rows.at(24);
    CHECK(has(row.text, "c[i] = a[i] + b[i]"));
    // 2^24 floats, 2^19 warps: three accesses of 32 sectors per request, ideal 4.
    REQUIRE(row.cost);
    CHECK(row.cost->sectors == 3 * 16'777'216);
    CHECK(row.cost->sectorsIdeal == 3 * 2'097'152);
    CHECK(row.cost->waste == Approx(1));
}
