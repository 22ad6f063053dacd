// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// One launch of one warp per access pattern, for Dormer's collector with --lines to count: what the hardware
// makes of lane addresses. Prints the patterns as CSV: name, mask, and the byte offset of each lane. A
// launch's workload is its pattern's name, so that records and rows can be joined (docs/access-counts.md).

#include "instrument/dormer.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr int kLanes = 32;
constexpr std::uint32_t kSharedBytes = 40 << 10;
constexpr std::uint32_t kGlobalBytes = 1 << 20;

struct Pattern {
    std::uint32_t offset[kLanes]; ///< bytes
    std::uint32_t mask;
};

constexpr std::uint64_t kNever = 0x123456789abcdef0;

enum class Space { Shared, Global };
enum class Op { Load, Store, Atomic, Reduction };

/// Exactly one memory instruction of the wanted kind, and a result that hangs on it.
template <Space S, Op O, int Bytes>
__device__ std::uint64_t access(std::uint64_t address) {
    const auto shared = static_cast<std::uint32_t>(address);
    std::uint32_t a = 1, b = 2, c = 3, d = 4;
    std::uint16_t h = 5;
    std::uint64_t wide = 6;
    if constexpr (S == Space::Shared && O == Op::Load) {
        if constexpr (Bytes == 1) asm volatile("ld.shared.u8 %0, [%1];" : "=h"(h) : "r"(shared));
        if constexpr (Bytes == 2) asm volatile("ld.shared.u16 %0, [%1];" : "=h"(h) : "r"(shared));
        if constexpr (Bytes == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(shared));
        if constexpr (Bytes == 8) asm volatile("ld.shared.u64 %0, [%1];" : "=l"(wide) : "r"(shared));
        if constexpr (Bytes == 16)
            asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                         : "r"(shared));
    } else if constexpr (S == Space::Shared && O == Op::Store) {
        if constexpr (Bytes == 1) asm volatile("st.shared.u8 [%1], %0;" ::"h"(h), "r"(shared));
        if constexpr (Bytes == 2) asm volatile("st.shared.u16 [%1], %0;" ::"h"(h), "r"(shared));
        if constexpr (Bytes == 4) asm volatile("st.shared.u32 [%1], %0;" ::"r"(a), "r"(shared));
        if constexpr (Bytes == 8) asm volatile("st.shared.u64 [%1], %0;" ::"l"(wide), "r"(shared));
        if constexpr (Bytes == 16)
            asm volatile("st.shared.v4.u32 [%4], {%0,%1,%2,%3};" ::"r"(a), "r"(b), "r"(c), "r"(d),
                         "r"(shared));
    } else if constexpr (S == Space::Shared && O == Op::Atomic) {
        if constexpr (Bytes == 4)
            asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(a) : "r"(shared), "r"(d));
        if constexpr (Bytes == 8)
            asm volatile("atom.shared.exch.b64 %0, [%1], %2;" : "=l"(wide) : "r"(shared), "l"(wide));
    } else if constexpr (O == Op::Load) {
        if constexpr (Bytes == 1) asm volatile("ld.global.u8 %0, [%1];" : "=h"(h) : "l"(address));
        if constexpr (Bytes == 2) asm volatile("ld.global.u16 %0, [%1];" : "=h"(h) : "l"(address));
        if constexpr (Bytes == 4) asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(address));
        if constexpr (Bytes == 8) asm volatile("ld.global.u64 %0, [%1];" : "=l"(wide) : "l"(address));
        if constexpr (Bytes == 16)
            asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];"
                         : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                         : "l"(address));
    } else if constexpr (O == Op::Store) {
        if constexpr (Bytes == 1) asm volatile("st.global.u8 [%1], %0;" ::"h"(h), "l"(address));
        if constexpr (Bytes == 2) asm volatile("st.global.u16 [%1], %0;" ::"h"(h), "l"(address));
        if constexpr (Bytes == 4) asm volatile("st.global.u32 [%1], %0;" ::"r"(a), "l"(address));
        if constexpr (Bytes == 8) asm volatile("st.global.u64 [%1], %0;" ::"l"(wide), "l"(address));
        if constexpr (Bytes == 16)
            asm volatile("st.global.v4.u32 [%4], {%0,%1,%2,%3};" ::"r"(a), "r"(b), "r"(c), "r"(d),
                         "l"(address));
    } else if constexpr (O == Op::Atomic) {
        if constexpr (Bytes == 4)
            asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(a) : "l"(address), "r"(d));
        if constexpr (Bytes == 8)
            asm volatile("atom.global.add.u64 %0, [%1], %2;" : "=l"(wide) : "l"(address), "l"(wide));
    } else {
        if constexpr (Bytes == 4) asm volatile("red.global.add.u32 [%0], %1;" ::"l"(address), "r"(d));
        if constexpr (Bytes == 8) asm volatile("red.global.add.u64 [%0], %1;" ::"l"(address), "l"(wide));
    }
    return wide + a + b + c + d + h;
}

