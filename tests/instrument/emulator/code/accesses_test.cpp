// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/memory/textures.h"
#include "tests/support/catch.h"
#include "tests/support/emulated_kernel.h"
#include "tests/support/kernel_file.h"

#include <fmt/format.h>

#include <array>
#include <numeric>

using namespace dormer;
using emulator::counts::MemoryOp;
using emulator::counts::MemorySpace;
using emulator::memory::Fault;
using tests::EmulatedKernel;

namespace {

EmulatedKernel accesses() {
    return EmulatedKernel(tests::kernelFile("accesses"));
}

const emulator::engine::CountedInstruction& only(const emulator::engine::LaunchOutcome& outcome,
                                                 MemorySpace space, MemoryOp op) {
    const emulator::engine::CountedInstruction* found = nullptr;
    for (const emulator::engine::CountedInstruction& each : outcome.instructions)
        if (each.isMemory && each.space == space && each.op == op) {
            REQUIRE(found == nullptr);
            found = &each;
        }
    REQUIRE(found != nullptr);
    return *found;
}

bool contains(const std::string& text, const std::string& part) {
    INFO(text << " should hold " << part);
    const bool found = text.find(part) != std::string::npos;
    CHECK(found);
    return found;
}

} // namespace

TEST_CASE("Sectors of a strided load grow with the stride up to one for each lane") {
    EmulatedKernel run = accesses();
    const float* in = run.upload(std::vector<float>(32 * 64, 1.0F));
    float* out = run.allocate<float>(32);
    for (const auto& [stride, sectors] :
         {std::pair{0, 1}, {1, 4}, {2, 8}, {3, 12}, {4, 16}, {8, 32}, {33, 32}}) {
        const auto outcome = run.launch("strided", {1, 1, 1}, {32, 1, 1}, in, out, stride);
        REQUIRE(outcome.has_value());
        const emulator::engine::CountedInstruction& load =
            only(*outcome, MemorySpace::Global, MemoryOp::Load);
        CHECK(load.counts.sectors == static_cast<unsigned>(sectors));
        CHECK(load.counts.executions == 1);
        CHECK(load.counts.threads == 32);
        CHECK(load.widthBytes == 4);
        CHECK(load.counts.sectorsIdeal == static_cast<unsigned>(std::min(sectors, 4)));
    }
}

TEST_CASE("A 16-byte access takes 16 sectors in 4 lines") {
    EmulatedKernel run = accesses();
    const float* in = run.upload(std::vector<float>(128, 2.0F));
    float* out = run.allocate<float>(128);
    const auto outcome = run.launch("wide", {1, 1, 1}, {32, 1, 1}, in, out);
    REQUIRE(outcome.has_value());
    CHECK(std::all_of(out, out + 128, [](float value) { return value == 2.0F; }));
    for (const MemoryOp op : {MemoryOp::Load, MemoryOp::Store}) {
        const emulator::engine::CountedInstruction& access = only(*outcome, MemorySpace::Global, op);
        CHECK(access.counts.sectors == 16);
        CHECK(access.counts.lines == 4);
        CHECK(access.widthBytes == 16);
    }
}

TEST_CASE("Columns of a 32-word tile meet in one bank, of a 33-word one in none") {
    EmulatedKernel run = accesses();
    run.dynamicSharedBytes = 33 * 32 * 4;
    float* out = run.allocate<float>(32);
    for (const auto& [pitch, ways] : {std::pair{32, 32}, {33, 1}}) {
        const auto outcome = run.launch("sharedColumns", {1, 1, 1}, {32, 1, 1}, out, pitch);
        REQUIRE(outcome.has_value());
        const emulator::counts::MemoryCounts& loads = outcome->counts.of(MemorySpace::Shared, MemoryOp::Load);
        CHECK(loads.requests == 32);
        CHECK(loads.wavefronts == 32U * static_cast<unsigned>(ways));
        CHECK(loads.wavefrontsIdeal == 32);
        CHECK(outcome->counts.of(MemorySpace::Shared, MemoryOp::Store).wavefronts == 32);
        CHECK(out[5] == 32 * 5.0F);
    }
}

TEST_CASE("Atomics whose result nobody reads are reductions, and say how lanes wait for each other") {
    EmulatedKernel run = accesses();
    for (const int bins : {1, 4, 32}) {
        int* counts = run.upload(std::vector<int>(32, 0));
        const auto outcome = run.launch("countBins", {2, 1, 1}, {64, 1, 1}, counts, bins);
        REQUIRE(outcome.has_value());
        for (int b = 0; b < bins; ++b)
            CHECK(counts[b] == 128 / bins);
        const emulator::engine::CountedInstruction& atomic =
            only(*outcome, MemorySpace::Global, MemoryOp::Reduce);
        CHECK(atomic.counts.executions == 4);
        CHECK(atomic.counts.serialized == 4U * (32U / static_cast<unsigned>(bins) - 1));
    }
}

