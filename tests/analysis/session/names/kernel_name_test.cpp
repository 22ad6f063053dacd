// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "analysis/session/names/instance_names.h"
#include "analysis/session/session.h"
#include "tests/support/catch.h"

#include <algorithm>

using dormer::session::shortKernelName;

TEST_CASE("Plain names lose parameters, return types and template arguments") {
    CHECK(shortKernelName("saxpy") == "saxpy");
    CHECK(shortKernelName("saxpy(int, float, float const*, float*)") == "saxpy");
    CHECK(shortKernelName("void saxpy<float>(int, float)") == "saxpy");
    CHECK(shortKernelName("void my::lib::saxpy<float, my::op<int>>(int, float)") == "my::lib::saxpy");
    CHECK(shortKernelName("void foo<int> (T1)") == "foo");
    CHECK(shortKernelName("void Foo<int>::run<3>(float*)") == "Foo::run");
    CHECK(shortKernelName("unsigned long* f<int>(int)") == "f");
    CHECK(shortKernelName("decltype(a + b) f<int>(int)") == "f");
    CHECK(shortKernelName("kernel(int) [clone .cold]") == "kernel");
    CHECK(shortKernelName("_Z6kernelPf") == "_Z6kernelPf");
    CHECK(shortKernelName("") == "");
}

TEST_CASE("Namespaces and classes that merely begin like a library's stay") {
    CHECK(shortKernelName("cubic::solve(int)") == "cubic::solve");
    CHECK(shortKernelName("my::thruster::fire(int)") == "my::thruster::fire");
    CHECK(shortKernelName("cub(int)") == "cub");
}

TEST_CASE("Unnamed namespaces vanish in every spelling") {
    CHECK(shortKernelName("(anonymous namespace)::kernel(int)") == "kernel");
    CHECK(shortKernelName("void (anonymous namespace)::kernel<int>(int)") == "kernel");
    CHECK(shortKernelName("<unnamed>::kernel(int)") == "kernel");
    CHECK(shortKernelName("void a::<unnamed>::kernel<(int)3>(int)") == "a::kernel");
    CHECK(shortKernelName("_GLOBAL__N__0f3a_4_a_cu_6d2::kernel(int)") == "kernel");
}

TEST_CASE("Angle brackets in template arguments are told from operators") {
    CHECK(shortKernelName("void f<(1>2), g<h<int>>>(int)") == "f");
    CHECK(shortKernelName("void f<((int)4)<<(3), (bool)1>(int)") == "f");
    CHECK(shortKernelName("void f<(x)->y>(int)") == "f");
    CHECK(shortKernelName("void f<(x->*y)>::g(int)") == "f::g");
    CHECK(shortKernelName("void f<&A::operator< >::g(int)") == "f::g");
    CHECK(shortKernelName("void f<&A::operator->>::g(int)") == "f::g");
    CHECK(shortKernelName("void f<(&(A::operator()))>::g(int)") == "f::g");
    CHECK(shortKernelName("void f<(char)40>(int)") == "f");
}

TEST_CASE("Operators and lambdas are names, too") {
    CHECK(shortKernelName("A::operator()(int) const") == "A::operator()");
    CHECK(shortKernelName("A::operator<<(int)") == "A::operator<<");
    CHECK(shortKernelName("void A::operator< <int>(int)") == "A::operator<");
    CHECK(shortKernelName("A::operator bool() const") == "A::operator bool");
    CHECK(shortKernelName("operators::run(int)") == "operators::run");
    CHECK(shortKernelName("main::{lambda(int, float)#2}::operator()(int, float) const") ==
          "main::{lambda#2}::operator()");
    CHECK(shortKernelName("run(int)::{lambda(int)#1}::operator()(int) const") ==
          "run::{lambda#1}::operator()");
    CHECK(shortKernelName("main::[lambda(int) (instance 1)]::operator ()(int) const") ==
          "main::{lambda}::operator()");
    CHECK(shortKernelName("void for_each<main::{lambda(int)#1}>(int, main::{lambda(int)#1})") == "for_each");
}

