// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/passes/api_calls.h"

#include <algorithm>
#include <array>
#include <utility>

namespace dormer::instrument::cupti::passes {

namespace {

struct MemoryFunction {
    std::string_view name, memory;
};
constexpr std::array kMemoryFunctions = std::to_array<MemoryFunction>({
    {"cuMemAlloc", "device"},
    {"cuMemAllocPitch", "device"},
    {"cuMemAllocAsync", "device"},
    {"cuMemAllocFromPoolAsync", "device"},
    {"cuMemAllocManaged", "managed"},
    {"cuMemAllocHost", "pinned"},
    {"cuMemHostAlloc", "pinned"},
    {"cuMemHostRegister", "pinned"},
    {"cuMemHostUnregister", "pinned"},
    {"cuMemFree", ""}, // device or managed: the call does not say
    {"cuMemFreeAsync", "device"},
    {"cuMemFreeHost", "pinned"},
    {"cuMemPrefetchAsync", "managed"},
    {"cuMemAdvise", "managed"},
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
    if (name.starts_with("cuMemcpy")) return ApiCall{ApiCall::Kind::Copy, std::string(name), {}};
    if (name.starts_with("cuMemset")) return ApiCall{ApiCall::Kind::Fill, std::string(name), {}};
    const auto found = std::ranges::find(kMemoryFunctions, name, &MemoryFunction::name);
    if (found == kMemoryFunctions.end()) return std::nullopt;
    return ApiCall{ApiCall::Kind::Memory, std::string(name), std::string(found->memory)};
}

} // namespace dormer::instrument::cupti::passes