TEST_CASE("A dynamically indexed array lives in local memory, coalesced where lanes use one index") {
    EmulatedKernel run = accesses();
    std::vector<int> in(32);
    std::iota(in.begin(), in.end(), 0);
    int* out = run.allocate<int>(32);
    const auto outcome = run.launch("localArray", {1, 1, 1}, {32, 1, 1}, run.upload(in), out);
    REQUIRE(outcome.has_value());
    for (int i = 0; i < 32; ++i)
        CHECK(out[i] == i + (i & 15));
    const emulator::counts::MemoryCounts& stores = outcome->counts.of(MemorySpace::Local, MemoryOp::Store);
    const emulator::counts::MemoryCounts& loads = outcome->counts.of(MemorySpace::Local, MemoryOp::Load);
    CHECK(stores.bytes == 32 * 16 * 4);
    CHECK(stores.sectors == stores.bytes / 32);
    CHECK(loads.requests == 1);
    CHECK(loads.sectors > 4); // lanes at 16 different words
}

TEST_CASE("Variables of constant and global memory hold what the program gave them") {
    EmulatedKernel run = accesses();
    int* out = run.allocate<int>(32);
    REQUIRE(run.launch("variables", {1, 1, 1}, {32, 1, 1}, out).has_value());
    for (int i = 0; i < 32; ++i)
        CHECK(out[i] == 10 * (i % 4 + 1) + 5);
}

TEST_CASE("Structures passed by value are read at computed places") {
    struct {
        char tag = 3;
        double value = 1000;
        int numbers[6] = {1, 2, 4, 8, 16, 32};
    } packed;
    EmulatedKernel run = accesses();
    int* out = run.allocate<int>(32);
    REQUIRE(run.launch("byValue", {1, 1, 1}, {32, 1, 1}, packed, out, 2).has_value());
    for (int i = 0; i < 32; ++i)
        CHECK(out[i] == 1003 + (1 << ((i + 2) % 6)));
}

TEST_CASE("An access outside every allocation stops the kernel and is told with all it needs") {
    EmulatedKernel run = accesses();
    int* out = run.allocate<int>(64);
    const auto outcome = run.launch("beyondEnd", {1, 1, 1}, {64, 1, 1}, out, 4);
    REQUIRE_FALSE(outcome.has_value());
    const Fault& fault = outcome.error();
    CHECK(fault.kind == Fault::Kind::IllegalAddress);
    CHECK(fault.thread == session::Dim3{60, 0, 0});
    CHECK(fault.address == reinterpret_cast<std::uint64_t>(out + 64));
    contains(emulator::memory::describe(fault), "store of 4 bytes at 0x");
    contains(emulator::memory::describe(fault), "is 0 bytes past the end of the 256-byte allocation at 0x");
    contains(emulator::memory::describe(fault), "at accesses.cu:41");
    contains(emulator::memory::describe(fault), "thread (60,0,0)");

    const auto null = run.launch("beyondEnd", {1, 1, 1}, {64, 1, 1}, std::uint64_t{0}, 0);
    REQUIRE_FALSE(null.has_value());
    contains(null.error().detail, "null pointer");

    // Memory of the emulator's own is not spoken of, and what is far away has nothing to do with allocations.
    const auto own = run.memory().allocate(64, emulator::memory::Allocation::Kind::Internal);
    REQUIRE(own.has_value());
    const auto beside = run.launch("beyondEnd", {1, 1, 1}, {64, 1, 1}, *own + 64, 0);
    REQUIRE_FALSE(beside.has_value());
    contains(beside.error().detail, "the 256-byte allocation");
    static int onHost[64];
    const auto host = run.launch("beyondEnd", {1, 1, 1}, {64, 1, 1}, static_cast<int*>(onHost), 0);
    REQUIRE_FALSE(host.has_value());
    contains(host.error().detail, "lies in no allocation nor near one");

    run.memory().release(reinterpret_cast<std::uint64_t>(out));
    const auto freed = run.launch("beyondEnd", {1, 1, 1}, {64, 1, 1}, out, 0);
    REQUIRE_FALSE(freed.has_value());
    CHECK(freed.error().kind == Fault::Kind::IllegalAddress);
}

