// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/sources/source_session.h"

#include "analysis/session/kernel_code.h"
#include "tests/support/parsed.h"

#include <array>

namespace dormer::tests {
namespace {

using namespace session;

using namespace store;

constexpr const char* kFile = "/home/me/app/src/transpose.cu";
constexpr const char* kHelper = "/home/me/app/src/tile.h";

constexpr const char* kSource = R"(#include "tile.h"

constexpr int kTile = 32;

// Turns a square matrix about its diagonal, a tile at a time: rows are read and written in
// the order in which they lie in memory, and the turning happens in shared memory.
__global__ void transpose(float* out, float* border, const float* in, int size) {
    __shared__ float tile[kTile][kTile];

    const int x = blockIdx.x * kTile + threadIdx.x;
    const int y = blockIdx.y * kTile + threadIdx.y;
    const int column = blockIdx.y * kTile + threadIdx.x;
    const int row = blockIdx.x * kTile + threadIdx.y;

	// Neighbouring threads fetch neighbouring elements: as it should be.
    for (int step = 0; step < kTile; step += 8)
        if (y + step < size)
            tile[threadIdx.y + step][threadIdx.x] = fetch(in, y + step, x, size);
    __syncthreads();
    for (int step = 0; step < kTile; step += 8) out[(row + step) * size + column] = tile[threadIdx.x][threadIdx.y + step];
    if (row == 0)
        border[column + 1] = tile[threadIdx.x][0];
}

void launchTranspose(float* out, float* border, const float* in, int size) {
    const dim3 grid(size / kTile, size / kTile), block(kTile, 8);
    transpose<<<grid, block>>>(out, border, in, size);
}
)";

constexpr const char* kHelperSource = R"(#pragma once

// An element of a row-major matrix.
template <typename T>
__device__ T fetch(const T* matrix, int row, int column, int width) {
    // Through the read-only cache: nobody writes it meanwhile.
    return __ldg(matrix + row * width + column);
}
)";

LineCounts access(std::uint32_t line, std::uint64_t pc, const char* instruction, const char* space,
                  const char* op) {
    LineCounts counts;
    counts.file = kFile;
    counts.line = line;
    counts.pc = pc;
    counts.instruction = instruction;
    fromString(space, counts.space);
    fromString(op, counts.op);
    counts.widthBytes = 4;
    counts.executions = kTransposeWarps;
    counts.threads = kTransposeWarps * 32;
    return counts;
}

LineCounts global(LineCounts counts, std::uint64_t sectors) {
    counts.sectors = kTransposeWarps * sectors;
    counts.sectorsIdeal = kTransposeWarps * 4;
    counts.tags = kTransposeWarps * (sectors > 4 ? 2 : 1);
    return counts;
}

LineCounts shared(LineCounts counts, std::uint64_t wavefronts) {
    counts.wavefronts = kTransposeWarps * wavefronts;
    counts.wavefrontsIdeal = kTransposeWarps;
    return counts;
}

std::vector<LineCounts> transposeLines() {
    LineCounts load = global(access(7, 0x90, "LDG.E.CONSTANT", "global", "load"), 4);
    load.file = kHelper;
    load.inlinedAt = {{kFile, 18}};
    load.function = "fetch<float>(float const*, int, int, int)";
    LineCounts column = shared(access(20, 0x120, "LDS", "shared", "load"), 32);
    column.lanes = lanesAt([](unsigned lane) { return lane * 128; });
    return {load, shared(access(18, 0xa0, "STS", "shared", "store"), 1), column,
            global(access(20, 0x130, "STG.E", "global", "store"), 4),
            global(access(22, 0x150, "STG.E", "global", "store"), 5)};
}