template <Space S, Op O, int Bytes>
__global__ void warpAccess(const __grid_constant__ Pattern pattern, char* global, std::uint64_t* sink,
                           std::uint64_t never) {
    __shared__ alignas(128) char words[S == Space::Shared ? kSharedBytes : 1];
    const std::uint32_t offset = pattern.offset[threadIdx.x];
    const std::uint64_t base = S == Space::Shared
                                   ? static_cast<std::uint64_t>(__cvta_generic_to_shared(words))
                                   : reinterpret_cast<std::uint64_t>(global);
    std::uint64_t result = 0;
    if (pattern.mask >> threadIdx.x & 1) result = access<S, O, Bytes>(base + offset);
    // A load nobody reads would be dropped, an atomic become a reduction; no result is this value.
    if (result == never) *sink = result;
}

struct Named {
    std::string name;
    Pattern pattern;
};

class Patterns {
public:
    Patterns(std::uint32_t width, std::uint32_t bytes) : m_width(width), m_elements(bytes / width) {}

    /// `element` of each lane, in units of the width.
    template <typename Element>
    void add(const std::string& name, Element element, std::uint32_t mask = 0xffffffff) {
        Named named{name, {{}, mask}};
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            named.pattern.offset[lane] = static_cast<std::uint32_t>(element(lane)) % m_elements * m_width;
        all.push_back(named);
    }
    void random(const std::string& name, std::uint32_t range, int count, std::uint32_t mask = 0xffffffff) {
        for (int i = 0; i < count; ++i)
            add(
                name + "_" + std::to_string(i), [&](std::uint32_t) { return m_random() % range; }, mask);
    }
    void permutations(int count) {
        std::vector<std::uint32_t> order(kLanes);
        std::iota(order.begin(), order.end(), 0);
        for (int i = 0; i < count; ++i) {
            for (std::size_t at = kLanes - 1; at > 0; --at)
                std::swap(order[at], order[m_random() % (at + 1)]);
            add("permutation_" + std::to_string(i), [&](std::uint32_t lane) { return order[lane]; });
        }
    }
    /// Lanes that take part: halves, quarters, every other, single ones, random ones.
    void masked(const std::string& name, std::uint32_t stride, std::uint32_t randomRange) {
        const std::pair<const char*, std::uint32_t> masks[] = {{"lower_half", 0x0000ffff},
                                                               {"upper_half", 0xffff0000},
                                                               {"even", 0x55555555},
                                                               {"odd", 0xaaaaaaaa},
                                                               {"lane_0", 1},
                                                               {"lane_31", 0x80000000},
                                                               {"first_8", 0xff},
                                                               {"second_8", 0xff00},
                                                               {"quarters_0_2", 0x00ff00ff},
                                                               {"quarters_1_3", 0xff00ff00},
                                                               {"random_a", m_random()},
                                                               {"random_b", m_random()},
                                                               {"random_c", m_random() & m_random()}};
        for (const auto& [mask, bits] : masks) {
            if (randomRange > 0)
                random(name + "_" + mask, randomRange, 1, bits);
            else
                add(
                    name + "_" + mask, [&](std::uint32_t lane) { return lane * stride; }, bits);
        }
    }

    std::vector<Named> all;

private:
    std::uint32_t m_width, m_elements;
    std::mt19937 m_random{20260101};
};

std::vector<Named> sharedPatterns(std::uint32_t width) {
    Patterns p(width, kSharedBytes);
    for (std::uint32_t stride = 1; stride <= 33; ++stride)
        p.add("stride_" + std::to_string(stride), [=](std::uint32_t lane) { return lane * stride; });
    for (const std::uint32_t stride : {36u, 40u, 48u, 64u})
        p.add("stride_" + std::to_string(stride), [=](std::uint32_t lane) { return lane * stride; });
    p.add("broadcast", [](std::uint32_t) { return 7; });
    for (const std::uint32_t group : {2u, 4u, 8u, 16u}) {
        p.add("same_of_" + std::to_string(group), [=](std::uint32_t lane) { return lane / group; });
        p.add("cycle_of_" + std::to_string(group), [=](std::uint32_t lane) { return lane % group; });
        p.add("far_cycle_of_" + std::to_string(group), [=](std::uint32_t lane) { return lane % group * 32; });
        p.add("rows_of_" + std::to_string(group),
              [=](std::uint32_t lane) { return lane % group + lane / group * 32; });
        p.add("rows_shifted_of_" + std::to_string(group),
              [=](std::uint32_t lane) { return lane % group + lane / group * 36; });
        p.add("xor_" + std::to_string(group), [=](std::uint32_t lane) { return lane ^ group; });
        p.add("column_swizzled_" + std::to_string(group),
              [=](std::uint32_t lane) { return lane * 32 + (lane ^ group); });
    }
    p.add("reversed", [](std::uint32_t lane) { return 31 - lane; });
    p.add("offset_1", [](std::uint32_t lane) { return lane + 1; });
    p.add("offset_17", [](std::uint32_t lane) { return lane + 17; });
    p.permutations(10);
    for (const std::uint32_t range : {16u, 32u, 64u, 256u, 1024u})
        p.random("random_" + std::to_string(range), range, 8);
    p.masked("stride_1", 1, 0);
    p.masked("stride_2", 2, 0);
    p.masked("stride_8", 8, 0);
    p.masked("stride_32", 32, 0);
    p.masked("random_64", 0, 64);
    p.masked("random_1024", 0, 1024);
    return p.all;
}

