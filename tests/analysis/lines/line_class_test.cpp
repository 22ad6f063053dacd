// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/lines/line_class.h"

#include "analysis/access/access_pattern.h"
#include "analysis/access/lane_pattern.h"
#include "tests/support/catch.h"
#include "tests/support/parsed.h"

#include <limits>

using namespace dormer::access;

using namespace dormer::lines;

using namespace dormer::session;

namespace {

/// The counts that a thousand warps with this access leave.
LineCounts countsOf(const PatternQuestion& question) {
    const auto pattern = lanePattern(question);
    REQUIRE(pattern);
    constexpr std::uint64_t kWarps = 1000;
    LineCounts counts;
    counts.space = question.shared ? MemorySpace::Shared : MemorySpace::Global;
    counts.op = MemoryOperation::Load;
    counts.widthBytes = question.widthBytes;
    counts.executions = kWarps;
    counts.threads = kWarps * static_cast<unsigned>(__builtin_popcount(pattern->mask));
    if (question.shared) {
        counts.wavefronts = kWarps * pattern->wavefronts;
        counts.wavefrontsIdeal = kWarps * pattern->wavefrontsIdeal;
    } else {
        counts.sectors = kWarps * pattern->sectors;
        counts.sectorsIdeal = kWarps * pattern->sectorsIdeal;
    }
    return counts;
}

std::string textOf(const char* expression, unsigned width = 4, bool shared = false) {
    return classText(countsOf({.expression = expression, .widthBytes = width, .shared = shared}));
}

} // namespace

TEST_CASE("Counts tell what the addresses would") {
    CHECK(textOf("tid") == "coalesced");
    CHECK(textOf("lane ^ 5") == "coalesced");
    CHECK(textOf("tid", 16) == "coalesced");
    CHECK(textOf("0") == "broadcast");
    CHECK(textOf("tid + 1") == "misaligned");
    CHECK(textOf("tid - 2", 8) == "misaligned");
    CHECK(textOf("tid * 2") == "stride of 2 elements");
    CHECK(textOf("tid * 4") == "stride of 4 elements");
    CHECK(textOf("tid * 2", 8) == "stride of 2 elements");
    CHECK(textOf("tid * 8") == "fully scattered (1 sector per lane)");
    CHECK(textOf("tid * 1000") == "fully scattered (1 sector per lane)");
    CHECK(textOf("lane / 3 * 100 + lane % 3") == "scattered");
}

TEST_CASE("Shared memory: ways, and none") {
    CHECK(textOf("lane", 4, true) == "conflict-free");
    CHECK(textOf("lane * 33", 4, true) == "conflict-free");
    CHECK(textOf("lane * 4", 4, true) == "4-way bank conflict");
    CHECK(textOf("lane * 32", 4, true) == "32-way bank conflict");
    CHECK(textOf("lane", 16, true) == "conflict-free"); // four wavefronts are the ideal
}

TEST_CASE("What was not counted is not told") {
    LineCounts counts;
    counts.space = MemorySpace::Global;
    CHECK(classText(counts).empty());
    counts.sectors = 100;
    CHECK(classText(counts).empty());
    counts.space = MemorySpace::Constant;
    CHECK(classText(counts).empty());
    counts.space = MemorySpace::Shared;
    CHECK(classText(counts).empty());
    CHECK(classOf(counts).ways == 0);
}

TEST_CASE("Counts that contradict each other are no stride") {
    LineCounts counts;
    counts.space = MemorySpace::Global;
    counts.widthBytes = 4;
    counts.executions = 1;
    counts.sectors = 6;
    counts.sectorsIdeal = 0;
    CHECK(classText(counts) == "scattered");
    counts.sectors = std::uint64_t{1} << 62; // a stride of 2^62 elements
    counts.sectorsIdeal = 1;
    counts.threads = std::numeric_limits<std::uint64_t>::max();
    CHECK(classText(counts) == "scattered");
    CHECK(classOf(counts).access.stride == 0);
}

TEST_CASE("One request in twenty that straddles is no fault") {
    LineCounts counts = countsOf({.expression = "tid"});
    counts.sectors = *counts.sectors + 50 * 4;
    CHECK(classText(counts) == "coalesced");
}

TEST_CASE("Lines of 128 bytes tell strides from columns, and strides beyond a sector") {
    const auto withLines = [](const char* expression, unsigned width = 4) {
        LineCounts counts = countsOf({.expression = expression, .widthBytes = width});
        const auto pattern = lanePattern({.expression = expression, .widthBytes = width});
        counts.tags = 1000 * pattern->lines;
        return classText(counts);
    };
    CHECK(withLines("tid * 4") == "stride of 4 elements");
    CHECK(withLines("tid * 8") == "stride of 8 elements");
    CHECK(withLines("tid * 9") == "stride of 9 elements");
    CHECK(withLines("tid * 31") == "stride of 31 elements");
    CHECK(withLines("tid * 32") == "fully scattered (1 sector per lane)"); // as is anything beyond
    CHECK(withLines("tid * 2", 16) == "stride of 2 elements");
    CHECK(withLines("tid * 7", 8) == "stride of 7 elements");
    // 16 rows of two columns each: as many sectors as a stride of 4 takes, in 16 lines instead of 4.
    CHECK(withLines("lane % 16 * 4096 + lane / 16") == "scattered");
    CHECK(withLines("tid + 1") == "misaligned");
}

TEST_CASE("Sampled lanes tell the class, where the sample is like the rest") {
    LineCounts counts = countsOf({.expression = "tid * 40"});
    counts.lanes = dormer::tests::lanesAt([](unsigned lane) { return 160 * lane; });
    CHECK(classText(counts) == "stride of 40 elements");
    counts.sectors = *counts.sectors / 2; // the average warp takes half as many sectors as this one
    CHECK(classText(counts) == "stride of 4 elements");
    counts.lanes = {};
    CHECK(classText(counts) == "stride of 4 elements");
}

TEST_CASE("Fragments of matrices are told by instruction or by the function they are inlined from") {
    LineCounts counts;
    const auto with = [&](const char* instruction, const char* function) {
        counts.instruction = instruction;
        counts.function = function;
        return isMatrixFragment(counts);
    };
    CHECK(with("wmma.load.a.sync.aligned.row.m16n16k16.global.f16", ""));
    CHECK(with("wmma.store.d.sync.aligned.row.m16n16k16.global.f32", ""));
    CHECK(with("LDG.E", "nvcuda::wmma::load_matrix_sync(nvcuda::wmma::fragment<nvcuda::wmma::matrix_a>&)"));
    CHECK(with("STG.E", "void nvcuda::wmma::store_matrix_sync(float*, unsigned)"));
    CHECK_FALSE(with("ld.global.f16", "loadMatrix(float*)"));
    CHECK_FALSE(with("LDG.E", ""));
}
