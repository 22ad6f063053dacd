// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/emulator/libraries/foreign_libraries.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace dormer::emulator::libraries {

namespace fs = std::filesystem;

namespace {

struct Product {
    std::string_view file; ///< how the names of its files begin
    std::string_view name;
};
// Of several that fit, the first counts.
constexpr std::array kProducts = {
    Product{"libcublasLt.so", "cuBLASLt"},
    Product{"libcublas.so", "cuBLAS"},
    Product{"libnvblas.so", "NVBLAS"},
    Product{"libcufftw.so", "cuFFTW"},
    Product{"libcufft.so", "cuFFT"},
    Product{"libcurand.so", "cuRAND"},
    Product{"libcusparseLt.so", "cuSPARSELt"},
    Product{"libcusparse.so", "cuSPARSE"},
    Product{"libcusolverMg.so", "cuSOLVERMg"},
    Product{"libcusolver.so", "cuSOLVER"},
    Product{"libcudnn", "cuDNN"},
    Product{"libcutensor", "cuTENSOR"},
    Product{"libnccl.so", "NCCL"},
    Product{"libnvshmem", "NVSHMEM"},
    Product{"libnpp", "NPP"},
    Product{"libnvjpeg.so", "nvJPEG"},
    Product{"libnvinfer", "TensorRT"},
};

const Product* productOf(std::string_view path) {
    const std::string file = fs::path(path).filename().string();
    const auto found =
        std::ranges::find_if(kProducts, [&](const Product& each) { return file.starts_with(each.file); });
    return found != kProducts.end() ? &*found : nullptr;
}

std::string folderOf(const std::string& path) {
    std::error_code ignored;
    return fs::weakly_canonical(path, ignored).parent_path().string();
}

} // namespace

std::vector<Foreign> foreignAmong(const std::vector<std::string>& paths, std::string_view ownFolder) {
    std::vector<Foreign> found;
    for (const std::string& path : paths) {
        if (const Product* const product = productOf(path))
            found.push_back({Foreign::Kind::CudaLibrary, std::string(product->name), path});
        else if (fs::path(path).filename().string().starts_with("libcuda.so") && folderOf(path) != ownFolder)
            found.push_back({Foreign::Kind::Driver, "NVIDIA's driver", path});
    }
    return found;
}

std::vector<Foreign> foreignLibraries() {
    std::vector<std::string> paths;
    // Only names are taken here: the linker's lock is held.
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
            if (info->dlpi_name != nullptr && *info->dlpi_name != '\0')
                static_cast<std::vector<std::string>*>(to)->emplace_back(info->dlpi_name);
            return 0;
        },
        &paths);
    Dl_info own = {};
    const bool known =
        dladdr(reinterpret_cast<const void*>(&foreignLibraries), &own) != 0 && own.dli_fname != nullptr;
    return foreignAmong(paths, known ? folderOf(own.dli_fname) : std::string());
}

std::string describe(const std::vector<Foreign>& libraries) {
    std::vector<std::string> names;
    for (const Foreign& each : libraries) {
        const std::string file = fs::path(each.path).filename().string();
        names.push_back(each.kind == Foreign::Kind::Driver ? each.path
                                                           : fmt::format("{} ({})", each.product, file));
    }
    if (!libraries.empty() && libraries.front().kind == Foreign::Kind::Driver)
        return fmt::format("the program loads NVIDIA's driver {} beside the emulated one: what it does there "
                           "is not emulated; have it load libcuda.so.1 by that name, without a path",
                           fmt::join(names, ", "));
    return fmt::format("the program loads {}, which the emulator can't run: calls that compute fail, and "
                       "nothing of it is profiled; use a GPU (--on gpu)",
                       fmt::join(names, ", "));
}

std::string whyNotDriven(std::string_view path) {
    if (productOf(path) != nullptr) return {};
    const std::string file = fs::path(path).filename().string();
    // Compilers look for a driver, and do without.
    for (const char* compiler : {"libnvrtc", "libnvJitLink", "libnvvm"})
        if (file.starts_with(compiler)) return {};
    if (file.starts_with("libcudart.so"))
        return fmt::format("{} is another CUDA runtime than the one that the emulator replaces "
                           "(libcudart.so.13): build what loads it with CUDA 13, and without a path to it",
                           path);
    return fmt::format(
        "{} links the CUDA runtime statically, so the emulator can't replace it: build it with "
        "nvcc -cudart shared (CMake: CUDA_RUNTIME_LIBRARY Shared)",
        path);
}

} // namespace dormer::emulator::libraries
