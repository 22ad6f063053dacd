// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/libraries/foreign_libraries.h"
#include "tests/support/catch.h"

using namespace dormer::emulator::libraries;

namespace {

std::vector<std::string> productsIn(const std::vector<std::string>& paths) {
    std::vector<std::string> names;
    for (const Foreign& each : foreignAmong(paths, "/opt/dormer/emulator"))
        names.push_back(each.product);
    return names;
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("CUDA's libraries are known by the names of their files") {
    CHECK(productsIn({"/usr/local/cuda/lib64/libcublas.so.13", "/x/libcublasLt.so.13.0.2", "libcufft.so.12",
                      "/p/nvidia/cudnn/lib/libcudnn_graph.so.9", "libcusolver.so.12", "libcusparse.so.12",
                      "libcurand.so.10"}) ==
          std::vector<std::string>{"cuBLAS", "cuBLASLt", "cuFFT", "cuDNN", "cuSOLVER", "cuSPARSE", "cuRAND"});
    // Those that need no GPU, the emulator's own, and others of a similar name.
    CHECK(productsIn({"/usr/local/cuda/lib64/libnvrtc.so.13", "libnvJitLink.so.13", "/lib/libc.so.6",
                      "/opt/dormer/emulator/libcudart.so.13", "/opt/dormer/emulator/libcuda.so.1",
                      "libcudadevrt.so", "/home/me/cublas/libmine.so"})
              .empty());
}

TEST_CASE("Another driver is found by its folder") {
    const auto found = foreignAmong({"/usr/lib/x86_64-linux-gnu/libcuda.so.1"}, "/opt/dormer/emulator");
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == Foreign::Kind::Driver);
    CHECK(holds(describe(found), "/usr/lib/x86_64-linux-gnu/libcuda.so.1"));
}

TEST_CASE("One line names all libraries found together") {
    const std::string text = describe(foreignAmong({"/a/libcublas.so.13", "/a/libcublasLt.so.13"}, "/own"));
    CHECK(holds(text, "cuBLAS (libcublas.so.13), cuBLASLt (libcublasLt.so.13)"));
    CHECK(text.find('\n') == std::string::npos);
    CHECK(foreignLibraries().empty()); // of this process
}

TEST_CASE("What brings a runtime of its own is told what to do") {
    CHECK(holds(whyNotDriven("/home/me/plugin.so"), "-cudart shared"));
    CHECK(holds(whyNotDriven("/opt/cuda-12/libcudart.so.12"), "CUDA 13"));
    CHECK(whyNotDriven("/a/libcublasLt.so.13").empty()); // named already
    CHECK(whyNotDriven("/a/libnvrtc.so.13").empty());    // compiles without a driver
}
