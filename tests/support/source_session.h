// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/session/kernel_code.h"
#include "analysis/session/session.h"
#include "tests/support/parsed.h"

#include <fmt/format.h>

namespace dormer::tests {

inline constexpr const char* kTransposePath = "/home/user/transpose.cu";

/// A transpose of 1024 x 1024 floats through a tile of 32 x 32 as the emulator would record it, with its text
/// and code: coalesced loads at line 9, 32-way conflicts at line 12, and 40 lines around them.
inline session::Session sourceSession() {
    using namespace session;
    using namespace store;
    Session session;
    Process process;
    process.program = "transpose";
    process.origin = Origin::Emulated;
    session.apply(ProcessStart{process});
    Device device;
    device.name = "NVIDIA H100";
    device.computeCapabilityMajor = 9;
    device.smCount = 132;
    device.smClockMaxHz = 1.98e9;
    device.memoryClockMaxHz = 2.619e9;
    device.memoryBusBits = 5120;
    session.apply(device);
    Kernel kernel;
    kernel.name = "transpose(const float*, float*)";
    kernel.staticSharedBytes = 4096;
    session.apply(kernel);
    Launch launch;
    launch.grid = {32, 32, 1};
    launch.block = {32, 32, 1};
    launch.durationNs = 4e4;
    session.apply(launch);

    static constexpr std::uint64_t kWarps = 32768;
    const auto access = [](std::uint32_t line, std::uint64_t pc, const char* instruction, const char* space,
                           const char* op) {
        LineCounts counts;
        counts.file = kTransposePath;
        counts.line = line;
        counts.pc = pc;
        counts.instruction = instruction;
        fromString(space, counts.space);
        fromString(op, counts.op);
        counts.widthBytes = 4;
        counts.executions = kWarps;
        counts.threads = kWarps * 32;
        return counts;
    };
    LineCounts load = access(9, 102, "ld.global.f32", "global", "load");
    LineCounts put = access(9, 103, "st.shared.f32", "shared", "store");
    LineCounts get = access(12, 110, "ld.shared.f32", "shared", "load");
    LineCounts store = access(12, 111, "st.global.f32", "global", "store");
    load.sectors = load.sectorsIdeal = store.sectors = store.sectorsIdeal = kWarps * 4;
    put.wavefronts = put.wavefrontsIdeal = get.wavefrontsIdeal = kWarps;
    get.wavefronts = kWarps * 32;
    get.lanes = lanesAt([](unsigned lane) { return lane * 128; });
    session.apply(LaunchLines{0, {load, put, get, store}});

    std::string text =
        "#include <cuda_runtime.h>\n\n"
        "constexpr int kTile = 32;\n\n"
        "__global__ void transpose(const float* in, float* out) {\n"
        "\t__shared__ float tile[32][32];\n"
        "\tconst int x = blockIdx.x * kTile + threadIdx.x;\n"
        "\tconst int y = blockIdx.y * kTile + threadIdx.y;\n"
        "\ttile[threadIdx.y][threadIdx.x] = in[y * 1024 + x];\n"
        "\t__syncthreads();\n"
        "\tconst int tx = blockIdx.y * kTile + threadIdx.x;\n"
        "\tout[(blockIdx.x * kTile + threadIdx.y) * 1024 + tx] = tile[threadIdx.x][threadIdx.y];\n"
        "}\n\n";
    for (int i = 15; i <= 52; ++i)
        text += fmt::format("// line {}\n", i);
    session.apply(SourceFile{kTransposePath, text});
    KernelCode code;
    code.language = CodeLanguage::Ptx;
    for (std::uint64_t pc = 90; pc < 130; ++pc) {
        const std::uint32_t line = pc < 100 ? 7 : pc < 105 ? 9 : pc < 108 ? 10 : pc < 112 ? 12 : 0;
        const char* instruction = pc == 102   ? "ld.global.f32 %f1, [%rd4];"
                                  : pc == 103 ? "st.shared.f32 [%r9], %f1;"
                                  : pc == 110 ? "ld.shared.f32 %f2, [%r12];"
                                  : pc == 111 ? "st.global.f32 [%rd7], %f2;"
                                              : "mad.lo.s32 %r5, %r3, %r4, %r1;";
        addCodeLine(code, pc, kTransposePath, line, instruction);
    }
    session.apply(code);
    return session;
}

} // namespace dormer::tests