TEST_CASE("A misaligned access and one beyond shared memory are told") {
    EmulatedKernel run = accesses();
    const char* in = run.allocate<char>(1024);
    int* out = run.upload(std::vector<int>(32, 2));
    const auto misaligned = run.launch("misaligned", {1, 1, 1}, {32, 1, 1}, in, out);
    REQUIRE_FALSE(misaligned.has_value());
    CHECK(misaligned.error().kind == Fault::Kind::MisalignedAddress);
    contains(misaligned.error().detail, "is not a multiple of 4");

    const auto shared = run.launch("beyondShared", {1, 1, 1}, {32, 1, 1}, out);
    REQUIRE_FALSE(shared.has_value());
    CHECK(shared.error().kind == Fault::Kind::IllegalAddress);
    contains(shared.error().detail, "outside the 128 bytes of shared memory");
    CHECK(shared.error().thread.x == 16);
}

TEST_CASE("Assertions and traps stop the kernel") {
    EmulatedKernel run = accesses();
    std::vector<int> in(32, 0);
    in[17] = 9;
    const auto asserted = run.launch("asserts", {1, 1, 1}, {32, 1, 1}, run.upload(in));
    REQUIRE_FALSE(asserted.has_value());
    CHECK(asserted.error().kind == Fault::Kind::Assert);
    CHECK(asserted.error().thread.x == 17);
    contains(asserted.error().detail, "in[threadIdx.x] < 5");
    const auto trapped = run.launch("traps", {1, 1, 1}, {32, 1, 1});
    REQUIRE_FALSE(trapped.has_value());
    CHECK(trapped.error().kind == Fault::Kind::Trap);
    CHECK(trapped.error().thread.x == 3);
}

TEST_CASE("A vector that another block writes meanwhile is never seen half written") {
    // Block 0 writes {i, i, …} again and again, block 1 reads; both spin until the other has begun.
    for (const auto& [vector, names] :
         {std::pair{"v2", std::array{"{%r1, %r1}", "{%r2, %r3}"}},
          std::pair{"v4", std::array{"{%r1, %r1, %r1, %r1}", "{%r2, %r4, %r4, %r3}"}}}) {
        const std::string code = EmulatedKernel::module(fmt::format(R"(
.visible .entry race(.param .u64 data, .param .u64 begun, .param .u64 torn)
{{
    .reg .pred %p<4>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [data];
    ld.param.u64 %rd2, [begun];
    ld.param.u64 %rd3, [torn];
    mov.u32 %r8, %tid.x;
    mul.wide.u32 %rd4, %r8, 16;
    add.u64 %rd1, %rd1, %rd4;
    mov.u32 %r5, %ctaid.x;
    mov.u32 %r1, 0;
    mov.u32 %r6, 0;
    red.relaxed.gpu.global.add.u32 [%rd2], 1;
$wait:
    ld.relaxed.gpu.global.u32 %r7, [%rd2];
    setp.lt.u32 %p1, %r7, 64;
    @%p1 bra $wait;
    setp.ne.u32 %p2, %r5, 0;
$again:
    @%p2 bra $read;
    st.relaxed.gpu.global.{0}.u32 [%rd1], {1};
    bra $next;
$read:
    ld.relaxed.gpu.global.{0}.u32 {2}, [%rd1];
    setp.eq.u32 %p3, %r2, %r3;
    @%p3 bra $next;
    add.u32 %r6, %r6, 1;
$next:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 100000;
    @%p1 bra $again;
    red.relaxed.gpu.global.add.u32 [%rd3], %r6;
    ret;
}})",
                                                                    vector, names[0], names[1]));
        EmulatedKernel run(code);
        const auto* data = run.upload(std::vector<std::uint32_t>(32 * 4));
        const auto* begun = run.upload(std::vector<std::uint32_t>(1));
        const std::uint32_t* torn = run.upload(std::vector<std::uint32_t>(1));
        REQUIRE(run.launch("race", {2, 1, 1}, {32, 1, 1}, data, begun, torn).has_value());
        CAPTURE(vector);
        CHECK(*torn == 0);
    }
}

