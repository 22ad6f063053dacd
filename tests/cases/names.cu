// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Names that profilers got wrong: of kernels whose demangled name doubles with each level of a template, in
// an unnamed namespace, with commas and quotes among their arguments; of NVTX ranges in other scripts, with
// line ends and broken bytes, in a program that speaks the user's language. "long" or "unicode" says which.

#include "tests/cases/cases.h"

#include <nvtx3/nvToolsExt.h>

#include <clocale>
#include <cstring>
#include <string>

namespace {

template <typename A, typename B>
struct Pair {
    static constexpr int leaves = A::leaves + B::leaves;
};
struct Leaf {
    static constexpr int leaves = 1;
};
template <int Depth>
struct Tree {
    using Type = Pair<typename Tree<Depth - 1>::Type, typename Tree<Depth - 1>::Type>;
};
template <>
struct Tree<0> {
    using Type = Leaf;
};
struct Least {
    __device__ int operator()(int a, int b) const { return a < b ? a : b; }
};
template <char Sign, long long Offset>
struct Moved {
    __device__ int operator()(int a, int b) const { return a + b + static_cast<int>(Offset); }
};

} // namespace

template <typename Shape>
__global__ void addLeaves(int* sum) {
    atomicAdd(sum, Shape::leaves);
}
template <typename Operation>
__global__ void combine(Operation operation, int* sum) {
    atomicAdd(sum, operation(3, 4));
}
namespace {
template <char Sign, typename... Types>
__global__ void hidden(int* sum) {
    atomicAdd(sum, static_cast<int>(Sign) + static_cast<int>(sizeof...(Types)));
}
} // namespace

__global__ void addEverywhere(float* values, float amount) {
    values[blockIdx.x * blockDim.x + threadIdx.x] += amount;
}

static void longNames() {
    const cases::OnDevice<int> sum(1);
    addLeaves<Tree<2>::Type><<<1, 1>>>(sum.data());
    addLeaves<Tree<11>::Type><<<1, 1>>>(sum.data());
    hidden<',', int, const char*, void (*)(int, float)><<<1, 1>>>(sum.data());
    combine<<<1, 1>>>(Least{}, sum.data());
    combine<<<1, 1>>>(Moved<'"', -1>{}, sum.data());
    cases::succeed(cudaGetLastError(), "longNames");
    cases::check(sum.host()[0] == 4 + 2048 + ',' + 3 + 3 + 6, "longNames");
}

static void ranges() {
    std::setlocale(LC_ALL, "");
    std::printf("one and a half is %.1f\n", 1.5);
    const cases::OnDevice<float> values(std::size_t{1024});
    const auto add = [&] {
        addEverywhere<<<4, 256>>>(values.data(), 0.5F);
        nvtxRangePop();
    };
    for (const char* name :
         {"Stra\u00dfe; 12,5 %", "he said \"no, never\"", "\u884c\u5217 \U0001F680",
          "two\r\nlines\tand a tab", "=1+2", "</script><i>", "a > b", "broken \xff\xc3( bytes", ""}) {
        nvtxRangePushA(name);
        add();
    }
    nvtxRangePushW(L"wide Stra\u00dfe \U0001F680");
    add();
    cases::succeed(cudaGetLastError(), "ranges");
    cases::check(values.host() == std::vector<float>(1024, 5.0F), "ranges");
}

int main(int, char** argv) {
    if (std::strcmp(argv[1], "long") == 0)
        longNames();
    else
        ranges();
    std::printf("%d results are wrong\n", cases::wrong);
    return cases::wrong == 0 ? 0 : 1;
}
