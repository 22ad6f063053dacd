// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/device_wide/groups.h"
#include "kernels/device_wide/values.cuh"
#include "kernels/harness/answers.h"
#include "kernels/harness/comparison.cuh"
#include "kernels/harness/table.h"

#include <cub/device/device_scan.cuh>

namespace dormer::kernels {

namespace {

struct IsPrefixSum {
    const int *in, *out;
    __device__ bool operator()(std::size_t i) const { return out[i] == (i == 0 ? 0 : out[i - 1]) + in[i]; }
};

struct Scan {
    explicit Scan(const Setup& setup) : in(setup.size), out(setup.size) {
        fill(in, CoinFlip{setup.seed});
        std::size_t bytes = 0; // CUB first says how much it needs
        CUDA_CHECK(cub::DeviceScan::InclusiveSum(nullptr, bytes, in.data(), out.data(), count()));
        temporary = DeviceBuffer<char>(bytes);
    }
    [[nodiscard]] int count() const { return static_cast<int>(in.size()); }

    DeviceBuffer<int> in, out;
    DeviceBuffer<char> temporary;
};

void launch(Scan& s) {
    std::size_t bytes = s.temporary.bytes();
    CUDA_CHECK(
        cub::DeviceScan::InclusiveSum(s.temporary.data(), bytes, s.in.data(), s.out.data(), s.count()));
}

CheckResult check(Scan& s) {
    return checkEach(s.in.size(), IsPrefixSum{s.in.data(), s.out.data()}, "out[i] == out[i-1] + in[i]");
}

std::vector<Expectation> answers(std::size_t size) {
    const double sectors = static_cast<double>(size) / 8;
    // The look-back also reads and writes the state of each tile: hence no equality.
    return {ofKernel("DeviceScanKernel",
                     atLeast("global_load_sectors", sectors, "each element is loaded once, 8 to a sector")),
            ofKernel("DeviceScanKernel",
                     atLeast("global_store_sectors", sectors, "each sum is stored once, 8 to a sector"))};
}

std::vector<Row<Scan>> rows() {
    return {
        {{"scan", "inclusive prefix sum in one pass (decoupled look-back), after a kernel that prepares it",
          answers},
         launch,
         check},
    };
}

} // namespace

Group deviceScanGroup() {
    return groupOf<Scan>(
        rows(), kDeviceWideSize, roundDeviceWide, [](std::size_t size) { return 2 * size * sizeof(int); },
        deviceWideParameters);
}

} // namespace dormer::kernels
