// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/suite/known_answers.h"

using namespace dormer;
using namespace dormer::tests;

namespace {
constexpr std::size_t kSize = std::size_t{1} << 20;
/// Of 4-byte elements that lie side by side.
double sectorsOf(std::size_t elements) {
    return static_cast<double>(elements) * 4 / 32;
}
} // namespace

TEST_CASE("device_wide: the algorithms") {
    CHECK(variantsOf("device_wide") ==
          std::vector<std::string>{"reduce", "scan", "radix_sort_ascending", "radix_sort_descending",
                                   "thrust_sort", "select_if", "unique", "partition_if", "run_length_encode",
                                   "reduce_by_key", "arg_min", "arg_max", "histogram_even", "histogram_range",
                                   "transform"});
}

TEST_CASE("device_wide: no algorithm moves less than its input and output") {
    struct Traffic {
        std::string variant;
        std::size_t loaded, stored; ///< elements; 0 stored: too few to tell
    };
    const std::size_t runs = 2 * (kSize / 8); // two in each eight elements
    const Traffic traffic = GENERATE_COPY(values<Traffic>({
        {"radix_sort_ascending", kSize, kSize},
        {"radix_sort_descending", kSize, kSize},
        {"thrust_sort", kSize, kSize},
        {"select_if", kSize, kSize / 2},
        {"unique", kSize, runs},
        {"partition_if", kSize, kSize},
        {"run_length_encode", kSize, runs + runs},
        {"reduce_by_key", kSize + kSize, runs + runs},
        {"arg_min", kSize, 0},
        {"arg_max", kSize, 0},
        {"histogram_even", kSize, 0},
        {"histogram_range", kSize, 0},
    }));
    CAPTURE(traffic.variant);
    CHECK(valueOf("device_wide/" + traffic.variant, kSize, "global_load_sectors") ==
          sectorsOf(traffic.loaded));
    if (traffic.stored == 0) return;
    CHECK(valueOf("device_wide/" + traffic.variant, kSize, "global_store_sectors") ==
          sectorsOf(traffic.stored));
}

TEST_CASE("device_wide: a transform works and stores once per element") {
    CHECK(valueOf("device_wide/transform", kSize, "flops_fp32") == 2.0 * kSize);
    CHECK(valueOf("device_wide/transform", kSize, "global_store_sectors") == sectorsOf(kSize));
    CHECK(valueOf("device_wide/transform", kSize, "dram_bytes") == 8.0 * kSize);
}

TEST_CASE("device_wide: Thrust sorts in place, what was copied before") {
    CHECK(valueOf("device_wide/thrust_sort", kSize, "transfer_bytes") == 4.0 * kSize);
}
