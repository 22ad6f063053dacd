// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/instrument/emulator/lanes/operation_rig.h"

#include <algorithm>

using namespace dormer::emulator::test;

namespace {

bool bit(u64 v, u64 position) {
    return position < 64 && (v >> position & 1) != 0;
}

template <typename U, typename S>
void checkCounting(const std::string& bits) {
    constexpr int kBits = sizeof(U) * 8;
    check<u32, U>("popc.b" + bits, [](U a) {
        u32 count = 0;
        for (int i = 0; i < kBits; ++i)
            count += bit(a, u64(i));
        return count;
    });
    check<u32, U>("clz.b" + bits, [](U a) {
        u32 count = 0;
        while (count < kBits && !bit(a, u64(kBits) - 1 - count))
            ++count;
        return count;
    });
    check<U, U>("brev.b" + bits, [](U a) {
        U result = 0;
        for (int i = 0; i < kBits; ++i)
            result |= U(bit(a, u64(i))) << (kBits - 1 - i);
        return result;
    });
    const auto highest = [](U a, bool isSigned, bool amount) {
        const bool sign = isSigned && bit(a, kBits - 1);
        for (int i = kBits - 1; i >= 0; --i)
            if (bit(a, u64(i)) != sign) return u32(amount ? kBits - 1 - i : i);
        return 0xFFFFFFFFu;
    };
    check<u32, U>("bfind.u" + bits, [=](U a) { return highest(a, false, false); });
    check<u32, U>("bfind.s" + bits, [=](U a) { return highest(a, true, false); });
    check<u32, U>("bfind.shiftamt.u" + bits, [=](U a) { return highest(a, false, true); });
    check<u32, U>("bfind.shiftamt.s" + bits, [=](U a) { return highest(a, true, true); });

    // The pseudo-code of the PTX ISA, bit by bit.
    const auto extract = [](U a, u32 b, u32 c, bool isSigned) {
        const u32 position = b & 0xFF, length = c & 0xFF, top = kBits - 1;
        const bool sign = isSigned && length != 0 && bit(a, std::min(position + length - 1, top));
        U result = 0;
        for (u32 i = 0; i < kBits; ++i)
            result |= U(i < length && position + i <= top ? bit(a, position + i) : sign) << i;
        return result;
    };
    check<U, U, u32, u32>("bfe.u" + bits, [=](U a, u32 b, u32 c) { return extract(a, b, c, false); });
    check<U, U, u32, u32>("bfe.s" + bits, [=](U a, u32 b, u32 c) { return extract(a, b, c, true); });
    check<U, U, U, u32, u32>("bfi.b" + bits, [](U a, U b, u32 c, u32 d) {
        const u32 position = c & 0xFF, length = d & 0xFF;
        U result = b;
        for (u32 i = 0; i < length && position + i < kBits; ++i) {
            result &= U(~(U(1) << (position + i)));
            result |= U(bit(a, i)) << (position + i);
        }
        return result;
    });
}

} // namespace

TEST_CASE("Counting, finding and moving bits") {
    checkCounting<u32, s32>("32");
    checkCounting<u64, s64>("64");
}

TEST_CASE("bmsk and szext") {
    const auto mask = [](u32 a, u32 b, bool clamp) {
        const u64 start = clamp ? a : a & 31, length = clamp ? b : b & 31;
        u32 result = 0;
        for (u64 i = 0; i < 32; ++i)
            if (i >= start && i < start + length) result |= 1u << i;
        return result;
    };
    check<u32, u32, u32>("bmsk.clamp.b32", [=](u32 a, u32 b) { return mask(a, b, true); });
    check<u32, u32, u32>("bmsk.wrap.b32", [=](u32 a, u32 b) { return mask(a, b, false); });
    const auto extend = [](u32 a, u32 b, bool isSigned, bool clamp) {
        if (clamp && b >= 32) return a;
        const u32 n = b & 31;
        const s64 unsignedValue = s64(a & ((1ull << n) - 1));
        return u32(isSigned && n != 0 && bit(a, n - 1) ? unsignedValue - (1ll << n) : unsignedValue);
    };
    check<u32, u32, u32>("szext.clamp.s32", [=](u32 a, u32 b) { return extend(a, b, true, true); });
    check<u32, u32, u32>("szext.wrap.s32", [=](u32 a, u32 b) { return extend(a, b, true, false); });
    check<u32, u32, u32>("szext.clamp.u32", [=](u32 a, u32 b) { return extend(a, b, false, true); });
    check<u32, u32, u32>("szext.wrap.u32", [=](u32 a, u32 b) { return extend(a, b, false, false); });
}