TEST_CASE("Counting with 1 in shared memory takes one wavefront from compute capability 8.0 on") {
    struct Case {
        const char* instruction;
        const char* chip;
        unsigned wavefronts;
    };
    // 32 lanes on two words of two banks: 16 on each. What ptxas 13.0 makes ATOMS.POPC.INC of.
    const Case cases[] = {{"red.shared.add.u32 [%r2], 1", "H100", 1},
                          {"atom.shared.add.u32 %r3, [%r2], 1", "H100", 1}, // its result is not read
                          {"red.shared.inc.u32 [%r2], -1", "A100", 1},
                          {"red.shared.add.u32 [%r2], 2", "H100", 16},
                          {"red.shared.add.s32 [%r2], 1", "H100", 16},
                          {"red.shared.inc.u32 [%r2], 7", "H100", 16},
                          {"atom.shared.add.u32 %r1, [%r2], 1", "H100", 16},
                          {"red.shared.add.u32 [%r2], 1", "T4", 16}};
    for (const Case& each : cases) {
        EmulatedKernel run(fmt::format(R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry count(.param .u64 out)
{{
    .shared .align 8 .b8 words[8];
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    mov.u32 %r1, %tid.x;
    and.b32 %r1, %r1, 1;
    shl.b32 %r1, %r1, 2;
    mov.u32 %r2, words;
    add.u32 %r2, %r2, %r1;
    {};
    ld.param.u64 %rd1, [out];
    st.global.u32 [%rd1], %r1;
    ret;
}})",
                                       each.instruction),
                           2, each.chip);
        const auto outcome = run.launch("count", {1, 1, 1}, {32, 1, 1}, run.allocate<std::uint32_t>(1));
        REQUIRE(outcome.has_value());
        const bool used = std::string_view(each.instruction).find("%r1") != std::string_view::npos;
        const emulator::engine::CountedInstruction& atomic =
            only(*outcome, MemorySpace::Shared, used ? MemoryOp::Atomic : MemoryOp::Reduce);
        CAPTURE(each.instruction, each.chip);
        CHECK(atomic.counts.wavefronts == each.wavefronts);
        CHECK(atomic.counts.wavefrontsIdeal == 1);
    }
}

TEST_CASE("Memory freed while a kernel runs crashes nobody") {
    EmulatedKernel run = accesses();
    int* out = run.upload(std::vector<int>(4, -1));
    std::uint64_t used = 0;
    for (int turn = 0; turn < 2; ++turn) {
        // Whether the access after free() is noticed depends on what the instruction saw before; the process
        // survives.
        const auto outcome = run.launch("usesFreed", {1, 1, 1}, {1, 1, 1}, out, std::int32_t{4});
        CHECK(out[0] == 0);
        CHECK(out[1] == 1);
        if (!outcome) CHECK(outcome.error().kind == Fault::Kind::IllegalAddress);
        if (turn == 1) CHECK(run.memory().used() == used); // given back
        used = run.memory().used();
    }
}

TEST_CASE("A texture whose memory is gone is an illegal address") {
    EmulatedKernel run = accesses();
    float* out = run.allocate<float>(32);
    const float* texels = run.upload(std::vector<float>(32, 2.5F));
    emulator::memory::Texture texture;
    texture.address = reinterpret_cast<std::uint64_t>(texels);
    texture.width = 32;
    texture.plainMemory = true;
    const std::uint64_t handle = emulator::memory::TextureTable::instance().add(texture);
    REQUIRE(run.launch("readsTexture", {1, 1, 1}, {32, 1, 1}, handle, out).has_value());
    CHECK(out[31] == 2.5F);
    run.memory().release(texture.address);
    const auto gone = run.launch("readsTexture", {1, 1, 1}, {32, 1, 1}, handle, out);
    REQUIRE_FALSE(gone.has_value());
    CHECK(gone.error().kind == Fault::Kind::IllegalAddress);
    contains(gone.error().detail, "texture read");
    CHECK(emulator::memory::TextureTable::instance().remove(handle));
}

TEST_CASE("Accesses outside of allocations are left out on request, and the kernel goes on") {
    EmulatedKernel run(tests::kernelFile("accesses"));
    run.dropFaults = true;
    int* out = run.upload(std::vector<int>(40, 0));
    const auto outcome = run.launch("beyondEnd", {1, 1, 1}, {64, 1, 1}, out, 0);
    REQUIRE(outcome.has_value());
    CHECK(std::all_of(out, out + 40, [](int value) { return value == 1; }));
    REQUIRE(outcome->dropped.size() == 1);
    CHECK(outcome->dropped[0].lanes == 24);
    CHECK(outcome->dropped[0].fault.kind == Fault::Kind::IllegalAddress);
    CHECK(outcome->dropped[0].fault.place == "accesses.cu:41");
    CHECK(outcome->dropped[0].fault.thread.x == 40);
    // Nothing to leave out, nothing to say.
    const auto inside = run.launch("beyondEnd", {1, 1, 1}, {32, 1, 1}, out, 0);
    REQUIRE(inside.has_value());
    CHECK(inside->dropped.empty());
    // A deadlock or a trap still ends it.
    CHECK_FALSE(run.launch("traps", {1, 1, 1}, {32, 1, 1}).has_value());
}