TEST_CASE("Of the CUDA libraries only the outermost name is kept") {
    CHECK(shortKernelName("void cub::CUB_300_SM_90::DeviceReduceKernel<P, int*>(int*)") ==
          "cub::DeviceReduceKernel");
    CHECK(shortKernelName("void cub::CUB_300001_SM_750_800_900::detail::scan::DeviceScanKernel<"
                          "cub::CUB_300001_SM_900::detail::scan::policy_hub<int>>(int)") ==
          "cub::DeviceScanKernel");
    CHECK(
        shortKernelName(
            "void thrust::THRUST_300001_SM_900_NS::cuda_cub::core::detail::_kernel_agent<thrust::A>(int)") ==
        "thrust::A");
    CHECK(shortKernelName("void at_cuda_detail::cub::DeviceRadixSortSingleTileKernel<A<1>, false>(int)") ==
          "cub::DeviceRadixSortSingleTileKernel");
    CHECK(shortKernelName("void cuda::__4::detail::fill<int>(int)") == "cuda::fill");
}

TEST_CASE("Broken names give something and never crash") {
    for (const char* name :
         {"f<",  "f<int", "f(",      "f(int",    ")",        ">",         "::",          "void ",
          "f>>", "{",     "{lambda", "[",        "operator", "operator ", "a::operator", "<",
          "(",   "()",    "f<)>(",   "\xff\xfe", " ",        "decltype(", "f<a->"}) {
        CAPTURE(name);
        CHECK(shortKernelName(name).size() <= std::string_view(name).size() + 2);
    }
}

namespace {
using Names = std::vector<std::string>;
Names instances(const Names& names) {
    const std::vector<std::string_view> views(names.begin(), names.end());
    return dormer::session::instanceNames(views);
}
} // namespace

TEST_CASE("Instantiations are told apart by as few template arguments as do it") {
    CHECK(instances({"void f<int>(int*)", "void g<int>(int*)"}) == Names{"f", "g"});
    CHECK(instances({"void f<int>(int*)", "g", "void f<float>(float*)"}) == Names{"f<int>", "g", "f<float>"});
    // Twelve of one template, of which two parameters differ and a third follows from them.
    Names whole, told;
    for (const std::string type : {"float", "double", "float4"})
        for (const std::string width : {"1", "2", "4", "8"}) {
            whole.push_back("void ns::testKernel<" + type + ", (int)" + width + ", (bool)1, ns::For<" + type +
                            ", " + width + "> >(" + type + "*)");
            told.push_back("ns::testKernel<" + type + ", " + width + ", …>");
        }
    CHECK(instances(whole) == told);
    CHECK(instances({"void f<int, (int)3>(int)", "void f<int, (int)-4>(int)"}) ==
          Names{"f<…, 3>", "f<…, -4>"});
    CHECK(instances({"void A<int>::run<3>(int)", "void A<int>::run<4>(int)"}) ==
          Names{"A::run<…, 3>", "A::run<…, 4>"});
    CHECK(instances({"void f<int>(int)", "void f<int, char>(int)"}) == Names{"f<…>", "f<…, char>"});
}

TEST_CASE("Types among template arguments are as short as can be") {
    CHECK(instances({"void apply<my::Plus>(int)", "void apply<my::Times<(char)34, -1ll> >(int)"}) ==
          Names{"apply<Plus>", "apply<Times>"});
    CHECK(instances({"void f<a::P<int, a::Q> const*>(int)", "void f<a::P<char, a::Q> const*>(int)"}) ==
          Names{"f<P const*<int, …>>", "f<P const*<char, …>>"});
    // Each level doubles the name. What differs lies deeper than anybody reads.
    std::string leaf = "Leaf";
    Names whole;
    for (int level = 1; level <= 12; ++level) {
        leaf = "Node<" + leaf + ", " + leaf + " >";
        whole.push_back("void addSize<" + leaf + " >(int*)");
    }
    REQUIRE(whole.back().size() > 50'000);
    const Names told = instances(whole);
    for (std::size_t i = 0; i < told.size(); ++i) {
        CHECK(told[i].size() < 60);
        CHECK(std::ranges::count(told, told[i]) == 1);
    }
}

TEST_CASE("Kernels without different template arguments are told apart by parameters, else numbered") {
    CHECK(instances({"f(int*, int)", "f(float*, int)"}) == Names{"f(int*, …)", "f(float*, …)"});
    CHECK(instances({"(anonymous namespace)::k(int)", "(anonymous namespace)::k(int)"}) ==
          Names{"k #1", "k #2"});
    CHECK(instances({"", ""}) == Names{" #1", " #2"});
    // Broken names never crash, and different kernels never share a name.
    const Names broken{"f<",   "f<int", "f<int,", "f<,>", "f<<>", "f(",
                       "f<(>", "f<a->", "f<'",    "f<',", "f<>",  "f"};
    const Names told = instances(broken);
    for (const std::string& name : told)
        CHECK(std::ranges::count(told, name) == 1);
}