std::vector<Named> globalPatterns(std::uint32_t width) {
    Patterns p(width, kGlobalBytes);
    for (const std::uint32_t stride : {1u, 2u, 3u, 4u, 5u, 8u, 16u, 31u, 32u, 33u, 64u, 1024u})
        p.add("stride_" + std::to_string(stride), [=](std::uint32_t lane) { return lane * stride; });
    for (const std::uint32_t offset : {1u, 2u, 3u, 4u, 5u, 8u, 16u, 31u})
        p.add("offset_" + std::to_string(offset), [=](std::uint32_t lane) { return lane + offset; });
    p.add("broadcast", [](std::uint32_t) { return 7; });
    for (const std::uint32_t group : {2u, 4u, 8u, 16u}) {
        p.add("same_of_" + std::to_string(group), [=](std::uint32_t lane) { return lane / group; });
        p.add("cycle_of_" + std::to_string(group), [=](std::uint32_t lane) { return lane % group; });
        p.add("far_cycle_of_" + std::to_string(group), [=](std::uint32_t lane) { return lane % group * 32; });
        p.add("rows_of_" + std::to_string(group),
              [=](std::uint32_t lane) { return lane % group + lane / group * 256; });
    }
    p.add("reversed", [](std::uint32_t lane) { return 31 - lane; });
    p.permutations(3);
    for (const std::uint32_t range : {8u, 32u, 128u, 1024u, 16384u})
        p.random("random_" + std::to_string(range), range, 4);
    p.masked("stride_1", 1, 0);
    p.masked("stride_2", 2, 0);
    p.masked("random_64", 0, 64);
    p.masked("random_1024", 0, 1024);
    return p.all;
}

void require(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "access_calibration: %s\n", cudaGetErrorString(status));
    std::exit(4);
}

template <Space S, Op O, int Bytes>
void calibrate(const char* kind, char* global, std::uint64_t* sink) {
    const std::vector<Named> patterns = S == Space::Shared ? sharedPatterns(Bytes) : globalPatterns(Bytes);
    dormer::instrument::Session session;
    while (session.nextPass()) {
        for (const Named& named : patterns) {
            const std::string name = std::string(kind) + "/" + std::to_string(Bytes) + "/" + named.name;
            if (session.firstPass()) {
                std::printf("%s,%08x", name.c_str(), named.pattern.mask);
                for (const std::uint32_t offset : named.pattern.offset)
                    std::printf(",%u", offset);
                std::printf("\n");
            }
            const dormer::instrument::Range range{name.c_str()};
            warpAccess<S, O, Bytes><<<1, kLanes>>>(named.pattern, global, sink, kNever);
        }
        require(cudaDeviceSynchronize());
    }
}

} // namespace

int main() {
    char* global = nullptr;
    std::uint64_t* sink = nullptr;
    require(cudaMalloc(&global, kGlobalBytes));
    require(cudaMalloc(&sink, sizeof *sink));
    require(cudaMemset(global, 0, kGlobalBytes));
    std::printf("pattern,mask");
    for (int lane = 0; lane < kLanes; ++lane)
        std::printf(",lane_%d", lane);
    std::printf("\n");
    const auto widths = [&]<int... Bytes>(std::integer_sequence<int, Bytes...>) {
        (calibrate<Space::Shared, Op::Load, Bytes>("shared_load", global, sink), ...);
        (calibrate<Space::Shared, Op::Store, Bytes>("shared_store", global, sink), ...);
        (calibrate<Space::Global, Op::Load, Bytes>("global_load", global, sink), ...);
        (calibrate<Space::Global, Op::Store, Bytes>("global_store", global, sink), ...);
    };
    widths(std::integer_sequence<int, 1, 2, 4, 8, 16>{});
    const auto atomics = [&]<int... Bytes>(std::integer_sequence<int, Bytes...>) {
        (calibrate<Space::Shared, Op::Atomic, Bytes>("shared_atomic", global, sink), ...);
        (calibrate<Space::Global, Op::Atomic, Bytes>("global_atomic", global, sink), ...);
        (calibrate<Space::Global, Op::Reduction, Bytes>("global_reduction", global, sink), ...);
    };
    atomics(std::integer_sequence<int, 4, 8>{});
}
