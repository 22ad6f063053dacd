// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/fatbin/read.h"
#include "tests/instrument/emulator/fatbin/sample_fatbin.h"
#include "tests/support/catch.h"

#include <algorithm>

using namespace dormer::emulator::fatbin;
using namespace dormer::emulator::program;

using dormer::tests::twoKernels;

namespace {

template <typename Image>
std::vector<std::string> targets(const std::vector<Image>& images) {
    std::vector<std::string> out;
    for (const Image& image : images)
        out.push_back(image.target.text());
    return out;
}

std::string chosenPtx(const FatBinary& binary, std::uint32_t computeCapability) {
    const PtxImage* image = choosePtx(binary, computeCapability);
    return image != nullptr ? image->target.text() : "none";
}

std::string chosenCubin(const FatBinary& binary, std::uint32_t computeCapability) {
    const CubinImage* image = chooseCubin(binary, computeCapability);
    return image != nullptr ? image->target.text() : "none";
}

CubinKernel kernelNamed(const std::vector<CubinKernel>& kernels, const char* name) {
    const auto found =
        std::find_if(kernels.begin(), kernels.end(), [&](const CubinKernel& k) { return k.name == name; });
    REQUIRE(found != kernels.end());
    return *found;
}

} // namespace

TEST_CASE("a fat binary holds what nvcc was told to put in, however it is packed") {
    const auto plainBytes = twoKernels("none");
    const auto plain = readFatBinary(plainBytes);
    REQUIRE(plain);
    CHECK(plain->ptx[0].payload.compression == Compression::None);
    const std::string text = plain->ptx[0].text().value();
    CHECK(text.find(".target sm_75\n") != std::string::npos);
    CHECK(text.find(".visible .entry smoother(") != std::string::npos);
    CHECK(text.back() == '\n');

    for (const auto& [mode, compression] :
         {std::pair("speed", Compression::Lz4), {"size", Compression::Zstd}}) {
        CAPTURE(mode);
        const auto bytes = twoKernels(mode);
        const auto packed = readFatBinary(bytes);
        REQUIRE(packed);
        CHECK(targets(packed->ptx) == std::vector<std::string>{"75", "90a"});
        CHECK(targets(packed->cubins) == std::vector<std::string>{"80", "90"});
        CHECK(packed->ptx[0].payload.compression == compression);
        CHECK(packed->ptx[0].text().value() == text);
        CHECK(packed->ptx[1].text().value().find(".target sm_90a\n") != std::string::npos);
    }
}

TEST_CASE("cubins say what ptxas -v printed") {
    for (const char* mode : {"none", "speed", "size"}) {
        CAPTURE(mode);
        const auto bytes = twoKernels(mode);
        const auto binary = readFatBinary(bytes);
        REQUIRE(binary);
        for (const CubinImage& image : binary->cubins) {
            CAPTURE(image.target.number);
            const auto kernels = image.kernels();
            REQUIRE(kernels);
            CHECK(kernels->size() == 2);
            const CubinKernel stacked = kernelNamed(*kernels, "stacked");
            CHECK(stacked.registersPerThread == (image.target.number == 80 ? 8 : 10));
            CHECK(stacked.staticSharedBytes == 0);
            CHECK(stacked.localBytesPerThread == 256);
            const CubinKernel smoother = kernelNamed(*kernels, "smoother");
            CHECK(smoother.registersPerThread == 12);
            CHECK(smoother.staticSharedBytes == 1024);
            CHECK(smoother.localBytesPerThread == 0);
        }
    }
}

TEST_CASE("a chip gets the newest PTX it can run, and architecture-specific PTX only of its own") {
    const auto bytes = twoKernels("size");
    const auto binary = readFatBinary(bytes);
    REQUIRE(binary);
    CHECK(chosenPtx(*binary, 70) == "none");
    CHECK(chosenPtx(*binary, 75) == "75");
    CHECK(chosenPtx(*binary, 89) == "75");
    CHECK(chosenPtx(*binary, 90) == "90a");
    CHECK(chosenPtx(*binary, 100) == "75");
    CHECK(chosenCubin(*binary, 75) == "none");
    CHECK(chosenCubin(*binary, 86) == "80");
    CHECK(chosenCubin(*binary, 90) == "90");
    CHECK(chosenCubin(*binary, 120) == "90");
}

TEST_CASE("the wrapper that programs register leads to the fat binary") {
    struct {
        std::int32_t magic = 0x466243B1, version = 1;
        const void* data = nullptr;
        void* unused = nullptr;
    } wrapper;
    const auto bytes = twoKernels("size");
    wrapper.data = bytes.data();
    const auto found = fatBinaryOf(&wrapper);
    CHECK(found.data() == bytes.data());
    CHECK(found.size() == bytes.size());
    CHECK(fatBinaryOf(nullptr).empty());
    wrapper.data = wrapper.unused;
    CHECK(fatBinaryOf(&wrapper).empty());
    wrapper.data = bytes.data() + 1;
    CHECK(fatBinaryOf(&wrapper).empty());
    wrapper.data = bytes.data();
    wrapper.magic = 1;
    CHECK(fatBinaryOf(&wrapper).empty());
}
