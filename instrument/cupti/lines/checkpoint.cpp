// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/lines/checkpoint.h"

#include "instrument/cupti/activity/own_calls.h"

#include <cuda.h>
#include <cupti.h>
#include <cupti_checkpoint.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace dormer::instrument::cupti {

namespace api = NV::Cupti::Checkpoint;

struct Checkpoint::Calls {
    decltype(&api::cuptiCheckpointSave) save = nullptr;
    decltype(&api::cuptiCheckpointRestore) restore = nullptr;
    decltype(&api::cuptiCheckpointFree) release = nullptr;
    std::string problem;

    Calls() {
        // It lies where CUPTI does, which the loader may not search.
        Dl_info cupti = {};
        void* library = nullptr;
        if (dladdr(reinterpret_cast<const void*>(&cuptiSubscribe), &cupti) != 0 && cupti.dli_fname != nullptr)
            library =
                dlopen((std::filesystem::path(cupti.dli_fname).parent_path() / "libcheckpoint.so").c_str(),
                       RTLD_NOW);
        if (library == nullptr) library = dlopen("libcheckpoint.so", RTLD_NOW);
        if (library == nullptr) {
            problem = "CUPTI's libcheckpoint.so, which saves and restores the program's memory, is missing";
            return;
        }
        save = reinterpret_cast<decltype(save)>(dlsym(library, "cuptiCheckpointSave"));
        restore = reinterpret_cast<decltype(restore)>(dlsym(library, "cuptiCheckpointRestore"));
        release = reinterpret_cast<decltype(release)>(dlsym(library, "cuptiCheckpointFree"));
        if (save == nullptr || restore == nullptr || release == nullptr)
            problem = "CUPTI's libcheckpoint.so lacks the functions that save and restore memory";
    }
};

struct Checkpoint::Handle {
    api::CUpti_Checkpoint checkpoint = {};
};

namespace {

/// Where the device has no room, the host gets the copy: 110 GB took 41 s on an H200.
constexpr std::size_t kMostOnHost = std::size_t{4} << 30;

Result<void> checked(CUptiResult result, const char* what) {
    if (result == CUPTI_SUCCESS) return {};
    const char* text = nullptr;
    cuptiGetResultString(result, &text);
    return failure(ErrorKind::Device, fmt::format("CUPTI cannot {} the program's memory ({})", what,
                                                  text != nullptr ? text : std::to_string(result)));
}

} // namespace

Result<std::unique_ptr<Checkpoint>> Checkpoint::create(CUctx_st* context) {
    static const Calls calls;
    if (!calls.problem.empty()) return failure(ErrorKind::Device, calls.problem);
    return std::unique_ptr<Checkpoint>(new Checkpoint(calls, context));
}

Checkpoint::Checkpoint(const Calls& calls, CUctx_st* context)
    : m_calls(calls), m_handle(std::make_unique<Handle>()) {
    using api::CUpti_Checkpoint;
    m_handle->checkpoint.structSize = CUpti_Checkpoint_STRUCT_SIZE;
    m_handle->checkpoint.ctx = context;
    m_handle->checkpoint.allowOverwrite = 1;
}

Checkpoint::~Checkpoint() {
    release();
}

Result<void> Checkpoint::save() {
    const activity::OwnCalls ours;
    std::size_t available = 0, all = 0;
    if (cuMemGetInfo(&available, &all) == CUDA_SUCCESS)
        if (const std::size_t used = all - available; used > available && used > kMostOnHost)
            return failure(
                ErrorKind::Device,
                fmt::format("{:.0f} GB of device memory are in use, of {:.0f}: there is no room to save "
                            "them",
                            static_cast<double>(used) * 1e-9, static_cast<double>(all) * 1e-9));
    auto saved = checked(m_calls.save(&m_handle->checkpoint), "save");
    m_saved = saved.has_value();
    return saved;
}

Result<void> Checkpoint::restore() {
    const activity::OwnCalls ours;
    return checked(m_calls.restore(&m_handle->checkpoint), "restore");
}

void Checkpoint::release() {
    const activity::OwnCalls ours;
    if (std::exchange(m_saved, false)) m_calls.release(&m_handle->checkpoint);
}

} // namespace dormer::instrument::cupti
