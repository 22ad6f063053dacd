// SPDX-FileCopyrightText: The Dormer authors
// SPDX-License-Identifier: Apache-2.0
#include "instrument/cupti/cubin_store.h"

#include "instrument/collect/launch_filter.h"
#include "instrument/cupti/sass_code.h"

#include <cupti_pcsampling.h>

#include <cstring>

namespace dormer::instrument {

CubinStore& CubinStore::instance() {
    static auto* const store = new CubinStore; // CUPTI calls back until the process ends
    return *store;
}

void CubinStore::add(const void* image, std::size_t bytes) {
    auto copy = std::make_shared<Image>(bytes);
    std::memcpy(copy->data(), image, bytes);
    const std::lock_guard lock(m_mutex);
    m_unnamed.push_back(std::move(copy));
}

std::shared_ptr<const CubinStore::Image> CubinStore::find(std::uint32_t crc) {
    const std::lock_guard lock(m_mutex);
    for (; !m_unnamed.empty() && !m_byCrc.contains(crc); m_unnamed.pop_back()) {
        CUpti_GetCubinCrcParams params = {};
        params.size = CUpti_GetCubinCrcParamsSize;
        params.cubinSize = m_unnamed.back()->size();
        params.cubin = m_unnamed.back()->data();
        if (cuptiGetCubinCrc(&params) == CUPTI_SUCCESS)
            m_byCrc.emplace(static_cast<std::uint32_t>(params.cubinCrc), m_unnamed.back());
    }
    const auto at = m_byCrc.find(crc);
    return at != m_byCrc.end() ? at->second : nullptr;
}

void SourcePlaces::describe(analysis::LineCounts& line, std::uint32_t cubinCrc, const std::string& function) {
    const std::pair key{cubinCrc, function};
    auto kernel = m_kernels.find(key);
    if (kernel == m_kernels.end()) {
        auto image = CubinStore::instance().find(cubinCrc);
        const Bytes bytes = image ? Bytes(*image) : Bytes();
        kernel =
            m_kernels.emplace(key, Kernel{image, kernelCode(bytes, function), LineTable(bytes, function)})
                .first;
    }
    SourcePlace place = kernel->second.lines.at(line.pc);
    line.file = std::move(place.file);
    line.line = place.line;
    line.inlinedAt = std::move(place.inlinedAt);
    if (!place.function.empty()) line.function = demangled(place.function);
    line.instruction = mnemonicAt(kernel->second.code, line.pc);
}

} // namespace dormer::instrument