KernelCode transposeCode() {
    KernelCode code;
    code.language = CodeLanguage::Sass;
    const auto add = [&](std::uint64_t pc, const char* file, std::uint32_t line, const char* text) {
        addCodeLine(code, pc, file, line, text);
    };
    add(0x00, kFile, 7, "LDC R1, c[0x0][0x28]");
    add(0x10, kFile, 10, "S2R R0, SR_TID.X");
    add(0x20, kFile, 10, "S2UR UR4, SR_CTAID.X");
    add(0x30, kFile, 11, "S2R R5, SR_TID.Y");
    add(0x40, kFile, 11, "S2UR UR5, SR_CTAID.Y");
    add(0x50, kFile, 10, "LEA R2, R0, UR4, 0x5");
    add(0x60, kFile, 17, "ISETP.GE.AND P0, PT, R7, c[0x0][0x228], PT");
    add(0x70, kHelper, 7, "IMAD R3, R7, c[0x0][0x228], R2");
    add(0x80, kHelper, 7, "IMAD.WIDE R8, R3, 0x4, R10");
    add(0x90, kHelper, 7, "LDG.E.CONSTANT R8, [R8.64]");
    add(0xa0, kFile, 18, "STS [R6], R8");
    add(0xb0, kFile, 19, "BAR.SYNC.DEFER_BLOCKING 0x0");
    add(0x100, kFile, 20, "IMAD R12, R13, c[0x0][0x228], R14");
    add(0x110, kFile, 20, "LEA R15, R0, R5, 0x5");
    add(0x120, kFile, 20, "LDS R16, [R15.X4]");
    add(0x130, kFile, 20, "STG.E [R12.64], R16");
    add(0x140, kFile, 21, "ISETP.NE.AND P1, PT, R13, RZ, PT");
    add(0x150, kFile, 22, "@!P1 STG.E [R18.64+0x4], R16");
    add(0x160, kFile, 23, "EXIT");
    return code;
}

Session started() {
    Session session;
    Process process;
    process.program = "./transpose";
    process.passes = 3;
    session.apply(ProcessStart{process});
    Device device;
    device.name = "NVIDIA H100 80GB HBM3";
    device.chip = "GH100";
    device.computeCapabilityMajor = 9;
    device.smCount = 132;
    device.smClockMaxHz = 1.98e9;
    device.memoryClockMaxHz = 2.619e9;
    device.memoryBusBits = 5120;
    session.apply(device);
    return session;
}

} // namespace

Session transposeSession() {
    Session session = started();
    Kernel kernel;
    kernel.name = "transpose(float*, float*, float const*, int)";
    kernel.registersPerThread = 26;
    kernel.staticSharedBytes = 4096;
    session.apply(kernel);
    session.apply(SourceFile{kFile, kSource});
    session.apply(SourceFile{kHelper, kHelperSource});
    session.apply(transposeCode());
    for (std::uint64_t id = 0; id < 2; ++id) {
        Launch launch;
        launch.id = id;
        launch.grid = {128, 128, 1};
        launch.block = {32, 8, 1};
        launch.durationNs = 85e3;
        launch.counted = true;
        session.apply(launch);
        session.apply(LaunchLines{id, transposeLines()});
    }
    return session;
}

Session hugeSource(std::uint32_t lines, std::uint32_t instructions) {
    Session session = started();
    Kernel kernel;
    kernel.name = "generated(float*)";
    session.apply(kernel);
    std::string text;
    for (std::uint32_t line = 1; line <= lines; ++line)
        text += "    y[" + std::to_string(line) + " * stride + threadIdx.x] += x[" + std::to_string(line) +
                "];\n";
    session.apply(SourceFile{"/src/generated.cu", text});
    KernelCode code;
    code.language = CodeLanguage::Sass;
    std::vector<LineCounts> counts;
    for (std::uint32_t i = 0; i < instructions; ++i) {
        const std::uint32_t line = 1 + static_cast<std::uint32_t>(std::uint64_t{i} * lines / instructions);
        addCodeLine(code, i * 16, "/src/generated.cu", line,
                    i % 3 == 0 ? "LDG.E R2, [R4.64]" : "FADD R2, R2, R3");
        if (i % 3 != 0) continue;
        LineCounts each = global(access(line, i * 16, "LDG.E", "global", "load"), 4 + i % 29);
        each.file = "/src/generated.cu";
        counts.push_back(each);
    }
    session.apply(code);
    Launch launch;
    launch.durationNs = 1e6;
    session.apply(launch);
    session.apply(LaunchLines{0, counts});
    return session;
}

} // namespace dormer::tests
