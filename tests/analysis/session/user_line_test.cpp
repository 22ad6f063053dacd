// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/user_line.h"

#include "analysis/session/model.h"
#include "tests/support/catch.h"
#include "tests/support/parsed.h"

using namespace dormer::session;
using dormer::tests::parsed;

namespace {
LineCounts at(std::string file, std::uint32_t line, CallChain inlinedAt = {}) {
    LineCounts counts;
    counts.file = std::move(file);
    counts.line = line;
    counts.inlinedAt = std::move(inlinedAt);
    return counts;
}
} // namespace

TEST_CASE("Frames are the line and the calls that inlined it") {
    CHECK(framesOf(at("", 0)).empty());
    CHECK(framesOf(at("/a.cu", 3)) == std::vector<SourceFrame>{{"/a.cu", 3}});
    CHECK(framesOf(at("/h.cuh", 9, {{"/h.cuh", 20}, {"/my src/a.cu", 6}})) ==
          std::vector<SourceFrame>{{"/h.cuh", 9}, {"/h.cuh", 20}, {"/my src/a.cu", 6}});
}

TEST_CASE("A chain of calls is read back as it was written") {
    const CallChain chain{{"/h.cuh", 20}, {"C:/my src/a.cu", 6}};
    CHECK(toString(chain) == "/h.cuh:20 < C:/my src/a.cu:6");
    CHECK(parsed<CallChain>(toString(chain)) == chain);
    CHECK(toString(CallChain{}).empty());
    CHECK(parsed<CallChain>("").empty());
    // A broken file: what is no frame is left out.
    CHECK(parsed<CallChain>("nothing < x: < :4 < y:1z") == CallChain{{"", 4}});
}

TEST_CASE("Lines of libraries are not the user's") {
    CHECK(isLibraryFile("/usr/local/cuda-13.0/targets/x86_64-linux/include/cccl/cub/block/block_load.cuh"));
    CHECK(isLibraryFile("/opt/cuda/include/cub/block/block_load.cuh"));
    CHECK(isLibraryFile("/usr/local/cuda/include/cooperative_groups/details/sync.h"));
    CHECK(isLibraryFile("/usr/include/c++/12/bits/stl_algo.h"));
    CHECK(isLibraryFile("cccl/thrust/system/cuda/detail/for.h"));
    CHECK(isLibraryFile("cuda/cuda_fp16.hpp"));
    CHECK(isLibraryFile("/usr/local/cuda-13.0/include/cuda_fp16.hpp"));
    CHECK_FALSE(isLibraryFile("kernels/transpose/tiled.cu"));
    CHECK_FALSE(isLibraryFile("/home/me/cuda/my_kernel.cu"));
    CHECK_FALSE(isLibraryFile("/home/me/project/include/load.cuh"));
    CHECK_FALSE(isLibraryFile("/home/me/cubism/a.cu"));
}

TEST_CASE("The user's line is the innermost that is no library's") {
    const std::string cub = "/usr/local/cuda/include/cub/load.cuh";
    CHECK(userFrame(at(cub, 9, {{"/src/mine.cuh", 20}, {"/src/a.cu", 6}})) ==
          SourceFrame{"/src/mine.cuh", 20});
    CHECK(userFrame(at("/src/mine.cuh", 9, {{"/src/a.cu", 6}})) == SourceFrame{"/src/mine.cuh", 9});
    CHECK(userFrame(at(cub, 9)) == SourceFrame{cub, 9});
    CHECK(userFrame(at("", 0)) == SourceFrame{});
}
