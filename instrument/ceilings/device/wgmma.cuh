// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Matrix products of a warpgroup (wgmma, PTX ISA 9.7.15): 64 x 256 results, 32 bytes of each row and column.
namespace dormer::instrument::ceilings {

#define WGMMA_REGISTERS                                                                                      \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                                 \
    "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "                       \
    "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "                       \
    "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "                       \
    "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "                       \
    "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "                       \
    "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "           \
    "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"

#define WGMMA_OPERANDS(LETTER)                                                                               \
    LETTER(d[0]), LETTER(d[1]), LETTER(d[2]), LETTER(d[3]), LETTER(d[4]), LETTER(d[5]), LETTER(d[6]),        \
        LETTER(d[7]), LETTER(d[8]), LETTER(d[9]), LETTER(d[10]), LETTER(d[11]), LETTER(d[12]),               \
        LETTER(d[13]), LETTER(d[14]), LETTER(d[15]), LETTER(d[16]), LETTER(d[17]), LETTER(d[18]),            \
        LETTER(d[19]), LETTER(d[20]), LETTER(d[21]), LETTER(d[22]), LETTER(d[23]), LETTER(d[24]),            \
        LETTER(d[25]), LETTER(d[26]), LETTER(d[27]), LETTER(d[28]), LETTER(d[29]), LETTER(d[30]),            \
        LETTER(d[31]), LETTER(d[32]), LETTER(d[33]), LETTER(d[34]), LETTER(d[35]), LETTER(d[36]),            \
        LETTER(d[37]), LETTER(d[38]), LETTER(d[39]), LETTER(d[40]), LETTER(d[41]), LETTER(d[42]),            \
        LETTER(d[43]), LETTER(d[44]), LETTER(d[45]), LETTER(d[46]), LETTER(d[47]), LETTER(d[48]),            \
        LETTER(d[49]), LETTER(d[50]), LETTER(d[51]), LETTER(d[52]), LETTER(d[53]), LETTER(d[54]),            \
        LETTER(d[55]), LETTER(d[56]), LETTER(d[57]), LETTER(d[58]), LETTER(d[59]), LETTER(d[60]),            \
        LETTER(d[61]), LETTER(d[62]), LETTER(d[63]), LETTER(d[64]), LETTER(d[65]), LETTER(d[66]),            \
        LETTER(d[67]), LETTER(d[68]), LETTER(d[69]), LETTER(d[70]), LETTER(d[71]), LETTER(d[72]),            \
        LETTER(d[73]), LETTER(d[74]), LETTER(d[75]), LETTER(d[76]), LETTER(d[77]), LETTER(d[78]),            \
        LETTER(d[79]), LETTER(d[80]), LETTER(d[81]), LETTER(d[82]), LETTER(d[83]), LETTER(d[84]),            \
        LETTER(d[85]), LETTER(d[86]), LETTER(d[87]), LETTER(d[88]), LETTER(d[89]), LETTER(d[90]),            \
        LETTER(d[91]), LETTER(d[92]), LETTER(d[93]), LETTER(d[94]), LETTER(d[95]), LETTER(d[96]),            \
        LETTER(d[97]), LETTER(d[98]), LETTER(d[99]), LETTER(d[100]), LETTER(d[101]), LETTER(d[102]),         \
        LETTER(d[103]), LETTER(d[104]), LETTER(d[105]), LETTER(d[106]), LETTER(d[107]), LETTER(d[108]),      \
        LETTER(d[109]), LETTER(d[110]), LETTER(d[111]), LETTER(d[112]), LETTER(d[113]), LETTER(d[114]),      \
        LETTER(d[115]), LETTER(d[116]), LETTER(d[117]), LETTER(d[118]), LETTER(d[119]), LETTER(d[120]),      \
        LETTER(d[121]), LETTER(d[122]), LETTER(d[123]), LETTER(d[124]), LETTER(d[125]), LETTER(d[126]),      \
        LETTER(d[127])

#define WGMMA_FLOAT(VALUE) "+f"(VALUE)
#define WGMMA_INTEGER(VALUE) "+r"(VALUE)

// d += sign * a b, a and b by their descriptors. TAIL: whether rows or columns are contiguous, for 16-bit
// types.
#define WGMMA(NAME, TYPES, VALUE, LETTER, TAIL)                                                              \
    template <int Sign>                                                                                      \
    __device__ inline void NAME(VALUE(&d)[128], std::uint64_t a, std::uint64_t b) {                          \
        asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n"                                           \
                     "wgmma.mma_async.sync.aligned." TYPES " {" WGMMA_REGISTERS "}, %128, %129, p" TAIL      \
                     ";\n}"                                                                                  \
                     : WGMMA_OPERANDS(LETTER)                                                                \
                     : "l"(a), "l"(b), "r"(1), "n"(Sign));                                                   \
    }

WGMMA(multiplyFp16, "m64n256k16.f32.f16.f16", float, WGMMA_FLOAT, ", %131, 1, 0, 0")
WGMMA(multiplyBf16, "m64n256k16.f32.bf16.bf16", float, WGMMA_FLOAT, ", %131, 1, 0, 0")
WGMMA(multiplyTf32, "m64n256k8.f32.tf32.tf32", float, WGMMA_FLOAT, ", %131, 1")
WGMMA(multiplyFp8, "m64n256k32.f32.e4m3.e4m3", float, WGMMA_FLOAT, ", %131, 1")
WGMMA(multiplyInt8, "m64n256k32.s32.s8.s8", int, WGMMA_INTEGER, "")

#undef WGMMA
#undef WGMMA_OPERANDS
#undef WGMMA_REGISTERS
#undef WGMMA_FLOAT
#undef WGMMA_INTEGER

__device__ inline void warpgroupArrive() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ inline void warpgroupCommit() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ inline void warpgroupWait() {
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

} // namespace dormer::instrument::ceilings
