// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/api_calls.h"

#include <algorithm>
#include <array>
#include <utility>

namespace dormer::instrument::cupti::passes {

using session::MemoryKind;

namespace {

struct MemoryFunction {
    std::string_view name;
    MemoryKind memory;
};
constexpr std::array kMemoryFunctions = std::to_array<MemoryFunction>({
    {"cuMemAlloc", MemoryKind::Device},
    {"cuMemAllocPitch", MemoryKind::Device},
    {"cuMemAllocAsync", MemoryKind::Device},
    {"cuMemAllocFromPoolAsync", MemoryKind::Device},
    {"cuMemAllocManaged", MemoryKind::Managed},
    {"cuMemAllocHost", MemoryKind::Pinned},
    {"cuMemHostAlloc", MemoryKind::Pinned},
    {"cuMemHostRegister", MemoryKind::Pinned},
    {"cuMemHostUnregister", MemoryKind::Pinned},
    {"cuMemFree", MemoryKind::None}, // device or managed: the call does not say
    {"cuMemFreeAsync", MemoryKind::Device},
    {"cuMemFreeHost", MemoryKind::Pinned},
    {"cuMemPrefetchAsync", MemoryKind::Managed},
    {"cuMemAdvise", MemoryKind::Managed},
});

std::string_view withoutSuffixes(std::string_view name) {
    for (bool shorter = true; shorter;) {
        shorter = false;
        for (const std::string_view suffix : {"_ptds", "_ptsz", "_v2", "_v3"}) {
            if (!name.ends_with(suffix)) continue;
            name.remove_suffix(suffix.size());
            shorter = true;
        }
    }
    return name;
}

} // namespace

std::optional<ApiCall> apiCallOf(std::string_view functionName) {
    const std::string_view name = withoutSuffixes(functionName);
    if (name.starts_with("cuMemcpy")) return ApiCall{ApiCall::Kind::Copy, std::string(name)};
    if (name.starts_with("cuMemset")) return ApiCall{ApiCall::Kind::Fill, std::string(name)};
    const auto found = std::ranges::find(kMemoryFunctions, name, &MemoryFunction::name);
    if (found == kMemoryFunctions.end()) return std::nullopt;
    return ApiCall{ApiCall::Kind::Memory, std::string(name), found->memory};
}

} // namespace dormer::instrument::cupti::passes
