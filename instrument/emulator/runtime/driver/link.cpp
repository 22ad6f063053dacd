// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0

// Linking of PTX while the program runs. The "cubin" that comes of it is PTX.

#include "instrument/emulator/ptx/linker/link_units.h"
#include "instrument/emulator/runtime/driver/driver.h"
#include "instrument/emulator/runtime/driver/jit_options.h"

#include <fstream>
#include <iterator>
#include <map>
#include <memory>

using namespace dormer;
using namespace dormer::emulator::runtime;
using namespace dormer::emulator::runtime::driver;

namespace {

/// A CUlinkState is the address of one.
struct Link {
    JitOptions options;
    std::vector<std::string> units;
    std::string linked;
};

std::map<const void*, std::unique_ptr<Link>>& links() {
    static auto* const all = new std::map<const void*, std::unique_ptr<Link>>;
    return *all;
}

template <typename Body>
CUresult withLink(CUlinkState handle, Body&& body) {
    return inContext([&] {
        return api::call([&](Runtime&) -> Outcome<void> {
            const auto found = links().find(handle);
            return found != links().end() ? body(*found->second) : fails(cudaErrorInvalidValue);
        });
    });
}

CUresult add(CUlinkState handle, CUjitInputType type, std::string data) {
    return withLink(handle, [&](Link& link) -> Outcome<void> {
        if (type != CU_JIT_INPUT_PTX) return api::lacking("cuLinkAddData for other code than PTX");
        data.resize(std::min(data.find('\0'), data.size()));
        link.units.push_back(std::move(data));
        return {};
    });
}

} // namespace

extern "C" {

CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
    if (state == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return inContext([&] {
        auto link = std::make_unique<Link>();
        link->options = {count, options, values};
        link->options.write({});
        *state = reinterpret_cast<CUlinkState>(link.get());
        links()[link.get()] = std::move(link);
        return cudaSuccess;
    });
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, std::size_t bytes, const char*,
                       unsigned, CUjit_option*, void**) {
    if (data == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return add(state, type, std::string(static_cast<const char*>(data), bytes));
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned, CUjit_option*,
                       void**) {
    if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::ifstream file(path, std::ios::binary);
    if (!file) return CUDA_ERROR_FILE_NOT_FOUND;
    return add(state, type, std::string((std::istreambuf_iterator<char>(file)), {}));
}

CUresult cuLinkComplete(CUlinkState state, void** code, std::size_t* bytes) {
    return withLink(state, [&](Link& link) -> Outcome<void> {
        if (code == nullptr || link.units.empty()) return fails(cudaErrorInvalidValue);
        Result<std::string> linked = emulator::ptx::linker::linkUnits(link.units);
        if (!linked) {
            link.options.write(linked.error().message);
            return fails(cudaErrorInvalidPtx, "emulator-load",
                         "PTX can't be linked: " + linked.error().message);
        }
        link.linked = std::move(*linked);
        *code = link.linked.data();
        if (bytes != nullptr) *bytes = link.linked.size() + 1;
        return {};
    });
}

CUresult cuLinkDestroy(CUlinkState state) {
    return withLink(state, [&](Link& link) -> Outcome<void> {
        links().erase(&link);
        return {};
    });
}

} // extern "C"