TEST_CASE("fns finds the n-th set bit") {
    // The examples of the PTX ISA first.
    checkCases<u32, u32, u32, s32>("fns.b32",
                                   [](u32 mask, u32 base, s32 offset) {
                                       if (mask == 0xAAAAAAAA && base == 2 && offset == -1) return 1u;
                                       if (mask == 0xAAAAAAAA && offset != 2) return 3u;
                                       if (mask == 0xAAAAAAAA) return 5u;
                                       return 0xFFFFFFFFu;
                                   },
                                   {{0xAAAAAAAA, 3, 1},
                                    {0xAAAAAAAA, 3, -1},
                                    {0xAAAAAAAA, 2, 1},
                                    {0xAAAAAAAA, 2, -1},
                                    {0xAAAAAAAA, 3, 0},
                                    {0xAAAAAAAA, 3, 2},
                                    {0, 0, 1},
                                    {1, 1, 0},
                                    {1, 0, 2},
                                    {2, 0, -1},
                                    {~0u, 40, 1}});
}

TEST_CASE("prmt in all modes") {
    const auto byte = [](u32 a, u32 b, u32 i) { return u32((u64(b) << 32 | a) >> 8 * i) & 0xFF; };
    check<u32, u32, u32, u32>("prmt.b32", [=](u32 a, u32 b, u32 c) {
        u32 result = 0;
        for (unsigned i = 0; i < 4; ++i) {
            const u32 selector = c >> 4 * i & 15, value = byte(a, b, selector & 7);
            result |= (selector < 8 ? value : value >= 0x80 ? 0xFF : 0) << 8 * i;
        }
        return result;
    });
    // Formulas instead of the ISA's table.
    const auto mode = [=](auto select) {
        return [=](u32 a, u32 b, u32 c) {
            u32 result = 0;
            for (unsigned i = 0; i < 4; ++i)
                result |= byte(a, b, select(c & 3, i)) << 8 * i;
            return result;
        };
    };
    check<u32, u32, u32, u32>("prmt.b32.f4e", mode([](u32 c, u32 i) { return c + i; }));
    check<u32, u32, u32, u32>("prmt.b32.b4e", mode([](u32 c, u32 i) { return (c + 8 - i) & 7; }));
    check<u32, u32, u32, u32>("prmt.b32.rc8", mode([](u32 c, u32) { return c; }));
    check<u32, u32, u32, u32>("prmt.b32.ecl", mode([](u32 c, u32 i) { return std::max(c, i); }));
    check<u32, u32, u32, u32>("prmt.b32.ecr", mode([](u32 c, u32 i) { return std::min(c, i); }));
    check<u32, u32, u32, u32>("prmt.b32.rc16", mode([](u32 c, u32 i) { return (c & 1) * 2 + (i & 1); }));
}

TEST_CASE("vabsdiff of bytes and halfwords") {
    const auto differences = [](unsigned bytes, bool sum) {
        return [=](u32 a, u32 b, u32 c) {
            u64 result = sum ? c : 0;
            for (unsigned i = 0; i < 4; i += bytes) {
                const u64 mask = (1ull << 8 * bytes) - 1;
                const s64 x = s64(a >> 8 * i & mask), y = s64(b >> 8 * i & mask);
                const u64 difference = u64(std::max(x - y, y - x));
                result += sum ? difference : difference << 8 * i;
            }
            return u32(result);
        };
    };
    check<u32, u32, u32, u32>("vabsdiff4.u32.u32.u32", differences(1, false));
    check<u32, u32, u32, u32>("vabsdiff4.u32.u32.u32.add", differences(1, true));
    check<u32, u32, u32, u32>("vabsdiff2.u32.u32.u32", differences(2, false));
    check<u32, u32, u32, u32>("vabsdiff2.u32.u32.u32.add", differences(2, true));
}
